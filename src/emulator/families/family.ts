import type { Recipe } from '../../media/index.ts'
import type { Fault, FaultError } from '../faults/fault.ts'
import type { Schema } from '../http/validate.ts'
import type { Endpoint } from '../pipeline/endpoint.ts'
import type { Span } from '../tasks/admission.ts'
import type { Random } from '../worlds/random.ts'
import type { Status, Task, TaskError } from '../worlds/task.ts'
import type { Maker } from './order.ts'

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
  findsBy?: 'list' | 'external_id'
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

/** What a comparison of recorded requests with the emulator must know of a family. A part that is absent says that the family has none. */
export interface Recorded {
  /** By operation: values that the service chooses when a request leaves them open. */
  choices?: Readonly<Record<string, readonly Choice[]>>
  /** Kinds of tasks whose shape and length do not follow from their request. */
  undecided?: readonly string[]
  /** Lists of other things than tasks that the account made. */
  otherLists?: readonly string[]
  /** The kind of a task, by a record of it, where the operation does not say it. */
  kindOf?(record: unknown): string | undefined
  /** The status with which DELETE refuses a task that has not ended, and the states in which it does. */
  refusesDelete?: { status: number; live: readonly ('queued' | 'running')[] }
  /** The neutral id of the model that an unknown name most likely means. */
  modelLike?(name: string): string
  /** The assumption by which an empty string counts as not sent. */
  emptyIsUnset?: string
  /** Where a record has the seconds after which an unfinished task expires, and the rows that say so. */
  expiry?: { field: string; rows: readonly string[] }
  /** True when the setting `links` decides how long its links live. */
  hasRelayedLinks?: true
}

/** A value that the service chooses. */
export interface Choice {
  /** Where the request asks for it. */
  asked: string
  /** The values that leave it to the service, besides null; undefined when it may be left out. */
  open: readonly unknown[]
  /** The modes in which the service chooses; in others an input decides. */
  modes: readonly string[]
  /** Where the reply to a query shows it. */
  told: string
}

/* Family A and the images emulate the same upstream service. Their messages are the same; each has its own error body. */

/** The message of a failed task when the scenario gives no reason. */
export const standardFailure = 'The service encountered an unexpected internal error.'

export type UpstreamWire = readonly [status: number, code: string]

/** HTTP status and code for each fault. Where the specification is silent, upstream's values. */
export const upstreamWire: Readonly<Record<Fault, UpstreamWire>> = {
  invalid_parameter: [400, 'InvalidParameter'],
  missing_parameter: [400, 'MissingParameter'],
  invalid_json: [400, 'InvalidParameter'],
  invalid_content_type: [400, 'InvalidParameter'],
  unknown_model: [400, 'InvalidParameter.UnknownModel'],
  unauthenticated: [401, 'AuthenticationError'],
  forbidden_model: [403, 'AccessDenied'],
  moderated: [403, 'InputTextSensitiveContentDetected'],
  insufficient_balance: [403, 'AccountOverdueError'],
  not_found: [404, 'ResourceNotFound'],
  method_not_allowed: [405, 'MethodNotAllowed'],
  not_operable: [409, 'InvalidAction'],
  not_implemented: [501, 'NotImplemented'],
  too_large: [413, 'RequestTooLarge'],
  rate_limited: [429, 'AccountRateLimitExceeded'],
  unavailable: [503, 'ServiceUnavailable'],
  internal: [500, 'InternalServiceError'],
}

/** The form seen upstream: "02", the time in milliseconds, then hex digits. */
export function requestId(random: Random, nowMs: number): string {
  return `02${nowMs}${random.hex(35)}`
}

/** Upstream's message for a fault, without the request id at its end. */
export function messageOf({
  fault,
  detail: { param, reason = '' },
}: Pick<FaultError, 'fault' | 'detail'>): string {
  const because = reason && `: ${reason}`
  const invalid = `${param ? `The parameter \`${param}\`` : 'A parameter'} specified in the request is not valid${because}.`
  const messages: Readonly<Record<Fault, string>> = {
    invalid_parameter: invalid,
    unknown_model: invalid,
    missing_parameter: `The request failed because it is missing ${param ? `\`${param}\`` : 'a'} parameter.`,
    invalid_json: `The request body is not a valid JSON object${because}.`,
    invalid_content_type: `The header \`${param || 'Content-Type'}\` is not valid${because}.`,
    unauthenticated: `The API key in the request is missing or invalid${because}.`,
    forbidden_model: `Access denied${because}.`,
    moderated: reason
      ? `The request was refused by content moderation: ${param ? `the parameter \`${param}\`: ` : ''}${reason}.`
      : 'The request was refused by content moderation because the input may contain sensitive information.',
    insufficient_balance: `The account's balance does not suffice${because}.`,
    not_found: reason ? `${reason}.` : 'The requested resource was not found.',
    method_not_allowed: `The method is not allowed on this path${because}.`,
    not_operable: `${reason || 'The action is not possible'}.`,
    not_implemented: `${reason || 'The operation is not implemented'}.`,
    too_large: `The request body is too large${because}.`,
    rate_limited: `The account's rate limit was exceeded${because}. Please try again later.`,
    unavailable: 'The service is temporarily unavailable. Please try again later.',
    internal: reason ? `The service encountered an internal error${because}.` : standardFailure,
  }
  return messages[fault]
}
