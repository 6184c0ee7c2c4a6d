import type { shippedNames } from '../../emulator/gateway.ts'
import type { MediaEffect } from '../../emulator/ground.ts'
import type { familyIds, operations } from '../../emulator/words.ts'

/** The emulator's words for the states of a task; each family has its own (`SUCCEEDED`, `succeed`, …). */
export type TaskStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/** The error of a failed task, in the form of its family. */
export interface TaskFailure {
  /** Such as `InternalServiceError`. */
  code: string
  /** A sentence. */
  message: string
}

/** What every view of a task begins with. */
export interface TaskHead {
  /** As the family's create returns it. */
  id: string
  /** The family of its kind. */
  family: OrText<FamilyId>
  /** The operation that made it, without `.create`: `a`, `c.enhance`, `k.avatar`, … */
  kind: OrText<TaskKind>
  /** The account that it belongs to. */
  account: string
  /** As the request wrote it. */
  model: string
  /** Its present state in the family's word. */
  status: OrText<StatusWord>
  /** The same in the emulator's word. */
  state: TaskStatus
}

/** A task with request, plan, facts, state, time line, charges and media. Moments are virtual time, ISO 8601. */
export interface TaskView extends TaskHead {
  /** When it was made. */
  created_at: string
  /** When it took its present state. */
  updated_at: string
  /** `X-Request-Id` of the request that made it. */
  request_id: string
  /** The body of that request; media are replaced by their digests, prompt tags are taken out. */
  request: unknown
  /** Fields of the request that are ignored. */
  unread?: readonly string[]
  /** What the family made of the request. Its fields differ by family and may change between versions. */
  job: unknown
  /** The seed of the task; its pictures and length follow from it. */
  seed: number
  /** What will happen to it, decided when it was made. */
  plan: TaskPlan
  /** Actions of callers on it, oldest first. */
  facts: TaskFact[]
  /** Its present state. */
  view: {
    /** In the family's word. */
    status: OrText<StatusWord>
    /** Since when. */
    since: string
    /** Set when it failed. */
    error?: TaskFailure
  }
  /** When its record was removed or lost. */
  deleted_at?: string
  /** The states that it can still take, in the family's words, also by `force`; empty when its record was removed. */
  can_become: OrText<StatusWord>[]
  /** The same in the emulator's words, in the same order. */
  can_become_states: TaskStatus[]
  /** When its state changes next by itself; null = never. */
  next_change_at: string | null
  /** All its states in the family's words, past and planned, oldest first. */
  timeline: TaskChange[]
  /** What was charged for it up to now, in credits. */
  charges: TaskCharge[]
  /** Its files; empty until it has succeeded. */
  media: TaskFile[]
  /** What is wrong with its files, when a scenario or tag breaks them. */
  media_fault?: TaskFileFault
  /** The same in the words of the scenario language. */
  media_rule?: unknown
  /**
   * The rules that can act on coming downloads of its files and have not done so, in the order in which they are tried; absent when
   * there are none.
   */
  coming_downloads?: ComingDownloads[]
  /** A name given by a scenario rule. */
  label?: string
  /** `scenario/rule` that shaped it. */
  rule?: string
  /** Sentences about it, such as why an input was not fetched. */
  notes?: string[]
  /** The name that the caller gave it (family K). */
  external_id?: string
}

/** What is wrong with a file or its link. */
export interface TaskFileFault {
  /** Such as `truncated`. */
  kind: MediaEffect['kind']
}

/** A rule that can act on coming downloads of a task's files. It counts the downloads that fit it, also those of other tasks. */
export interface ComingDownloads {
  /** `scenario/rule`, or the id of a rule that acts once. */
  rule: string
  /** What it does to a download, in the words of the scenario language. */
  then: object
  /** The fault of the file or its link, if the rule gives one. */
  media_fault?: TaskFileFault
  /** The first download on which it can act; 1 is the next one. */
  first: number
  /** The last one; null = no end. */
  last: number | null
  /** It acts only on every nth download. */
  every?: number
  /** It acts only on downloads from this virtual moment on, epoch ms. */
  from_ms?: number
  /** It acts only on downloads before this virtual moment, epoch ms. */
  until_ms?: number
  /** It acts only by this chance, from 0 to 1. */
  chance?: number
  /** It acts only on requests with certain values in these headers. */
  headers?: string[]
}

/** One charge for a task; moments are virtual time, ISO 8601. */
export interface TaskCharge {
  /** When it was charged. */
  at: string
  /** Reserved when the task is made; settled when it succeeds; refunded when it does not. */
  kind: 'reserved' | 'settled' | 'refunded'
  /** Credits. */
  amount: number
  /** The part of the reservation that is given back when the true price is lower. */
  released?: number
}

/** What will happen to a task, decided once when it is made, in absolute virtual time, ISO 8601. */
export interface TaskPlan {
  /** When it begins to run. */
  starts_at: string
  /** When it ends; null = never by itself. */
  ends_at: string | null
  /** When it expires; null where tasks do not expire. */
  expires_at: string | null
  /** From then on its record is lost. */
  gone_at?: string
  /** How it ends. */
  outcome: { kind: 'succeeded' | 'cancelled' | 'never' } | ({ kind: 'failed' } & TaskFailure)
}

