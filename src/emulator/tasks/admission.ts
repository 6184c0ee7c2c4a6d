import { FaultError } from '../faults/fault.ts'
import { timeoutMs } from '../scenarios/effects/task.ts'
import type { Effects, TaskEffect } from '../scenarios/scenario.ts'
import { inRange } from '../worlds/clock.ts'
import { keptRequest } from '../worlds/digest.ts'
import { type Random, randomFor } from '../worlds/random.ts'
import type { Charge, Outcome, Plan, Task, TaskError } from '../worlds/task.ts'
import {
  type Account,
  countDraw,
  drawStream,
  indexTask,
  ownedBy,
  ownedByAccount,
  put,
  remove,
  type World,
} from '../worlds/world.ts'
import { announceDifference } from './advance.ts'
import { giveBackSlot, takeSlot } from './commands.ts'
import { costAt, roundCredits } from './ledger.ts'

/*
 * Tests and front ends often send the same few bodies. Equal values are kept once, so that a task that equals thousands of
 * others adds little more than its id and its moments: a short text task saves about 430 bytes. Sharing is safe, since tasks are never changed in place.
 */

const mostShared = 2000
/** Longer requests are not shared: they are rarely equal and would make the cache large. Characters. */
const longestShared = 2048

/** Equal values of all worlds, at most `mostShared` of each. Saves memory, not time. */
const charges = new Map<number, Charge>()
const requests = new Map<string, { request: string; job: object }>()

/** The shared charge object with these prices. */
function sharedCharge(charge: Charge): Charge {
  const { reserved, settled } = charge
  const known = charges.get(settled)
  // An open length is reserved at a higher price, so equal true prices may differ here.
  if (known?.reserved === reserved) return known
  return remember(charges, settled, Object.freeze({ reserved, settled }))
}

/** A task's request and job; when an earlier task has equal ones, that task's objects. */
export function sharedRequest(request: string, job: object): Pick<Task, 'request' | 'job'> {
  if (request.length > longestShared) return { request, job }
  const known = requests.get(request)
  if (!known) return remember(requests, request, { request, job })
  // Equal requests may have different jobs: some jobs draw their length, and settings differ between emulators.
  if (!isSame(known.job, job)) known.job = job
  return known
}

function remember<K, T>(map: Map<K, T>, key: K, value: T): T {
  if (map.size >= mostShared) map.clear()
  map.set(key, value)
  return value
}

/** Whether two flat records hold the same values. Nested lists and records are equal only when they are the same object. */
function isSame(one: object, other: object): boolean {
  const [ours, theirs] = [one, other] as [Record<string, unknown>, Record<string, unknown>]
  let unmatched = 0
  for (const _ in ours) unmatched++
  for (const key in theirs) {
    if (!Object.is(ours[key], theirs[key])) return false
    unmatched--
  }
  return unmatched === 0
}

/** Where, when and for whom a task is admitted. All fields are read at one moment, after the last wait. */
export interface Admission {
  world: World
  account: Account
  /** Virtual now, epoch ms. */
  now: number
  requestId: string
  /** The request as received, prompt tags taken out. */
  body: unknown
  effects: Pick<Effects, 'task' | 'media' | 'rule'>
  /** Receives the id of the task. May list the keys of the request that nothing reads. */
  trace: { taskIds?: readonly string[]; made?: Task; unread?: readonly string[] }
}

/** A range of milliseconds, both ends included. */
export type Span = readonly [from: number, to: number]

/** What a family passes on when a request is valid. */
export interface Draft {
  family: string
  kind: string
  model: string
  job: object
  queuedMs: Span
  runningMs: Span
  /** Only for families whose tasks can expire. */
  expiresAfterMs?: number
  /** The error of a task that a scenario lets expire, in families whose tasks cannot expire. */
  timeout?: Partial<TaskError>
  /** The longest wait for a rate-limit slot; a minute when absent. */
  longestWaitMs?: number
  charge: Charge
  /** The default fields of a failure, for scenarios that do not give all of them. */
  failure(error: Partial<TaskError>): TaskError
  id(random: Random, now: number): string
  externalId?: string
  notes?: readonly string[]
}

// Most tasks share these objects: a million tasks would otherwise need a million more.
const noFacts: Task['facts'] = Object.freeze([])
const notInTime: Partial<TaskError> = { message: 'The task was not finished in time' }

const success: Outcome = Object.freeze({ kind: 'succeeded' })

/**
 * Admits a task: balance, rate limit, plan, storage. `drafted` resolves the fields that are drawn from the task's own stream; a
 * refused create draws nothing. Throws `insufficient_balance` and `rate_limited`.
 */
