import type { ComponentChildren } from 'preact'
import { lazy } from '../parts/lazy.tsx'
import { TasksPage } from '../tasks/tasks-page.tsx'
import type { PageName } from './page-names.ts'

const TaskPage = lazy(async () => (await import('../task/task-page.tsx')).TaskPage)
const RequestsPage = lazy(async () => (await import('../requests/requests-page.tsx')).RequestsPage)
const TracePage = lazy(async () => (await import('../trace/trace-page.tsx')).TracePage)
const ScenariosPage = lazy(async () => (await import('../scenarios/scenarios-page.tsx')).ScenariosPage)
const PlaygroundPage = lazy(async () => (await import('../playground/playground-page.tsx')).PlaygroundPage)
const DocsPage = lazy(async () => (await import('../docs/docs-page.tsx')).DocsPage)
const WorldPage = lazy(async () => (await import('../world/world-page.tsx')).WorldPage)
const ConnectPage = lazy(async () => (await import('../connect/connect-page.tsx')).ConnectPage)
const ReportsPage = lazy(async () => (await import('../reports/reports-page.tsx')).ReportsPage)

/** The content of each page; `item` is what is open on it. All pages but the first are loaded when they are first shown. */
export const pages: Readonly<Record<PageName, (item: string | undefined) => ComponentChildren>> = {
  tasks: item => (item === undefined ? <TasksPage /> : <TaskPage key={item} id={item} />),
  requests: item => <RequestsPage item={item} />,
  trace: item => <TracePage key={item} task={item} />,
  scenarios: item => <ScenariosPage item={item} />,
  playground: item => <PlaygroundPage item={item} />,
  world: item => <WorldPage panel={item} />,
  connect: item => <ConnectPage item={item} />,
  reports: item => <ReportsPage item={item} />,
  docs: item => <DocsPage item={item} />,
}
