import { clockNow, latestMs, reclocked, steadyNow } from '../worlds/clock.ts'
import { isRemoved } from '../worlds/owned-tasks.ts'
import type { Task } from '../worlds/task.ts'
import { headChanged, nowIn, type World } from '../worlds/world.ts'
import { type Change, changesBetween, changesOf, isOver, nextChange } from './lifecycle.ts'

/** A change of a task that came with time. */
export interface TaskEvent extends Change {
  task: Task
}

/** Moves a world's clock forward to a moment and returns the changes on the way, in order. A moment in the past changes nothing. */
export function advanceTo(world: World, at: number): TaskEvent[] {
  const from = nowIn(world)
  const to = Math.min(at, latestMs)
  if (to <= from) return []
  announceUpTo(world, from)
  const { head } = world.state
  const wallMs = steadyNow()
  head.clock = reclocked(head.clock, wallMs, { virtualMs: Math.max(to, clockNow(head.clock, wallMs)) })
  headChanged(world)
  const events = eventsBetween(world, from, to)
  for (const event of events) tell(world, event)
  world.announcedUntil = Math.max(world.announcedUntil, to)
  world.journal.events.announce({ kind: 'clock', at: to })
  return events
}

/**
 * Sends listeners every change up to a moment that was not sent before. Called before anything else in a world changes,
 * and at intervals while there are listeners, so that each change is sent once and in order, however time moves.
 */
export function announceUpTo(world: World, to: number): void {
  const from = world.announcedUntil
  if (to <= from) return
  world.announcedUntil = to
  if (!world.journal.events.isHeard) return
  for (const event of eventsBetween(world, from, to)) tell(world, event)
}

/** Sends listeners every change up to now. */
export function announceNow(world: World): void {
  announceUpTo(world, nowIn(world))
}

/**
 * Sends the changes that a new value of a task brings at moments of which listeners have already heard: a task may start when it is
 * made, and a fact may end it now. `before` is the old value; a new task has none.
 */
export function announceDifference(world: World, before: Task | undefined, after: Task): void {
  if (!world.journal.events.isHeard) return
  const heard = before ? changesBetween(before, -1, world.announcedUntil) : []
  const isHeard = ({ at, to }: Change) => heard.some(change => change.at === at && change.to === to)
  for (const change of changesBetween(after, -1, world.announcedUntil))
    if (!isHeard(change)) tell(world, { ...change, task: after })
}

function tell({ journal }: World, { at, task, from, to }: TaskEvent): void {
  journal.events.announce({ kind: 'transition', at, taskId: task.id, family: task.family, from, to })
}

/** The changes after `from` up to and including `to`, in order. Tasks that will not change any more are taken off the watch list. */
function eventsBetween(world: World, from: number, to: number): TaskEvent[] {
  const events: TaskEvent[] = []
  for (const task of openTasks(world)) {
    if (staysUnchanged(task, from, to)) continue
    for (const change of changesBetween(task, from, to)) events.push({ ...change, task })
    if (isOver(task, from)) world.unfinished.delete(task)
  }
  return events.sort((a, b) => a.at - b.at || a.task.createdAt - b.task.createdAt)
}

/** Whether the plan alone shows that a task does not change after `from` up to `to`. This is a cheap test, and true for most tasks of a large world. */
function staysUnchanged({ plan, facts }: Task, from: number, to: number): boolean {
  if (facts.length > 0 || plan.goneAt !== undefined) return false
  if (plan.startsAt > to && (plan.expiresAt ?? to + 1) > to) return true
  return plan.startsAt <= from && plan.endsAt > to && (plan.expiresAt ?? to + 1) > to
}

/** The moment of the next change of any task; undefined when no task will change by itself. */
export function nextChangeIn(world: World): number | undefined {
  let next: number | undefined
  const now = nowIn(world)
  for (const task of openTasks(world)) {
    if (next !== undefined && staysUnchanged(task, now, next)) continue
    const at = nextChange(task, now)
    if (at !== undefined && (next === undefined || at < next)) next = at
  }
  return next
}

/** The moment after which no task changes by itself; undefined when no task will change. */
export function lastChangeIn(world: World): number | undefined {
  let last: number | undefined
  const now = nowIn(world)
  for (const task of openTasks(world)) {
    const at = changesOf(task).at(-1)?.at
    if (at !== undefined && at > now && (last === undefined || at > last)) last = at
  }
  return last
}

function* openTasks(world: World): Generator<Task> {
  for (const task of world.unfinished) {
    if (isRemoved(task)) world.unfinished.delete(task)
    else yield task
  }
}

/**
 * Remembers that a reply asked an account to wait (`Retry-After`, seconds). In auto mode, after a client has slept for that time,
 * the world's time moves by the same wait.
 */
export function rememberWait(world: World, account: string, seconds: number): void {
  if (world.state.head.clock.mode !== 'auto' || !(seconds > 0)) return
  world.waits.set(account, {
    askedAtMs: steadyNow(),
    ms: seconds * 1000,
    untilMs: nowIn(world) + seconds * 1000,
  })
}

/** Called before a call of an account: when the account has waited long enough in steady time (A-steady), moves the clock to the end of that wait. */
export function moveToEndOfWait(world: World, account: string): void {
  const wait = world.waits.get(account)
  if (!wait || steadyNow() - wait.askedAtMs < wait.ms) return
  world.waits.delete(account)
  if (world.state.head.clock.mode === 'auto') advanceTo(world, wait.untilMs)
}
