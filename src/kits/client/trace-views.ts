import { dayMarked, type ScenarioThen } from '../../emulator/words.ts'
import type { Finding, RequestView } from './request-views.ts'
import type { StoryNext, TaskCharge, TaskFailure, TaskHead, TaskPlan, TaskStatus } from './task-views.ts'

/** One run of clients, seen whole: what `GET /trace` gives. Moments are virtual time, ISO 8601. Wall times are milliseconds since the emulator started. */
export interface Trace {
  /** The version of this document. */
  version: 1
  /** The world. */
  world: string
  /** The moment of the document. */
  now: string
  /** The same in wall time. */
  wall_ms: number
  /** How the clock of the world moves. */
  clock: string
  /** Calls that belong together, in the order of their first calls. */
  attempts: TraceAttempt[]
  /** Tasks that these calls are about, or that were made or changed meanwhile; oldest first. */
  tasks: TraceTask[]
  /** What happened besides calls, in order. */
  events: TraceEvent[]
  /** What clients should not have done, at the moment when it became true. */
  findings: TraceFinding[]
  /** Requests whose reply is not complete yet, oldest first. */
  open: TraceOpen[]
  /** What is missing: journal entries that were dropped because the journal was full, or the middle of a long attempt in a report of explore. */
  incomplete?: string
}

/** The trace of an explored run, as its page keeps it. */
export interface ExploredTrace extends Trace {
  /** The command that explores the same program, before and after the name of the call to break. */
  explored?: { before: string; after: string }
}

/** Calls that belong together: one operation with one body after refusals and broken replies, polls of one task, or reads of one file. */
export interface TraceAttempt {
  /** An operation id such as `a.create`. */
  operation: string
  /** The task that these calls are about. */
  task_id?: string
  /** In order; at least one. */
  calls: TraceCall[]
}

/** One request and its reply. */
export interface TraceCall {
  /** Its number in the world's journal. */
  id: number
  /** `X-Request-Id` of the reply. */
  request_id: string
  /** When it came. */
  at: string
  /** The same in wall time. */
  wall_ms: number
  /** When the reply began; absent when nothing was sent. */
  first_byte_at?: string
  /** The same in wall time. */
  first_byte_wall_ms?: number
  /** When the reply ended; null while it is sent. */
  ended_at: string | null
  /** The same in wall time. */
  ended_wall_ms: number | null
  /** The HTTP method. */
  method: string
  /** Path and query; signatures are masked. */
  path: string
  /** The account of its key; null when the key was refused. */
  account: string | null
  /** Which key of the account: the label after its colon. Absent for a key without one. */
  key_label?: string
  /** Which service of the system sent it, in a world that was opened with `services`; absent when nobody known did. */
  service?: string
  /** The HTTP status of the reply; 0 when the request was lost. */
  status: number
  /** Set when the client could not use the reply. */
  broken?: NonNullable<RequestView['broken']>
  /** True when the client closed the connection before the reply was complete, and nothing had broken it. */
  client_left?: true
  /** What acted on it, in words. */
  acted?: string
  /** The rule, prompt tag or injection that acted. */
  rule?: string
  /** What acted, as a rule's `then`; durations are as they were drawn. */
  effect?: ScenarioThen
  /** False when it was refused before rules could count it as a call. */
  counted?: false
  /** Which call of its operation it is, counted from 1 since the world was opened, reset or restored, or the emulator was started. */
  nth?: number
  /** The neutral name of a refusal, such as `rate_limited`. */
  fault?: string
  /** The parameter that a refusal is about. */
  param?: string
  /** The wait that the reply before it asked for (`Retry-After`), and how long the client waited: in virtual or in wall time, whichever is longer, without what polls between have skipped. */
  wait?: {
    /** Seconds asked for. */
    asked_s: number
    /** Seconds waited. */
    kept_s: number
  }
  /** The tasks that it is about. */
  task_ids?: readonly string[]
  /** The trace id of its `traceparent`. */
  trace_id?: string
  /** Bytes of a file that were sent. */
  bytes?: number
  /** The request, as the journal shows it. */
  request: RequestView['request']
  /** The reply, as the journal shows it. */
  response: RequestView['response']
}

