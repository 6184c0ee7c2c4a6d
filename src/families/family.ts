import type { Endpoint, Schema } from '../http/endpoint.ts'
import type { ApiError } from '../http/errors.ts'
import type { Recipe } from '../media/recipe.ts'
import type { Status, Task, TaskError } from '../tasks/task.ts'
import type { Random } from '../worlds/random.ts'
import type { Maker } from './order.ts'

/** The operation of calls that the control API makes on behalf of a client. */
export const controlMade = 'control.create'

/** How one family says on the wire that something went wrong. */
export interface Dialect {
  /** Status and body for a refusal. `request` may lack parts when the refusal came early. */
  error(error: ApiError, request: { requestId: string }): { status: number; body: unknown }
  /** The form of the family's request ids. */
  requestId(random: Random, nowMs: number): string
  /** The shape that every error body of the family has. */
  errorSchema: Schema
}

/** A group of endpoints that share a wire dialect and a namespace of tasks. */
export interface Family {
  id: string
  title: string
  endpoints: readonly Endpoint[]
  dialect: Dialect
  /** The family's own word for each status that its machine has; a status without a word does not exist there. */
  words(task: Pick<Task, 'kind'>): Readonly<Partial<Record<Status, string>>>
  /** Statuses that only a queued task takes, never one that runs. */
  fromQueueOnly?: readonly Status[]
  /**
   * What makes a task of each kind from a call. `POST /__emulator/tasks` asks them too, with the operation `controlMade`,
   * a body that fits the create's schema when there is one, and `{}` when the caller gave no request.
   */
  makers: Readonly<Record<string, Maker>>
  /** The default fields of a failure, for a scenario or caller that gives only some of them. */
  failure(error: Partial<TaskError>): TaskError
  /** The files that a succeeded task offers, by name (`video`, `last_frame`, …). */
  outputs(task: Task): Readonly<Record<string, Recipe>>
  /** Rules on links to its files, where they differ from those of the settings. */
  links(task: Task): LinkRules
}

/** How long and how often a result link works. */
export interface LinkRules {
  lifeMs?: number
  maxDownloads?: number
}
