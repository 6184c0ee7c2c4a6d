import type { FailureRow } from './failure.ts'
import type { Operation } from './operation.ts'

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

/** Where a DELETE is refused while the task runs. */
const whileRunning: Readonly<Record<string, string>> = {
  'a.delete': 'A-delete',
  'c.delete': 'Spec, "States and transitions"',
  'special.delete': 'Spec, "Errors" 5',
}
export const deleteRefused: Source = ({ id }) => whileRunning[id]

/** For family C-special 403 and 404 are declared for every operation, also for those that name no task (C-special-access). */
export const noAccess: Source = operation =>
  operation.family === 'special' && !namesTask(operation) ? documented(404)(operation) : undefined

const namesTask = ({ id, isPoll }: Operation) => isPoll || id.endsWith('.delete')

/** Family K answers 4xx for a task that it does not find (K-not-found). */
export const unknownTask: Source = operation =>
  (namesTask(operation) ? documented(404)(operation) : undefined) ??
  (operation.family === 'k' && operation.isPoll ? 'K-not-found' : undefined)

/** Upstream services may need a moment until a new task can be queried. */
export const newTask: Source = operation => (operation.isPoll ? unknownTask(operation) : undefined)

/** A whole service that is unavailable for a time, for the calls that make tasks and ask for them. */
export const outage: Source = ({ isQuery, makesTask, family }) =>
  isQuery || makesTask || family === 'image' ? 'network' : undefined

/** Every service may answer with these statuses; only the table for images lists them. */
export const serverError =
  (status: number): Source =>
  operation =>
    documented(status)(operation) ?? 'network'

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