/** Something that happened besides calls. */
export interface TraceEvent {
  /** When. */
  at: string
  /** The same in wall time, where it is known. */
  wall_ms?: number
  /** `state`: a task changed. `links_open`, `links_end`: its links. `money`: a charge. The others are calls of the control API: `by_hand` of a person or a test, `by_program` of an explored program in virtual time, `by_explore` of explore itself. */
  kind: 'state' | 'links_open' | 'links_end' | 'money' | 'by_hand' | 'by_program' | 'by_explore'
  /** What happened, in a sentence. */
  text: string
  /** The task that it is about. */
  task_id?: string
  /** The request that caused it. */
  request_id?: string
  /** The call of the control API, and the journal entry before it. Only for `by_hand`, `by_program` and `by_explore`. */
  action?: {
    /** Method and path of the control API, such as `POST /clock/advance`. */
    call: string
    /** Its body. */
    body: unknown
    /** The parameters of its path. */
    params?: Readonly<Record<string, string>>
    /** The number of the last request before it. */
    after: number
    /** By how much virtual time moved, ms. */
    moved_ms: number
    /** True when a program in virtual time slept or waited. */
    slept?: true
  }
}

/** A finding of the trace. */
export interface TraceFinding extends Omit<Finding, 'kind'> {
  /** As in `GET /findings`. */
  kind: string
}

/** A request whose reply is not complete. */
export interface TraceOpen {
  /** The id that its reply has. */
  request_id: string
  /** An operation id. */
  operation: string
  /** The HTTP method. */
  method: string
  /** Path and query; signatures are masked. */
  path: string
  /** The task that it is about. */
  task_id?: string
  /** When it came. */
  at: string
  /** The same in wall time. */
  wall_ms: number
  /** How long it has been open, wall milliseconds. */
  for_ms: number
  /** `handled`: the reply has not begun; a file is being rendered. `held_back`: a scenario delays the reply or gives none. `sent`: the reply has begun. */
  state: 'handled' | 'held_back' | 'sent'
  /** The same in words, such as "its file renders". */
  text: string
  /** Bytes of its file that were sent. */
  bytes_sent?: number
}

/** Which part of a run `trace` returns; all given properties must hold. */
export interface TraceFilter {
  /** Only later calls: ISO 8601, epoch milliseconds, or the number of an entry. */
  since?: string | number
  /** Only what belongs to this task, with the refused creates before it. */
  task?: string
  /** A trace id (32 hexadecimal digits) or a whole `traceparent`: only calls that carried it. */
  trace_id?: string
}

/** A task in a trace. */
export interface TraceTask extends Omit<TaskHead, 'state'> {
  /** Its present state in the emulator's word; absent in traces of earlier versions. */
  state?: TaskStatus
  /** The first 160 characters of its prompt. */
  prompt: string
  /** `X-Request-Id` of the request that made it. */
  request_id: string
  /** The body of that request without prompt tags, as the journal shows it. */
  request: unknown
  /** Its states in the family's words; `deleted` when a caller removed its record, `gone` when the plan loses it. */
  states: {
    /** The state. */
    status: string
    /** The same in the emulator's word; absent in traces of earlier versions. */
    state?: TaskStatus | 'deleted'
    /** When it takes it. */
    at: string
    /** True when it lies in the future. */
    planned?: true
    /** True when a person or test set it through the control API. */
    forced?: true
  }[]
  /** Its links. A link ends at `expires_at`. */
  links: {
    /** `video`, `last_frame`, … */
    output: string
    /** When it works first. */
    opens_at: string
    /** When it ends. */
    expires_at: string
    /** How often it was opened. */
    downloads: number
    /** How often it may be opened. */
    max_downloads?: number
    /** True while the task has not succeeded yet. */
    planned?: true
    /** True when it was ended through the control API. */
    ended_by_hand?: true
  }[]
  /** Its charges, in credits. */
  money: TaskCharge[]
  /** When its state changes next by itself, and to what; absent when it does not. */
  next?: {
    /** When. */
    at: string
    /** The state. */
    status: string
  }
  /** What was planned when it was made. */
  plan: TaskPlan
  /** Set when it failed. */
  error?: TaskFailure
  /** What is wrong with its files, in the words of the scenario language. */
  media_rule?: unknown
  /** `scenario/rule` that shaped it. */
  rule?: string
  /** A name given by a scenario rule. */
  label?: string
  /** True when the control API made it. */
  made_by_hand?: true
}

