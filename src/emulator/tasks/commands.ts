import { FaultError } from '../faults/fault.ts'
import { inRange } from '../worlds/clock.ts'
import { isRemoved, type PageQuery, type TaskPage } from '../worlds/owned-tasks.ts'
import type { Fact, Status, Task, TaskError, View } from '../worlds/task.ts'
import { type Account, nowIn, ownedBy, put, replaceTask, type World } from '../worlds/world.ts'
import { advanceTo, announceDifference, announceUpTo } from './advance.ts'
import { isGone, nextChange, viewAt } from './lifecycle.ts'

/** The longest wait for a rate-limit slot before a create is refused (A-rate). */
const standardWaitMs = 60_000

/**
 * Takes the account's next free start slot, virtual ms: a slot that a cancelled task gave back, else the next one that the limit
 * allows. Throws `rate_limited` when the slot is more than `longestMs` ahead.
 */
export function takeSlot(world: World, account: Account, now: number, longestMs = standardWaitMs): number {
  const limit = account.requestsPerMinute
  if (limit === null) return now
  // Other requests may have taken slots while this request's media were read.
  const current = world.state.accounts.get(account.id) ?? account
  const { slots, freedSlots = [] } = current
  const [freed, ...others] = freedSlots.filter(slot => slot >= now)
  const oldest = slots.length < limit ? undefined : slots.at(-limit)
  const slot = freed ?? (oldest === undefined ? now : inRange(Math.max(now, oldest + 60_000)))
  if (slot - now > longestMs) {
    // The client only needs to wait until the slot is at most `longestMs` ahead.
    throw new FaultError('rate_limited', {
      reason: `the account may start ${limit} requests per minute`,
      retryAfterMs: slot - now - longestMs,
    })
  }
  if (freed !== undefined) putFreed(world, current, others)
  else put(world, 'accounts', account.id, { ...current, slots: [...slots, slot].slice(-limit) })
  return slot
}

/** Gives the slot of a task back to its account when the task was cancelled while it waited. */
export function giveBackSlot(world: World, accountId: string, slot: number): void {
  const account = world.state.accounts.get(accountId)
  if (!account || account.requestsPerMinute === null) return
  putFreed(
    world,
    account,
    [...(account.freedSlots ?? []), slot].sort((one, other) => one - other),
  )
}

function putFreed(world: World, account: Account, freed: readonly number[]): void {
  const { freedSlots: _, ...rest } = account
  put(world, 'accounts', account.id, freed.length > 0 ? { ...rest, freedSlots: freed } : rest)
}

/** A task with its state at one moment. */
export interface Seen {
  task: Task
  view: View
}

/** The owner of tasks: an account in one family. Families are separate namespaces. */
export interface Owner {
  family: string
  account: string
}

/** An owner's task by id; undefined when it does not exist, belongs to another account, or its record was removed. */
export function findTask(world: World, id: string, owner: Owner): Task | undefined {
  const task = world.state.tasks.get(id)
  if (!task || task.family !== owner.family || task.account !== owner.account) return undefined
  return isRemoved(task) || isGone(task, nowIn(world)) ? undefined : task
}

/** An owner's tasks, oldest first, removed and lost ones left out. */
export function tasksOf(world: World, owner: Owner): readonly Task[] {
  const owned = ownedBy(world, owner.family, owner.account)
  if (!owned?.mayLose) return owned?.live ?? []
  const now = nowIn(world)
  return owned.live.filter(task => !isGone(task, now))
}

/**
 * The tasks as a poll sees them. In auto mode, when a poll would see no change since the last one, the clock first moves to the
 * next change of any of these tasks. Tasks whose records are lost by then are left out.
 */
export function poll(world: World, tasks: readonly Task[]): Seen[] {
  const at = momentOfPoll(world, tasks, nowIn(world))
  const found = tasks.filter(task => !isGone(task, at))
  return seenAt(world, found, at)
}

/** One task as a poll sees it; undefined when there is none, or when its record is lost by then. */
export function pollOne(world: World, task: Task | undefined): Seen | undefined {
  return task && poll(world, [task])[0]
}

/** One page of a list as a poll sees it, and how many tasks match in all. */
export interface SeenPage {
  page: Seen[]
  total: number
}

