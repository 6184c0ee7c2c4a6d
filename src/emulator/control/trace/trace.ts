import type { Trace, TraceFilter } from '../../../kits/views.ts'
import type { Services } from '../../pipeline/services.ts'
import { changesOf } from '../../tasks/lifecycle.ts'
import { iso } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { noSuchTask } from '../control-error.ts'
import { findingsIn } from '../findings/findings.ts'
import { findingViews } from '../findings/found.ts'
import { traceOf } from '../journal/entry-view.ts'
import { droppedEntries, startOf, traceIn } from '../journal/select-entries.ts'
import { attemptsOf, taskOf } from './attempts.ts'
import { callOf, rounded } from './calls.ts'
import { eventsOf } from './events.ts'
import { openIn } from './open.ts'
import { traceTask } from './tasks.ts'

/**
 * The run of a world's clients, whole or in part. It follows from the journal, the tasks, what was done by hand and the open
 * requests. `wallMs`: now, on this process's monotonic clock. Throws 400 for a filter that is not possible, and
 * 404 for a task of which neither the tasks nor the journal know.
 */
export function traceDocument(
  world: World,
  { since, task, trace_id }: TraceFilter,
  { services, wallMs }: { services: Pick<Services, 'options' | 'worlds'>; wallMs: number },
): Trace {
  const isLater = since === undefined ? undefined : startOf(String(since))
  const traceId = trace_id === undefined ? undefined : traceIn(trace_id, 'trace_id')
  const isMeant = (entry: Entry) =>
    (isLater?.(entry) ?? true) && (traceId === undefined || traceOf(entry) === traceId)
  const made = world.journal
    .entries()
    .filter(isMeant)
    .map(entry => ({ entry, call: callOf(world, entry) }))
  const attempts = attemptsOf(made).filter(
    ({ task_id, calls }) =>
      task === undefined || task_id === task || calls.some(({ task_ids }) => task_ids?.includes(task)),
  )
  const shown = new Set(attempts.flatMap(({ calls }) => calls.map(({ request_id }) => request_id)))
  const isWhole = since === undefined && task === undefined && traceId === undefined
  const about = new Set(made.flatMap(({ entry }) => [...(entry.taskIds ?? []), taskOf(entry) ?? '']))
  const from = since === undefined ? Number.POSITIVE_INFINITY : (made[0]?.entry.at ?? nowIn(world))
  const tasks = [...world.state.tasks.values()].filter(
    one =>
      isWhole ||
      (task === undefined
        ? about.has(one.id) || (traceId === undefined && changesSince(one, from, nowIn(world)))
        : one.id === task),
  )
  if (task !== undefined && tasks.length + attempts.length === 0) throw noSuchTask(task, services)
  const known = new Set(tasks.map(({ id }) => id))
  const incomplete = droppedEntries(world)
  return {
    version: 1,
    world: world.id,
    now: iso(nowIn(world)),
    wall_ms: rounded(wallMs),
    clock: world.state.head.clock.mode,
    attempts,
    tasks: tasks.map(one => traceTask(world, one, services)),
    events: eventsOf(world, tasks, services),
    findings: findingViews(
      findingsIn(world, services).filter(
        ({ task_id, request_ids }) =>
          isWhole || (task_id !== undefined ? known.has(task_id) : request_ids.some(id => shown.has(id))),
      ),
    ),
    open: openIn(world, wallMs).filter(({ task_id }) => task === undefined || task_id === task),
    ...(incomplete && { incomplete }),
  }
}

function changesSince(task: Task, from: number, now: number): boolean {
  return task.createdAt >= from || changesOf(task).some(({ at }) => at >= from && at <= now)
}