/** An action of a caller on a task after it was made. */
export type TaskFact =
  | { kind: 'cancelled' | 'deleted' | 'link_expired'; at: string }
  | { kind: 'forced'; at: string; status: TaskStatus; error?: TaskFailure }

/** One entry of a task's time line. The first one has neither `from` nor `is_past`. */
export interface TaskChange {
  /** Virtual time, ISO 8601. */
  at: string
  /** The state before. */
  from?: string | undefined
  /** The state after, or `deleted`. */
  to: string | undefined
  /** The same in the emulator's word. */
  state: TaskStatus | 'deleted'
  /** Whether it has happened. */
  is_past?: boolean
}

/** A file of a succeeded task. */
export interface TaskFile {
  /** `video`, `last_frame`, `image-0`, …; the last part of `GET /__emulator/tasks/{id}/media/{name}`. */
  name: string
  /** Such as `mp4`. */
  ending: string
  /** Its result link; null when the reply has none. */
  url: string | null
  /** When the link expires, ISO 8601. */
  expires_at: string
  /** How often it was downloaded. */
  downloads: number
  /** How often it may be downloaded; null = no limit. */
  max_downloads: number | null
  /** The recipe of the file. Its fields may change between versions. */
  recipe: unknown
}

/** A task as one bar of a time line (`GET /tasks?detail=line`); moments are epoch milliseconds. */
export interface TaskLine extends TaskHead {
  /** The first 160 characters of its prompt. */
  prompt: string
  /** All its states, past and planned, in the emulator's word and the family's. */
  states: { at_ms: number; state: TaskStatus; word: string }[]
  /** When its state changes next by itself; null = never. */
  next_change_ms: number | null
  /** When its record was removed or lost; null = it is there. */
  deleted_at_ms: number | null
  /** When its links end, past or to come; absent for a task without links. */
  links_end_ms?: number
  /** What is wrong with its files, when a scenario or tag breaks them. */
  media_fault?: TaskFileFault
  /** Set when it failed. */
  error?: TaskFailure
  /** A name given by a scenario rule. */
  label?: string
  /** `scenario/rule` that shaped it. */
  rule?: string
}

/** What happened to a task, in order, and what comes next and why. */
export interface Story {
  /** The task. */
  task_id: string
  /** Oldest first; the last one says what comes next. */
  items: StoryItem[]
  /** The whole story as a log, one line an item. */
  text: string
  /** Which journal entries about the task were dropped because the journal was full. */
  incomplete?: string
}

/** One event in the life of a task. */
export interface StoryItem {
  /** Virtual time, ISO 8601. */
  at: string
  /** Virtual time, epoch milliseconds. */
  at_ms: number
  /** What kind of event it is. */
  kind:
    | 'request'
    | 'download'
    | 'transition'
    | 'charge'
    | 'rule'
    | 'links'
    | 'note'
    | 'removed'
    | 'finding'
    | 'open'
    | 'next'
  /** What happened, in a sentence. */
  text: string
  /** `X-Request-Id` of the requests that it is about. */
  request_ids?: string[]
  /** Trace ids of these requests, from their `traceparent`. */
  trace_ids?: string[]
  /** The HTTP status of the reply. */
  status?: number
  /** How many equal requests in a row it summarizes. */
  count?: number
  /** What comes next, as data; only for `next`. */
  next?: StoryNext
}

/** What comes next for a task. */
export interface StoryNext {
  /** Its present state in the family's word. */
  status: string
  /** The same in the emulator's word. */
  state: TaskStatus | 'deleted'
  /** Its changes to come, oldest first; `gone` when its record is lost. */
  changes: { at_ms: number; status: string }[]
  /** Why they come, and how the clock gets there, for people. */
  reason: string
  /** When its links end, and whether a client has read them; absent without links. */
  links?: { end_ms: number; read: boolean }
}

/** An operation of the emulated API. */
export type OperationId = (typeof operations)[number]

/** A family of the emulated API. */
export type FamilyId = (typeof familyIds)[number]

/** A scenario of the package. */
export type ShippedScenario = (typeof shippedNames)[number]

/** What a task is: the operation that makes it, without `.create`. */
export type TaskKind = KindOf<OperationId> | 'k.preset'

/** The kind of task that an operation makes; never for others. */
export type KindOf<Id extends OperationId> = Id extends `${infer Kind}.${'create' | 'generate'}`
  ? Kind
  : Extract<Id, `${string}.${'enhance' | 'regenerate'}`>

/** The family of a kind: `k` for `k.avatar`. */
export type FamilyOf<Kind extends TaskKind> = Kind extends `${infer Family}.${string}` ? Family : Kind

/** A state of a task in the words of the families. */
export type StatusWord =
  | TaskStatus
  | Uppercase<Exclude<TaskStatus, 'queued' | 'cancelled' | 'expired'>>
  | OwnWord

/** States that only one family names so: B, and K. */
export type OwnWord = 'PENDING' | 'CANCELED' | 'submitted' | 'processing' | 'succeed'

/** One of these words, which editors offer, or any other text: a pattern, or a name of your own. */
export type OrText<Word extends string> = Word | (string & {})