export function admit(admission: Admission, drafted: (random: Random) => Draft): Task {
  const { world, account, now } = admission
  const { draws, opening } = world.state.head
  const random = randomFor(opening.seed, 'task', draws.task ?? 0)
  const seed = random.integer(0, 2_147_483_647)
  const draft = drafted(random)
  checkBalance(world, account, draft.charge.reserved, now)
  const slot = takeSlot(world, account, now, draft.longestWaitMs)
  countDraw(world, 'task')
  const { task: effect } = admission.effects
  const { request, job } = sharedRequest(keptRequest(admission.body), draft.job)
  const task: Writable<Task> = {
    id: freeId(world, draft, now),
    family: draft.family,
    kind: draft.kind,
    account: account.id,
    model: draft.model,
    createdAt: now,
    requestId: admission.requestId,
    request,
    job,
    seed,
    plan: planOf(draft, effect, { now, slot, random }),
    facts: noFacts,
    charge: sharedCharge(draft.charge),
  }
  annotate(task, admission, draft)
  put(world, 'tasks', task.id, task)
  indexTask(world, task)
  announceDifference(world, undefined, task)
  admission.trace.taskIds = [task.id]
  admission.trace.made = task
  return task
}

/** Undoes a create that could not be stored, and whose client is told so: no record, no charge, and its slot is free again. */
export function takeBack(world: World, { id }: Pick<Task, 'id'>): void {
  const task = world.state.tasks.get(id)
  if (!task) return
  remove(world, 'tasks', id)
  world.unfinished.delete(task)
  ownedBy(world, task.family, task.account)?.remove(task)
  giveBackSlot(world, task.account, task.plan.slotAt ?? task.createdAt)
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Fields that few tasks have. They are added only when set: as fixed fields they would make each task a third larger. */
function annotate(task: Writable<Task>, { trace, effects }: Admission, { notes, externalId }: Draft): void {
  const { media, rule, task: effect } = effects
  if (trace.unread && trace.unread.length > 0) task.unread = trace.unread
  if (media) task.media = media
  if (effect?.label) task.label = effect.label
  if (rule && (effect || media)) task.rule = rule
  if (notes && notes.length > 0) task.notes = notes
  if (externalId !== undefined) task.externalId = externalId
}

/** Short ids can collide when thousands of tasks are made in one second of a stopped clock; then the next id is drawn. */
function freeId(world: World, draft: Draft, now: number): string {
  for (;;) {
    const id = draft.id(drawStream(world, `id.${draft.family}`), now)
    if (!world.state.tasks.has(id)) return id
  }
}

/** The rest of an account's balance at `now`, in credits; undefined when it has no limit. */
export function balanceOf(world: World, account: Account, now: number): number | undefined {
  return account.balance === null ? undefined : roundCredits(account.balance - spentBy(world, account, now))
}

/** What an account's tasks have cost up to `now`, in credits. */
export function spentBy(world: World, account: Account, now: number): number {
  let spent = 0
  for (const { live, removed } of ownedByAccount(world, account.id)) {
    for (const task of live) spent += costAt(task, now)
    for (const task of removed) spent += costAt(task, now)
  }
  return spent
}

function checkBalance(world: World, account: Account, price: number, now: number): void {
  const balance = balanceOf(world, account, now)
  if (balance === undefined || balance >= price) return
  throw new FaultError('insufficient_balance', {
    reason: `the balance is ${balance} credits and the request needs ${price}`,
  })
}

function planOf(
  draft: Draft,
  effect: TaskEffect | undefined,
  drawn: { now: number; slot: number; random: Random },
): Plan {
  const { now, slot, random } = drawn
  const startsAt = inRange(slot + (effect?.queuedMs ?? random.integer(...draft.queuedMs)))
  const runningMs = effect?.runningMs ?? random.integer(...draft.runningMs)
  const isTimeout = effect?.outcome === 'expired' && effect.runningMs === undefined
  const endsAt = inRange(isTimeout ? Math.max(startsAt, now + timeoutMs) : startsAt + runningMs)
  const expiresAfterMs = effect?.outcome === 'stuck' ? undefined : draft.expiresAfterMs
  const isEarly = effect?.outcome === 'expired' && effect.runningMs !== undefined
  const expiresAt =
    expiresAfterMs === undefined
      ? undefined
      : Math.min(inRange(now + expiresAfterMs), isEarly ? endsAt : Number.POSITIVE_INFINITY)
  const outcome = outcomeOf(draft, effect)
  const plan: Plan =
    expiresAt === undefined ? { startsAt, endsAt, outcome } : { startsAt, endsAt, expiresAt, outcome }
  if (slot > now) plan.slotAt = slot
  if (effect?.goneMs !== undefined) plan.goneAt = inRange(startsAt + effect.goneMs)
  return plan
}

/** `expired`: in families whose tasks can expire, the task runs until then, or as long as the scenario says; in other families it fails (A-expire). */
function outcomeOf(draft: Draft, effect: TaskEffect | undefined): Outcome {
  switch (effect?.outcome) {
    case 'failed':
      return { kind: 'failed', ...draft.failure(effect.error ?? {}) }
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'never':
    case 'stuck':
      return { kind: 'never' }
    case 'expired':
      if (draft.expiresAfterMs !== undefined) return { kind: 'never' }
      return { kind: 'failed', ...draft.failure(draft.timeout ?? notInTime) }
    case 'succeeded':
    case undefined:
      return effect?.error ? { kind: 'failed', ...draft.failure(effect.error) } : success
  }
}