/**
 * A page of an owner's tasks as a poll sees them, newest first, removed ones left out. Page and count are of one moment: when the
 * poll moves the clock, the query runs again, so that no task is shown in a state that the query excludes.
 */
export function pollPage(world: World, owner: Owner, queryAt: (now: number) => PageQuery): SeenPage {
  const list = (at: number): TaskPage => {
    // Called even when the list is empty, since an invalid query must throw.
    const query = queryAt(at)
    const owned = ownedBy(world, owner.family, owner.account)
    return owned?.page(owned.mayLose ? withoutLost(query, at) : query) ?? { tasks: [], total: 0 }
  }
  const now = nowIn(world)
  const found = list(now)
  const at = momentOfPoll(world, found.tasks, now)
  const { tasks, total } = at === now ? found : list(at)
  return { page: seenAt(world, tasks, at), total }
}

/** The same page without the tasks whose records are lost by then. */
function withoutLost(query: PageQuery, at: number): PageQuery {
  return { ...query, fits: task => !isGone(task, at) && (query.fits?.(task) ?? true) }
}

/** The moment that a poll of tasks sees: now or, in auto mode, their next change when none of them has changed since the last poll. */
function momentOfPoll(world: World, tasks: readonly Task[], now: number): number {
  if (world.state.head.clock.mode !== 'auto') return now
  if (tasks.some(task => world.seen.get(task.id) !== viewAt(task, now).status)) return now
  const changes = tasks.map(task => nextChange(task, now)).filter(at => at !== undefined)
  if (changes.length === 0) return now
  advanceTo(world, Math.min(...changes))
  return nowIn(world)
}

function seenAt(world: World, tasks: readonly Task[], at: number): Seen[] {
  const views = tasks.map(task => ({ task, view: viewAt(task, at) }))
  if (world.state.head.clock.mode === 'auto')
    for (const { task, view } of views) world.seen.set(task.id, view.status)
  return views
}

/** The journal position of each fact of this run: it orders facts and requests of the same moment. */
const places = new WeakMap<Fact, number>()

/** The number of the last journal entry before a fact; undefined for facts of earlier runs. */
export function entryBefore(fact: Fact): number | undefined {
  return places.get(fact)
}

/** Appends a fact to a task; returns the new value of the task. */
export function addFact(world: World, task: Task, fact: Fact): Task {
  announceUpTo(world, fact.at)
  // A fact must not be earlier than a change that listeners have received.
  const added: Fact = { ...fact, at: Math.max(fact.at, world.announcedUntil) }
  places.set(added, world.journal.lastId)
  const changed: Task = { ...task, facts: [...task.facts, added] }
  replaceTask(world, task, changed)
  const { slotAt } = task.plan
  if (endsWaiting(fact) && slotAt !== undefined && slotAt > fact.at) giveBackSlot(world, task.account, slotAt)
  announceDifference(world, task, changed)
  return changed
}

/** A task that is cancelled or forced to an end while it waits does not use its slot. */
function endsWaiting(fact: Fact): boolean {
  return fact.kind === 'cancelled' || (fact.kind === 'forced' && fact.status !== 'running')
}

/** Cancels a queued task. The caller has checked that it is queued. */
export function cancel(world: World, task: Task, now: number): Task {
  return addFact(world, task, { kind: 'cancelled', at: now })
}

/** Removes a task's record from the public API. Charges and files are untouched. */
export function removeRecord(world: World, task: Task, now: number): Task {
  return addFact(world, task, { kind: 'deleted', at: now })
}

/** Brings a task to a status now. Throws `not_operable` when the task cannot take this status from its present one. */
export function force(world: World, task: Task, target: { status: Status; error?: TaskError }): Task {
  const now = nowIn(world)
  const { status } = viewAt(task, now)
  const isOpen = status === 'queued' || status === 'running'
  if (!isOpen || target.status === 'queued' || target.status === status) {
    throw new FaultError('not_operable', {
      reason: `a task that is ${status} cannot become ${target.status}`,
    })
  }
  return addFact(world, task, {
    kind: 'forced',
    at: now,
    status: target.status,
    ...(target.error && { error: target.error }),
  })
}
