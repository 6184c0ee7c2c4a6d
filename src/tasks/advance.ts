import { clockNow, latestMs, reclocked, wallNow } from '../worlds/clock.ts'
import { isRemoved } from '../worlds/owned.ts'
import { headChanged, nowIn, type World } from '../worlds/world.ts'
import { isOver, nextChange, type Transition, transitions } from './lifecycle.ts'
import type { Task } from './task.ts'

/** A change of status that time brought. */
export interface TaskEvent extends Transition {
  task: Task
}

/** Moves a world's clock forward to a moment and gives the changes that lie between, in order. A moment in the past moves nothing. */
export function advanceTo(world: World, at: number): TaskEvent[] {
  const from = nowIn(world)
  const to = Math.min(at, latestMs)
  if (to <= from) return []
  const { head } = world.state
  const wallMs = wallNow()
  head.clock = reclocked(head.clock, wallMs, { virtualMs: Math.max(to, clockNow(head.clock, wallMs)) })
  headChanged(world)
  const events = eventsBetween(world, from, to)
  for (const { at: when, task, from: before, to: after } of events) {
    world.journal.announce({
      kind: 'transition',
      at: when,
      taskId: task.id,
      family: task.family,
      from: before,
      to: after,
    })
  }
  world.journal.announce({ kind: 'clock', at: to })
  return events
}

/** The changes after `from` up to and including `to`, in order. Tasks that have come to rest are dropped from the watch list on the way. */
export function eventsBetween(world: World, from: number, to: number): TaskEvent[] {
  const events: TaskEvent[] = []
  for (const task of openTasks(world)) {
    if (isCalm(task, Math.min(from, to), to)) continue
    for (const change of transitions(task)) {
      if (change.at > from && change.at <= to) events.push({ ...change, task })
    }
    if (isOver(task, Math.min(from, to))) world.unfinished.delete(task)
  }
  return events.sort((a, b) => a.at - b.at || a.task.createdAt - b.task.createdAt)
}

/** Whether the plan alone shows that a task does not change after `from` up to `to`: among a million tasks most do not. */
function isCalm({ plan, facts }: Task, from: number, to: number): boolean {
  if (facts.length > 0) return false
  if (plan.startsAt > to && (plan.expiresAt ?? to + 1) > to) return true
  return plan.startsAt <= from && plan.endsAt > to && (plan.expiresAt ?? to + 1) > to
}

/** The moment of the next change of any task; undefined when nothing will change by itself. */
export function nextChangeIn(world: World): number | undefined {
  let next: number | undefined
  const now = nowIn(world)
  for (const task of openTasks(world)) {
    if (next !== undefined && isCalm(task, now, next)) continue
    const at = nextChange(task, now)
    if (at !== undefined && (next === undefined || at < next)) next = at
  }
  return next
}

/** The moment after which no task changes by itself; undefined when nothing will change. */
export function lastChangeIn(world: World): number | undefined {
  let last: number | undefined
  const now = nowIn(world)
  for (const task of openTasks(world)) {
    const at = transitions(task).at(-1)?.at
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
