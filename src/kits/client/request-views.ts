import type { RequestEffect } from '../../emulator/ground.ts'
import type { ScenarioWhen } from '../../emulator/words.ts'
import type { OperationId, OrText, TaskStatus } from './task-views.ts'

/** A journal entry: one request of the emulated API and its reply. Keys and link signatures are masked. */
export interface RequestView {
  /** Its number in the world's journal, from 1. */
  id: number
  /** When it came, virtual time, ISO 8601. */
  at: string
  /** When it came, virtual time, epoch milliseconds. */
  at_ms: number
  /** The world that it reached. */
  world: string
  /** The account of its key; null when the key was refused. */
  account: string | null
  /** Which key of the account: the label after its colon. Absent for a key without one. */
  key_label?: string
  /** Which service of the system sent it, in a world that was opened with `services`; absent when nobody known did. */
  service?: string
  /** An operation id such as `a.create`, `media.download`, or `unknown`. */
  operation: string
  /** The HTTP method. */
  method: string
  /** Path and query. */
  path: string
  /** The HTTP status of the reply. */
  status: number
  /** `X-Request-Id` of the reply. */
  request_id: string
  /** How long the reply took, wall milliseconds. */
  duration_ms: number
  /** Headers by lower-case name; a JSON body is parsed, media in it are digested, and it is cut at 64 KiB. */
  request: { headers: Record<string, string>; body: unknown }
  /** The same for the reply. */
  response: { headers: Readonly<Record<string, string | number>>; body: unknown }
  /** The task that it is about. */
  task_id?: string | undefined
  /** The tasks that it is about, when there is more than one. */
  task_ids?: readonly string[]
  /** The state that its one task had then, in the emulator's word; absent for a refusal. */
  state?: TaskStatus
  /** The trace id of its `traceparent` header, 32 hexadecimal digits. */
  trace_id?: string
  /** `scenario/rule` that acted on it. */
  rule?: string
  /** The neutral name of the refusal, such as `rate_limited`. */
  fault?: string
  /** The parameter that a refusal is about, as callers write it: `content[1].image_url.url`. */
  param?: string
  /** What was done to the connection, in words for people. */
  connection?: string
  /** What was done to the connection and to the file, as data; absent when nothing was done. */
  effects?: readonly RequestEffect[]
  /** True when the client cannot have read the reply. */
  reply_lost?: boolean
  /** When it came, wall milliseconds since the emulator started. */
  started_ms: number
  /** What was done to the file of a download, in words for people. */
  media?: string
  /** True when a rule, and not the service, refused it. */
  scripted?: boolean
  /** How the reply is broken, whatever its status says; absent for a whole reply. */
  broken?: 'cut' | 'reset' | 'stalled' | 'empty' | 'wrong_type' | 'garbled'
  /** Fields of the body that are ignored. */
  unread?: readonly string[]
}

/** One request, or equal polls of one task, as a short row of a list: the facts of the newest. */
export interface RequestLine extends Omit<RequestView, 'request' | 'response'> {
  /** The first 160 characters of its prompt, or of that of its task. */
  prompt: string
  /** The name of the model that it sent, or the neutral one of its task. */
  model: string
  /** The numbers of all, newest first. */
  ids: readonly number[]
  /** From the first to the last, virtual milliseconds. */
  within_ms: number
}

/** Which requests `requests.list` returns; all given properties must hold. */
export interface RequestFilter {
  /** An operation id, or a glob such as `*.create`. */
  operation?: OrText<OperationId>
  /** The HTTP status of the reply. */
  status?: number
  /** Only later ones: ISO 8601, epoch milliseconds, or the number of an entry. */
  since?: string | number
  /** The id of a task: only requests about it. */
  task?: string
  /** A trace id (32 hexadecimal digits) or a whole `traceparent`: only requests that carried it. */
  trace?: string
  /** Words that each must be in it: request id, path, client, headers, the bodies, a name of the model; or a fact such as `status:4xx`, `op:a.create`, `account:shop`, `after:08:01`. */
  search?: string
  /** Only older ones: the number of an entry. */
  before?: number
  /** Only those that were refused, whose reply was broken, that a rule acted on, or that sent ignored fields. */
  kind?: 'refused' | 'broken' | 'rule' | 'unread'
  /** At most this many of the newest, 1 to 10,000; default 1000. */
  limit?: number
}

/** Selects requests: as `when` in scenario rules (without `probability`), and by `status` and `trace`. */
export type RequestMatcher = Omit<ScenarioWhen, 'probability'> & {
  /** The HTTP status of the reply. */
  status?: number
  /** A trace id (32 hexadecimal digits) or a whole `traceparent`. */
  trace?: string
}

/** Which requests must have come. Give `match`, `order` or both. */
export interface Verification {
  /** The requests to count. */
  match?: RequestMatcher
  /** How many of them; default: at least 1. Only with `match`. */
  count?: { exactly?: number; at_least?: number; at_most?: number }
  /** Requests that must be found in this order, others between them or not. */
  order?: RequestMatcher[]
}

/** What a verification found. */
export interface Verdict {
  /** Whether the requests came as expected. */
  ok: boolean
  /** How many came. */
  found: number
  /** What is wrong, in a sentence. */
  message?: string
  /** Which entries were dropped because the journal was full. `ok` is not true when they could change it. */
  incomplete?: string
  /** The numbers of the found requests. */
  requests: number[]
  /** At most 5 requests that nearly match, nearest first, and why each does not. */
  near_misses: { request: RequestView; reasons: string[] }[]
}

/** Something that a client does that works here and will fail or cost money with the real service. */
export interface Finding {
  /** What it is; `docs` and `GET /__emulator/findings` explain each. */
  kind:
    | 'polls_too_fast'
    | 'authorization_on_link'
    | 'retry_after_ignored'
    | 'unread_fields'
    | 'polls_after_end'
    | 'create_repeated'
    | 'created_again_while_running'
    | 'idempotency_ignored'
    | 'made_twice'
    | 'abandoned_task'
    | 'result_not_fetched'
    | 'polled_after_end'
    | 'task_type_guessed'
    | 'prompt_flags'
  /** When it became true, virtual time, ISO 8601. */
  at: string
  /** A sentence with the facts; of several alike, those of the first. */
  text: string
  /** How often it was found: of one kind, operation and manner. */
  count: number
  /** The task that the text is about. */
  task_id?: string
  /** `X-Request-Id` of the requests that show it, at most 100. */
  request_ids: string[]
}
