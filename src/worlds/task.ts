/** The names of all media faults. */
export const mediaFaultKinds = [
  'truncated',
  'empty',
  'corrupt',
  'wrong_type',
  'missing_url',
  'link_expired',
  'link_exhausted',
  'slow',
  'stall',
] as const

export type MediaFaultKind = (typeof mediaFaultKinds)[number]

/** The fault of a task's files, decided at admission. */
export interface MediaFault {
  kind: MediaFaultKind
  /** Bytes per second for `slow`; the fraction 0..1 after which a `stall` stops. */
  value?: number
}

/** The emulator's names for the states of a task; each family's `present.ts` maps them to its own. */
export const statuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const
export type Status = (typeof statuses)[number]

export interface TaskError {
  code: string
  message: string
}

export type Outcome =
  | { kind: 'succeeded' }
  | ({ kind: 'failed' } & TaskError)
  | { kind: 'cancelled' }
  | { kind: 'never' }

/** The future of a task, decided once at admission, in absolute virtual milliseconds. */
export interface Plan {
  /** The rate-limit slot that the task waits for; absent when it started at once. */
  slotAt?: number
  startsAt: number
  endsAt: number
  expiresAt?: number
  /** From this moment the public API no longer finds the record, if the task has started. */
  goneAt?: number
  outcome: Outcome
}

/** A later action of a caller on a task. Facts are only appended. */
export type Fact =
  | { kind: 'cancelled'; at: number }
  | { kind: 'deleted'; at: number }
  | { kind: 'forced'; at: number; status: Exclude<Status, 'queued'>; error?: TaskError }
  | { kind: 'link_expired'; at: number }

/** The state of a task at a moment. */
export interface View {
  status: Status
  /** The virtual moment it took this status. */
  since: number
  error?: TaskError
  /** Set when its record was removed or lost: the public API no longer finds it. */
  deletedAt?: number
}

/** The price of a task, in credits: the amount reserved at admission, and the true price on success. */
export interface Charge {
  reserved: number
  settled: number
}

/** One piece of asynchronous work (an image task is finished when it is made). Never changed in place: a new fact makes a new value. */
export interface Task {
  readonly id: string
  readonly family: string
  /** The operation that made it, without `.create`: `a`, `c.enhance`, `k.avatar`, … */
  readonly kind: string
  readonly account: string
  /** As the caller spelled it. */
  readonly model: string
  readonly createdAt: number
  readonly requestId: string
  /** The request as received, as JSON text, media digested, prompt tags taken out. */
  readonly request: string
  /** Keys of the request that the emulator ignored. */
  readonly unread?: readonly string[]
  /** What the family resolved from the request. Replies and recipes are made from it. */
  readonly job: unknown
  /** The task's own seed, drawn from the world's. */
  readonly seed: number
  readonly plan: Plan
  readonly facts: readonly Fact[]
  readonly charge: Charge
  readonly media?: MediaFault
  /** A name given by a scenario rule, for later rules to refer to. */
  readonly label?: string
  /** `scenario/rule` that shaped it, for the story. */
  readonly rule?: string
  /** Sentences for the story, such as "input was not fetched". */
  readonly notes?: readonly string[]
  /** The name that the caller gave it (family K). */
  readonly externalId?: string
}
