import { ApiError } from '../http/errors.ts'
import { isRemoved, type PageQuery, type TaskPage } from '../worlds/owned.ts'
import { nowIn, ownedBy, replaceTask, type World } from '../worlds/world.ts'
import { advanceTo, tellDifference, tellUpTo } from './advance.ts'
import { isGone, nextChange, viewAt } from './lifecycle.ts'
import { giveBackSlot } from './rate-slots.ts'
import type { Fact, Status, Task, TaskError, View } from './task.ts'

/** A task together with its state at one moment. */
export interface Seen {
  task: Task
  view: View
}

/** Whose tasks are meant: families are separate namespaces. */
export interface Owner {
  family: string
  account: string
}

/** An owner's task by id; undefined when it does not exist, belongs to somebody else, or its record was removed. */
export function find(world: World, id: string, owner: Owner): Task | undefined {
  const task = world.state.tasks.get(id)
  if (!task || task.family !== owner.family || task.account !== owner.account) return undefined
  return isRemoved(task) || isGone(task, nowIn(world)) ? undefined : task
}

/** An owner's tasks, oldest first, removed and lost ones left out. */
export function all(world: World, owner: Owner): readonly Task[] {
  const owned = ownedBy(world, owner.family, owner.account)
  if (!owned?.mayLose) return owned?.live ?? []
  const now = nowIn(world)
  return owned.live.filter(task => !isGone(task, now))
}

/**
 * The tasks as a poll sees them. In auto mode a poll that would see nothing new since the last one first skips the clock to the
 * next change of any of them (interface, "Clock"). Tasks whose records are lost by that moment are left out.
 */
export function poll(world: World, tasks: readonly Task[]): Seen[] {
  const at = momentOfPoll(world, tasks, nowIn(world))
  const found = tasks.filter(task => !isGone(task, at))
  return seenAt(world, found, at)
}

/** One page of a list as a poll sees it, and how many tasks match in all. */
export interface SeenPage {
  page: Seen[]
  total: number
}

/**
 * A page of an owner's tasks as a poll sees them, newest first, removed ones left out. Both are of one moment: where the poll
 * skips the clock, the query is put anew, so that no task is shown in a state that the query does not ask for.
 */
export function pollPage(world: World, owner: Owner, queryAt: (now: number) => PageQuery): SeenPage {
  const list = (at: number): TaskPage => {
    // Asked for even where there is nothing to list: a query with a fault in it throws.
    const query = queryAt(at)
    const owned = ownedBy(world, owner.family, owner.account)
    return owned?.page(owned.mayLose ? present(query, at) : query) ?? { tasks: [], total: 0 }
  }
  const now = nowIn(world)
  const found = list(now)
  const at = momentOfPoll(world, found.tasks, now)
  const { tasks, total } = at === now ? found : list(at)
  return { page: seenAt(world, tasks, at), total }
}

/** The same page without the tasks whose records are lost by then. */
function present(query: PageQuery, at: number): PageQuery {
  return { ...query, fits: task => !isGone(task, at) && (query.fits?.(task) ?? true) }
}

/** The moment that a poll of tasks sees: now or, in auto mode, their next change if nothing is new about any of them. */
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

/** Where in the journal facts of this run came about: facts and requests of one moment have no other order. */
const places = new WeakMap<Fact, number>()

/** The number of the last journal entry before a fact; undefined for facts of earlier runs. */
export function placeOf(fact: Fact): number | undefined {
  return places.get(fact)
}

/** Appends a fact to a task; gives the task as it is from now on. */
export function addFact(world: World, task: Task, fact: Fact): Task {
  tellUpTo(world, fact.at)
  // What listeners have heard stays true: a fact never lies before it.
  const added: Fact = { ...fact, at: Math.max(fact.at, world.toldAt) }
  places.set(added, world.journal.lastId)
  const changed: Task = { ...task, facts: [...task.facts, added] }
  replaceTask(world, task, changed)
  const { slotAt } = task.plan
  if (endsWaiting(fact) && slotAt !== undefined && slotAt > fact.at) giveBackSlot(world, task.account, slotAt)
  tellDifference(world, task, changed)
  return changed
}

/** What is cancelled or forced to an end while it waits will not start in its slot. */
function endsWaiting(fact: Fact): boolean {
  return fact.kind === 'cancelled' || (fact.kind === 'forced' && fact.status !== 'running')
}

/** Ends a queued task. The caller has looked at its view. */
export function cancel(world: World, task: Task, now: number): Task {
  return addFact(world, task, { kind: 'cancelled', at: now })
}

/** Removes a task's record from the public API. Charges and files are untouched. */
export function removeRecord(world: World, task: Task, now: number): Task {
  return addFact(world, task, { kind: 'deleted', at: now })
}

/** Brings a task to a status now. Throws `not_operable` when its machine has no such step from where it is. */
export function force(world: World, task: Task, wanted: { status: Status; error?: TaskError }): Task {
  const now = nowIn(world)
  const { status } = viewAt(task, now)
  const isOpen = status === 'queued' || status === 'running'
  if (!isOpen || wanted.status === 'queued' || wanted.status === status) {
    throw new ApiError('not_operable', { reason: `a task that is ${status} cannot become ${wanted.status}` })
  }
  return addFact(world, task, {
    kind: 'forced',
    at: now,
    status: wanted.status,
    ...(wanted.error && { error: wanted.error }),
  })
}
