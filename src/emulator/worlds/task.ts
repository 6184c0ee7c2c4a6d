import {
  accountName,
  amount,
  count,
  holding,
  id,
  measure,
  ms,
  record,
  requiredOf,
  text,
  type Value,
} from './record-values.ts'

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

/** The emulator's names for the states of a task; each family's `present.ts` maps them to its own. */
export const statuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const
export type Status = (typeof statuses)[number]

const errorFields = { code: text, message: text } as const
const errorSchema = record(errorFields)
export type TaskError = Value<typeof errorSchema>

export type Outcome =
  | { kind: 'succeeded' }
  | ({ kind: 'failed' } & TaskError)
  | { kind: 'cancelled' }
  | { kind: 'never' }

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

const outcomeSchema = holding<Outcome>({
  ...record({ kind: { enum: ['succeeded', 'failed', 'cancelled', 'never'] } }, errorFields),
  ...requiredOf('failed', 'code', 'message'),
})

const planSchema = record(
  { startsAt: ms, endsAt: ms, outcome: outcomeSchema },
  {
    expiresAt: ms,
    /** From this moment the public API no longer finds the record, if the task has started. */
    goneAt: ms,
    /** The rate-limit slot that the task waits for; absent when it started at once. */
    slotAt: ms,
  },
)

/** The future of a task, decided once at admission, in absolute virtual milliseconds. */
export type Plan = Value<typeof planSchema>

const factSchema = holding<Fact>({
  ...record(
    { kind: { enum: ['cancelled', 'deleted', 'forced', 'link_expired'] }, at: ms },
    { status: { enum: statuses.filter(status => status !== 'queued') }, error: errorSchema },
  ),
  ...requiredOf('forced', 'status'),
})

const chargeSchema = record({ reserved: amount, settled: amount })

/** The price of a task, in credits: the amount reserved at admission, and the true price on success. */
export type Charge = Value<typeof chargeSchema>

/** `value`: bytes per second for `slow`; the fraction 0..1 after which a `stall` stops. */
const mediaFaultSchema = record({ kind: { enum: mediaFaultKinds } }, { value: measure })

/** The fault of a task's files, decided at admission. */
export type MediaFault = Value<typeof mediaFaultSchema>

/** The schema of a task in data files and state documents. */
export const taskSchema = record(
  {
    id,
    family: id,
    /** The operation that made it, without `.create`: `a`, `c.enhance`, `k.avatar`, … */
    kind: id,
    account: accountName,
    /** As the caller spelled it. */
    model: text,
    createdAt: ms,
    requestId: id,
    /** The request as received, as JSON text, media digested, prompt tags taken out. */
    request: text,
    /** What the family resolved from the request. Replies and recipes are made from it. Its family has a schema for each kind of task. */
    job: holding<unknown>({ type: 'object' }),
    /** The task's own seed, drawn from the world's. */
    seed: count,
    plan: planSchema,
    facts: { type: 'array', maxItems: 100_000, items: factSchema },
    charge: chargeSchema,
  },
  {
    /** Keys of the request that the emulator ignored. */
    unread: { type: 'array', items: text },
    media: mediaFaultSchema,
    /** A name given by a scenario rule, for later rules to refer to. */
    label: text,
    /** `scenario/rule` that shaped it, for the story. */
    rule: text,
    /** Sentences for the story, such as "input was not fetched". */
    notes: { type: 'array', items: text },
    /** The name that the caller gave it (family K). */
    externalId: text,
  },
)

/** One piece of asynchronous work (an image task is finished when it is made). Never changed in place: a new fact makes a new value. */
export type Task = Readonly<Value<typeof taskSchema>>
