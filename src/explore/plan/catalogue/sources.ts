import { refusalBy } from '../../../emulator/gateway.ts'
import { factsOfFamily } from '../../../emulator/words.ts'
import type { FailureRow } from './failure.ts'
import type { Operation } from './operation.ts'

/** Why an operation can have a failure; undefined when it cannot. */
export type Source = FailureRow['source']

/** For operations of which any line has the status. */
export const refused =
  (status: number): Source =>
  ({ id, isDownload }) =>
    isDownload ? undefined : refusalBy(id, status)?.source

/** For operations of which a line of the specification has the status. */
export const documented =
  (status: number): Source =>
  operation =>
    refusalBy(operation.id, status)?.by === 'assumed' ? undefined : refused(status)(operation)

export const onCreates =
  (source: Source): Source =>
  operation =>
    operation.makesTask || operation.family === 'image' ? source(operation) : undefined

/** A DELETE while the task runs: each family has a status of its own. */
export const deleteRefused: Source = operation =>
  operation.id.endsWith('.delete')
    ? (refused(501)(operation) ?? refused(409)(operation) ?? refused(400)(operation))
    : undefined

/** For family C-special 403 and 404 are declared for every operation, also for those that name no task (C-special-access). */
export const noAccess: Source = operation => (namesTask(operation) ? undefined : documented(404)(operation))

const namesTask = ({ id, isPoll }: Operation) => isPoll || id.endsWith('.delete')

/** Family K answers 4xx for a task that it does not find (K-not-found). */
export const unknownTask: Source = operation =>
  (namesTask(operation) ? refused(404)(operation) : undefined) ??
  (operation.family === 'k' && operation.isPoll ? refused(400)(operation) : undefined)

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
/** For families whose tasks can have a status. */
export const endsAs =
  (status: 'cancelled' | 'expired'): Source =>
  ({ makesTask, family }) =>
    makesTask && factsOfFamily(family)?.words[status] ? states : undefined
/** For families that have a word for a task that is not found. */
export const unknownTasks: Source = ({ makesTask, family }) =>
  makesTask && factsOfFamily(family)?.unknownWord ? states : undefined
export const downloads =
  (line: string): Source =>
  ({ isDownload }) =>
    isDownload ? line : undefined

export const states = 'Spec, "States and transitions"'
export const linkRules = 'Spec, "Family A: task record", link rules'