/** A trace as lines, in virtual time: calls, events and findings in order, then open requests. On a still clock the journal decides. */
export function traceText({ attempts, events, findings, open }: Trace): string {
  const calls = attempts.flatMap(({ operation, calls }) => calls.map(call => ({ ...call, operation })))
  const lines = [
    ...calls.map(call => ({ at: call.at, place: call.id, text: `${call.operation}  ${callText(call)}` })),
    ...events.map(event => ({
      at: event.at,
      place: placeOf(event, calls),
      text: `${event.kind}  ${event.task_id ? `${event.task_id}: ` : ''}${event.text}`,
    })),
    ...findings.map(({ at, kind, text }) => ({ at, place: Infinity, text: `finding  ${kind}: ${text}` })),
  ].sort((a, b) => a.at.localeCompare(b.at) || a.place - b.place || 0)
  const waiting = open.map(
    ({ operation, path, text, for_ms }) =>
      `open          ${operation}  ${path.split('?', 1)[0]}: ${text}, for ${(for_ms / 1000).toFixed(1)} s`,
  )
  return [...dayMarked(lines), ...waiting].join('\n')
}

/** The place of an event among the calls of its moment: after the call that caused it, else before all of them, since they meet what time has changed. */
function placeOf({ request_id, action }: TraceEvent, calls: readonly TraceCall[]): number {
  if (action) return action.after + 0.5
  const cause = calls.find(call => call.request_id === request_id)
  return cause ? cause.id + 0.1 : -1
}

/** A call as a line without its moment. */
function callText(call: TraceCall): string {
  const { method, path, status, fault, param, broken, client_left, acted, wait, key_label, service } = call
  const reply = status === 0 ? 'no reply' : `${status}${param ? ` (${fault}: ${param})` : ''}`
  return [
    `${method} ${path.split('?', 1)[0]} -> ${reply}`,
    key_label && `key ${key_label}`,
    service && `service ${service}`,
    broken && `broken: ${broken}`,
    client_left && 'the client left',
    acted,
    wait && `waited ${wait.kept_s} s of ${wait.asked_s} s asked`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** What comes next for a task, in a sentence. `length` writes a time from `now` (epoch ms) on. */
export function nextText(
  { status, state, changes, reason, links }: StoryNext,
  now: number,
  length: (ms: number) => string,
): string {
  const steps = changes.flatMap(({ at_ms, status: to }) =>
    at_ms > now ? `${to === 'gone' ? 'its record is gone' : `becomes ${to}`} in ${length(at_ms - now)}` : [],
  )
  if (state === 'deleted') return 'nothing: its record was removed'
  if (steps.length > 0) return `${steps.join(', then ')}, ${reason}`
  if (state === 'queued' || state === 'running') return `nothing: it stays "${status}", ${reason}`
  const final = `nothing: it is "${status}", which is final`
  if (!links) return final
  if (links.end_ms <= now) return `${final}; its links have expired, and nothing renews them`
  const left = length(links.end_ms - now)
  return links.read
    ? `${final}; its links work for another ${left}`
    : `${final}; no client has read its links yet; they end in ${left}`
}
