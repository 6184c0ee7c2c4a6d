import './shell.css'
import { signal } from '@preact/signals'
import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { injectionChips } from '../breaking/breakage.ts'
import { Button } from '../parts/button.tsx'
import { Empty, NoSuchPage } from '../parts/empty.tsx'
import { Select } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { address, isWorldName, openWorld, to, world } from '../store/address.ts'
import { changeClock, clock } from '../store/clock.ts'
import { isLive, isLost } from '../store/connection.ts'
import { dialog } from '../store/dialogs.ts'
import { failures, mendNext, readFailures } from '../store/failures.ts'
import { activeScenarios, findings, injections } from '../store/status.ts'
import { pageTitle } from '../store/title.ts'
import { activity, followWorlds, readWorlds, worlds } from '../store/worlds.ts'
import { TasksPage } from '../tasks/tasks-page.tsx'
import { ClockBar } from './clock-bar.tsx'
import { Notices } from './notices.tsx'
import { isPageName, mainPages, menuPages, type PageName, pageTitles } from './page-names.ts'
import { ThemeButton } from './theme-button.tsx'

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

/** The pages that are used all day, and a menu for the others. */
function Navigation() {
  const { page } = address.value
  const entry = (name: PageName) => (
    <a key={name} href={to(name)} aria-current={name === page ? 'page' : undefined}>
      {pageTitles[name]}
    </a>
  )
  return (
    <nav class="pages" aria-label="Pages">
      {mainPages.map(entry)}
      <Menu current={menuPages.find(name => name === page)}>
        {menuPages.map(entry)}
        <a href="guide">Guide</a>
      </Menu>
    </nav>
  )
}

function Menu({ current, children }: { current: PageName | undefined; children: ComponentChildren }) {
  const box = useRef<HTMLDetailsElement>(null)
  const close = () => box.current?.removeAttribute('open')
  useEffect(close, [address.value])
  return (
    <details
      ref={box}
      class="menu"
      onFocusOut={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) close()
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        close()
        box.current?.querySelector('summary')?.focus()
      }}
    >
      <summary aria-current={current && 'true'}>{current ? pageTitles[current] : 'More'}</summary>
      <div class="card">{children}</div>
    </details>
  )
}

/** What changes the behaviour of this world, and the button that breaks the next call. */
function StatusBar() {
  // Their words are those of the catalogue.
  const isWaiting = injections.value.length > 0
  useEffect(() => {
    if (isWaiting) void readFailures()
  }, [isWaiting])
  return (
    <div class="status-bar" role="group" aria-label="Status of this world">
      <Button
        look="plain"
        icon="bolt"
        label="Break the next one"
        aria-keyshortcuts="b"
        title="Make the next call of an operation fail, once (b)"
        act={() => (dialog.value = { kind: 'break' })}
      />
      <div class="chips">
        {injectionChips(injections.value, failures.value).map(({ ids, text }) => (
          <span key={ids[0]} class="pill tone-failed" title={`Fails: ${text}`}>
            <Icon name="bolt" />
            <span class="cut">{text}</span>
            <button
              type="button"
              class="chip-close"
              aria-label={`Dismiss: ${text}`}
              onClick={() => void mendNext(ids)}
            >
              <Icon name="cross" />
            </button>
          </span>
        ))}
        {activeScenarios.value.map(name => (
          <LinkChip key={name} href={to('scenarios', name)} tone="running">
            <span class="cut">
              <span class="unseen">Scenario </span>
              {name} active
            </span>
          </LinkChip>
        ))}
        <ClockChip />
        {findings.value.length > 0 && (
          <LinkChip href={to('world', 'findings')} tone="expired">
            {counted(findings.value.length, 'finding')}
          </LinkChip>
        )}
      </div>
      <Button
        look="plain"
        icon="search"
        label="Do anything"
        title="Find and do anything (Ctrl+K)"
        aria-keyshortcuts="Control+K"
        act={() => (dialog.value = { kind: 'palette' })}
      />
    </div>
  )
}

function LinkChip({ href, tone, children }: { href: string; tone: string; children: ComponentChildren }) {
  return (
    <a class={`pill tone-${tone}`} href={href}>
      {children}
    </a>
  )
}

/** Shown only for a clock that does not run by itself. */
function ClockChip() {
  const mode = clock.value?.mode
  if (mode === undefined || mode === 'realtime') return null
  return (
    <button
      type="button"
      class="pill tone-queued"
      title={
        mode === 'manual' ? 'The clock is paused: run it' : 'The clock skips ahead with polls: run it instead'
      }
      onClick={() => void changeClock({ mode: 'realtime' })}
    >
      <Icon name="pause" />
      clock {mode === 'manual' ? 'paused' : 'auto'}
    </button>
  )
}

const mostOffered = 200

/** The world that the page shows. Another choice loads the page again. */
function WorldChooser() {
  useEffect(followWorlds, [])
  const ids = [...new Set([world, ...worlds.value.map(({ id }) => id)])].slice(0, mostOffered)
  const active = activity.value
  return (
    <div class="row world-chooser">
      <span
        class={`dot live ${isLive.value ? 'tone-succeeded' : 'tone-failed'}`}
        role="img"
        aria-label={isLive.value ? 'Live' : 'Not connected'}
        title={isLive.value ? 'Live: changes appear as they happen' : 'Not connected: trying again'}
      />
      {active.size > 0 && (
        <a
          class="pill tone-running"
          href={to('world', 'worlds')}
          title={[...active].map(([id, count]) => `${id}: ${counted(count, 'new request')}`).join('\n')}
        >
          {active.size} active<span class="unseen"> in other worlds</span>
        </a>
      )}
      <Select
        label="World"
        value={world}
        options={ids.map(id => [id, active.has(id) ? `${id} (${active.get(id)} new)` : id] as const)}
        choose={openWorld}
        onFocus={() => void readWorlds()}
      />
    </div>
  )
}

const Reading = () => <Empty title="Reading the page …" />

/** A component whose code the browser fetches when it is first shown; `Meanwhile` is shown until the code has come. */
function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile: ComponentType = Reading,
): (props: P) => JSX.Element {
  const loaded = signal<ComponentType<P> | 'failed' | undefined>(undefined)
  return function Lazy(props: P) {
    const Part = loaded.value
    useEffect(() => {
      if (typeof Part === 'function') return
      load().then(
        part => (loaded.value = part),
        () => (loaded.value = 'failed'),
      )
    }, [])
    if (Part === undefined) return <Meanwhile />
    return Part === 'failed' ? <Failed /> : <Part {...props} />
  }
}

/**
 * The emulator does not answer, or another version of it runs now. Browsers do not fetch a script again that failed once, so the
 * page is loaded again when the emulator is back.
 */
function Failed() {
  const wasLost = useRef(isLost.value)
  useEffect(() => {
    if (isLost.value) wasLost.current = true
    else if (wasLost.current && isLive.value) location.reload()
  }, [isLost.value, isLive.value])
  if (isLost.value || wasLost.current)
    return (
      <Empty title="This part of the page could not be loaded">
        <p>The emulator does not answer. The page is loaded again as soon as it does.</p>
      </Empty>
    )
  return (
    <Empty title="This part of the page could not be loaded">
      <p>Another version of the emulator may be running now.</p>
      <Button act={() => location.reload()}>Load the page again</Button>
    </Empty>
  )
}
