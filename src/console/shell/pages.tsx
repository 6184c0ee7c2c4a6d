import type { ComponentChildren } from 'preact'
import { lazy } from '../parts/lazy.tsx'
import { TasksPage } from '../tasks/tasks-page.tsx'

export interface Page {
  name: string
  title: string
  /** Gives the page, with what is open on it. */
  show: (item: string | undefined) => ComponentChildren
}

const TaskPage = lazy(async () => (await import('../task/task-page.tsx')).TaskPage)
const RequestsPage = lazy(async () => (await import('../requests/requests-page.tsx')).RequestsPage)
const ScenariosPage = lazy(async () => (await import('../scenarios/scenarios-page.tsx')).ScenariosPage)
const PlaygroundPage = lazy(async () => (await import('../playground/playground-page.tsx')).PlaygroundPage)
const DocsPage = lazy(async () => (await import('../docs/docs-page.tsx')).DocsPage)
const WorldPage = lazy(async () => (await import('../world/world-page.tsx')).WorldPage)
const ConnectPage = lazy(async () => (await import('../connect/connect-page.tsx')).ConnectPage)
const ReportsPage = lazy(async () => (await import('../reports/reports-page.tsx')).ReportsPage)

/** The pages, in the order of the navigation. All but the first are loaded when they are first shown. */
export const pages: readonly Page[] = [
  {
    name: 'tasks',
    title: 'Tasks',
    show: item => (item === undefined ? <TasksPage /> : <TaskPage key={item} id={item} />),
  },
  { name: 'requests', title: 'Requests', show: item => <RequestsPage item={item} /> },
  { name: 'scenarios', title: 'Scenarios', show: item => <ScenariosPage item={item} /> },
  { name: 'playground', title: 'Playground', show: item => <PlaygroundPage item={item} /> },
  { name: 'world', title: 'World', show: item => <WorldPage panel={item} /> },
  { name: 'connect', title: 'Connect', show: item => <ConnectPage item={item} /> },
  { name: 'reports', title: 'Reports', show: () => <ReportsPage /> },
  { name: 'docs', title: 'API docs', show: item => <DocsPage item={item} /> },
]
