import type { Recipe } from '../../media/index.ts'
import type { FaultError } from '../faults/fault-error.ts'
import type { Schema } from '../http/validate.ts'
import type { Endpoint } from '../pipeline/endpoint.ts'
import type { Span } from '../tasks/admission.ts'
import type { Random } from '../worlds/random.ts'
import type { Status, Task, TaskError } from '../worlds/task.ts'
import type { Maker } from './order.ts'
import type { Recorded } from './recorded.ts'

/** The operation name of calls that the control API makes for a client. */
export const controlMade = 'control.create'

/** How a family writes errors on the wire. */
export interface Dialect {
  /** Status and body of a refusal. An early refusal knows only parts of the request. */
  error(error: FaultError, request: { requestId: string }): { status: number; body: unknown }
  /** The form of the family's request ids. */
  requestId(random: Random, nowMs: number): string
  /** The schema of the family's error bodies. */
  errorSchema: Schema
}

/** The words of a family that uses the emulator's own for its statuses. */
export function ownWords<const S extends Status>(...known: readonly S[]): Readonly<Record<S, string>> {
  return Object.fromEntries<string>(known.map(status => [status, status])) as Record<S, string>
}

export type Words = Readonly<Partial<Record<Status, string>>>

/** What other rooms know of a family: plain data, without code. Its refusals are in `src/emulator/scenarios/refusals.ts`. */
export interface FamilyFacts {
  id: string
  title: string
  /** Its models by neutral id. */
  models: Readonly<Record<string, object>>
  /** True when links of some models allow so many downloads only. */
  limitsDownloads?: boolean
  /** Its word for each status. A status without a word does not exist in the family. */
  words: Words
  /** The kinds of its tasks that have words of their own. */
  wordsOfKinds?: Readonly<Record<string, Words>>
  /** The word in the reply for a task that is not found, where it is no refusal. */
  unknownWord?: string
  /** The code of a task that failed because of its content. */
  contentCode?: string
  /** By what the specification lets a program find a task whose id it does not know. */
  findsBy?: 'list' | 'external id'
  /** Operations that make tasks whose result is in the reply itself. */
  fileless?: readonly string[]
  /** The family of which it is a variant: what is said of that one holds for it, too. */
  variantOf?: string
}

/** How an open request was read, and the same as a sentence. */
export interface Guess {
  reading: string
  text: string
}

/** A group of endpoints with one wire dialect and one namespace of tasks. */
export interface Family extends Omit<FamilyFacts, 'words'> {
  endpoints: readonly Endpoint[]
  dialect: Dialect
  /** The family's word for each status. A status without a word does not exist in the family. */
  words(task: Pick<Task, 'kind'>): Words
  /** Statuses that only a queued task can change to; a running task cannot. */
  fromQueueOnly?: readonly Status[]
  /**
   * Makes a task of each kind from a call. `POST /__emulator/tasks` uses these too: its calls have the operation `controlMade`
   * and a body that fits the create schema, or `{}` when the caller gave no request.
   */
  makers: Readonly<Record<string, Maker>>
  /** The schema of the stored job of each kind. A change of it raises the version of stored data (CONTRIBUTING, "Stored data"). */
  jobs: Readonly<Record<string, Schema>>
  /** Range of the run time for five seconds of 720p, virtual ms; `usualMs` when absent (A-run-times). */
  runsMs?: Span
  /** Fills in the code or message of a failure that a scenario or caller gives only in part. */
  failure(error: Partial<TaskError>): TaskError
  /** What could only be guessed about a task's request; undefined when the request was plain. */
  guess?(task: Task): Guess | undefined
  /** The files of a succeeded task, by name (`video`, `last_frame`, …). */
  outputs(task: Task): Readonly<Record<string, Recipe>>
  /** Rules for links to its files, where they differ from the settings. */
  links(task: Task): LinkRules
  recorded: Recorded
}

/** How long and how often a result link works. */
export interface LinkRules {
  /** True for a task whose reply has no links. */
  isNone?: boolean
  lifeMs?: number
  maxDownloads?: number
}
