import { Button } from '../parts/button.tsx'
import './shell.css'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { NoSuchPage } from '../parts/empty.tsx'
import { lazy } from '../parts/lazy.tsx'
import { address, isWorldName, to, world } from '../store/address.ts'
import { dialog } from '../store/dialogs.ts'
import { pageTitle } from '../store/title.ts'
import { TasksPage } from '../tasks/tasks-page.tsx'
import { ClockBar } from './clock-bar.tsx'
import { Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { isPageName, type PageName, pageTitles } from './page-names.ts'
import { StatusBar } from './status-bar.tsx'
import { ThemeButton } from './theme-button.tsx'
import { WorldChooser } from './world-chooser.tsx'

/** The frame of every page: navigation, the status of the world, and the clock. */
export function Shell() {
  const { page, item } = address.value
  const current = isPageName(page) ? page : undefined
  const Page = current && pages[current]
  const title = current === undefined ? 'No such page' : pageTitles[current]
  useEffect(() => {
    const place = world === 'default' ? '' : ` · ${world}`
    document.title = `${pageTitle.value ?? title}${place} · Generation Gateway emulator`
  }, [title, pageTitle.value])
  return (
    <div class="shell">
      <Button look="skip" act={skip}>
        Skip to the page
      </Button>
      <header>
        <div class="top">
          <a class="brand" href={to('tasks')} aria-label="Generation Gateway emulator, tasks">
            <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="24" height="24" />
            <span>
              Gateway <span class="quiet">emulator</span>
            </span>
          </a>
          <Navigation />
          <StatusBar />
          <div class="top-end">
            <WorldChooser />
            <ThemeButton />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} aria-label={title}>
        {isWorldName && Page ? (
          <Page item={item} />
        ) : (
          <NoSuchPage
            what={isWorldName ? `page “${page}”` : `world “${world}”: a name has letters, digits, - and _`}
          />
        )}
      </main>
      <ClockBar />
      <Notices />
      <Dialogs />
    </div>
  )
}

function skip(): void {
  document.getElementById('main')?.focus()
}

type Page = ComponentType<{ item: string | undefined }>

const TaskPage = lazy(async () => (await import('../task/task-page.tsx')).TaskPage)
const TracePage = lazy(async () => (await import('../trace/trace-page.tsx')).TracePage)

/** The content of each page. All pages but the first are loaded when they are first shown. */
const pages: Readonly<Record<PageName, Page>> = {
  tasks: ({ item }) => (item === undefined ? <TasksPage /> : <TaskPage key={item} id={item} />),
  requests: lazy(async () => (await import('../requests/requests-page.tsx')).RequestsPage),
  trace: ({ item }) => <TracePage key={item} task={item} />,
  scenarios: lazy(async () => (await import('../scenarios/scenarios-page.tsx')).ScenariosPage),
  playground: lazy(async () => (await import('../playground/playground-page.tsx')).PlaygroundPage),
  world: lazy(async () => (await import('../world/world-page.tsx')).WorldPage),
  connect: lazy(async () => (await import('../connect/connect-page.tsx')).ConnectPage),
  reports: lazy(async () => (await import('../reports/reports-page.tsx')).ReportsPage),
}

const Nothing = () => null
const Palette = lazy(async () => (await import('../palette/palette.tsx')).Palette, Nothing)
const Keys = lazy(async () => (await import('../palette/palette.tsx')).Keys, Nothing)
const BreakDialog = lazy(async () => (await import('../breaking/break-dialog.tsx')).BreakDialog, Nothing)
const NewWorld = lazy(async () => (await import('../world/new-world.tsx')).NewWorld, Nothing)

function Dialogs() {
  const open = dialog.value
  switch (open?.kind) {
    case undefined:
      return null
    case 'palette':
      return <Palette />
    case 'keys':
      return <Keys />
    case 'break':
      return <BreakDialog {...open} />
    case 'world':
      return <NewWorld />
  }
}
