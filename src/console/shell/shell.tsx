import './shell.css'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { PlaygroundPage } from '../playground/playground-page.tsx'
import { RequestsPage } from '../requests/requests-page.tsx'
import { ScenariosPage } from '../scenarios/scenarios-page.tsx'
import { address, to } from '../store/address.ts'
import { TaskPage } from '../task/task-page.tsx'
import { TasksPage } from '../tasks/tasks-page.tsx'
import { WorldPage } from '../world/world-page.tsx'
import { ClockBar } from './clock-bar.tsx'
import { Notices } from './notices.tsx'
import { ThemeButton } from './theme-button.tsx'
import { WorldChooser } from './world-chooser.tsx'

interface Page {
  name: string
  title: string
  /** Gives the page, with what is open on it. */
  show: (item: string | undefined) => ComponentChildren
}

const pages: readonly Page[] = [
  {
    name: 'tasks',
    title: 'Tasks',
    show: item => (item === undefined ? <TasksPage /> : <TaskPage key={item} id={item} />),
  },
  { name: 'requests', title: 'Requests', show: item => <RequestsPage item={item} /> },
  { name: 'scenarios', title: 'Scenarios', show: item => <ScenariosPage item={item} /> },
  { name: 'playground', title: 'Playground', show: item => <PlaygroundPage item={item} /> },
  { name: 'world', title: 'World', show: item => <WorldPage panel={item} /> },
]

/** What stands around every page: the way to the others, the world, and its clock. */
export function Shell() {
  const { page, item } = address.value
  const current = pages.find(({ name }) => name === page) ?? pages[0]
  useEffect(() => {
    document.title = `${current?.title ?? ''} · Generation Gateway emulator`
  }, [current])
  return (
    <div class="shell">
      <button type="button" class="button skip" onClick={skip}>
        Skip to the page
      </button>
      <header class="top">
        <a class="brand" href={to('tasks')} aria-label="Generation Gateway emulator, tasks">
          <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="24" height="24" />
          <span>
            Gateway <span class="quiet">emulator</span>
          </span>
        </a>
        <nav aria-label="Pages">
          {pages.map(({ name, title }) => (
            <a key={name} href={to(name)} aria-current={name === current?.name ? 'page' : undefined}>
              {title}
            </a>
          ))}
          <a href="guide">Guide</a>
          <a href="docs">API docs</a>
        </nav>
        <div class="top-end">
          <WorldChooser />
          <ThemeButton />
        </div>
      </header>
      <main id="main" tabIndex={-1} aria-label={current?.title}>
        {current?.show(item)}
      </main>
      <ClockBar />
      <Notices />
    </div>
  )
}

function skip(): void {
  document.getElementById('main')?.focus()
}
