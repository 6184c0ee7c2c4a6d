import type { FailureRow } from './failure.ts'

/** Why an operation can have a failure; undefined when it cannot. */
export type Source = FailureRow['source']

/** For operations whose own line in the specification has the status. */
export const documented =
  (status: number): Source =>
  ({ documented: { statuses, source }, isDownload }) =>
    !isDownload && statuses.includes(status) ? source : undefined

/** Limits are per account, so a query can meet one, too, although most tables list 429 for creates only (A-limited-queries). */
export const limited: Source = operation =>
  documented(429)(operation) ?? (operation.isQuery ? 'A-limited-queries' : undefined)

/** The causes of 403 hold for every create, although some tables do not list the status. */
export const forbidden: Source = operation =>
  documented(403)(operation) ?? (operation.makesTask || operation.family === 'image' ? 'A-403' : undefined)

export const onCreates =
  (source: Source): Source =>
  operation =>
    operation.makesTask || operation.family === 'image' ? source(operation) : undefined

/** Family K answers 4xx for a task that it does not find (K-not-found). */
export const unknownTask: Source = operation =>
  documented(404)(operation) ?? (operation.family === 'k' && operation.isPoll ? 'K-not-found' : undefined)

/** Upstream services may need a moment until a new task can be queried. */
export const newTask: Source = operation => (operation.isPoll ? unknownTask(operation) : undefined)

/** A whole service that is unavailable for a time, for the calls that make tasks and ask for them. */
export const outage: Source = ({ isQuery, makesTask, family }) =>
  isQuery || makesTask || family === 'image' ? 'network' : undefined

/** Every service behind a gateway may answer with these statuses; only the table for images lists them. */
export const serverError =
  (status: number): Source =>
  operation =>
    operation.isDownload ? undefined : (documented(status)(operation) ?? 'network')

export const network: Source = () => 'network'
export const emulated: Source = ({ isDownload }) => (isDownload ? undefined : 'network')
export const tasks =
  (line: string): Source =>
  operation =>
    operation.makesTask ? line : undefined
export const among =
  (lines: Readonly<Record<string, string>>): Source =>
  ({ makesTask, family }) =>
    makesTask ? lines[family] : undefined
export const downloads =
  (line: string): Source =>
  ({ isDownload }) =>
    isDownload ? line : undefined

export const states = 'Spec, "States and transitions"'
export const linkRules = 'Spec, "Family A: task record", link rules'
