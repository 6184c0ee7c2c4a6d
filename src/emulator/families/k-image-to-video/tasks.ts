import { FaultError } from '../../faults/fault-error.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { findTask, pollOne, type Seen } from '../../tasks/commands.ts'
import type { Task } from '../../worlds/task.ts'
import { ownedBy } from '../../worlds/world.ts'

type Asking = Pick<Call, 'world' | 'account'>

/** The account's task with an `external_task_id`, of any kind. */
export function byExternalId({ world, account }: Asking, externalId: string): Task | undefined {
  const id = ownedBy(world, 'k', account.id)?.idOf(externalId)
  return id === undefined ? undefined : byId({ world, account }, id)
}

/** The account's task with an id, of any kind. */
export function byId({ world, account }: Asking, id: string): Task | undefined {
  return findTask(world, id, { family: 'k', account: account.id })
}

/**
 * The task that a path names by its id or its external id, as a poll sees it. Finds tasks of one kind only: each kind has its own
 * query (Spec, "Family K", endpoints). Throws `not_found` in upstream's words.
 */
export function pollNamed(call: Call, kind: string): Seen {
  const name = call.params.task_id ?? ''
  // A caller may give a task an external id that is also the id of a task of another kind.
  const task = [byId(call, name), byExternalId(call, name)].find(one => one?.kind === kind)
  const seen = pollOne(call.world, task)
  if (!seen) {
    throw new FaultError('not_found', {
      param: 'task_id',
      reason: `Task not found by id/external id: ${name.slice(0, 80)}`,
    })
  }
  call.trace.taskIds = [seen.task.id]
  return seen
}
