import { FaultError } from '../../faults/fault.ts'
import { type Call, type Endpoint, ok, type Reply } from '../../pipeline/endpoint.ts'
import { cancel, pollOne, removeRecord, type Seen } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family } from '../family.ts'
import { ownTask, weekMs, weekPage } from '../own-task.ts'
import { resultLink } from '../result-link.ts'
import { jobOf } from './job.ts'
import { taskObject } from './present.ts'
import { deleteReply, getReply, type ListQuery, listQuery, listReply } from './schema.ts'
import type { Variant } from './variants.ts'

/** Query, list and delete. `family` is a function, because the family's own table contains these rows. */
export function taskEndpoints(variant: Variant, family: () => Family): Endpoint[] {
  const queryPath = `${variant.prefix}/v2/query/video_generation`
  const get: Endpoint = {
    operation: `${variant.id}.get`,
    method: 'GET',
    paths: [`${queryPath}/:task_id`],
    summary: 'Query a task of the last 7 days',
    replies: { 200: getReply },
    handle(call) {
      const seen = pollOne(call.world, namedTask(call, variant))
      if (!seen) throw new FaultError('not_found', { param: 'task_id' })
      return ok({ task: presented(call, family(), seen) })
    },
  }
  const listTasks: Endpoint = {
    operation: `${variant.id}.list`,
    method: 'GET',
    paths: [queryPath],
    summary: 'List the tasks of the last 7 days, newest first',
    query: listQuery,
    tasksIn: { query: ['filter.task_ids'] },
    replies: { 200: listReply },
    handle: call => listed(call, family()),
  }
  const remove: Endpoint = {
    operation: `${variant.id}.delete`,
    method: 'DELETE',
    paths: [`${variant.prefix}/v2/video_generation/:task_id`],
    ...(variant.deletion.queued === 'cancel'
      ? {
          summary: 'Cancel a queued task, or delete a finished one',
          replies: { 200: deleteReply('cancelled', 'deleted') },
        }
      : { summary: 'Remove the record of a finished task', replies: { 200: deleteReply('deleted') } }),
    handle: call => deleted(call, variant),
  }
  return [get, listTasks, remove]
}

/**
 * The caller's own task in the variant's namespace, made within the last 7 days. Throws `not_found` for every other id, also for
 * a task of the other variant (Spec, "Errors" rule 4).
 */
export function findTask(call: Call, variant: Variant, id: string, param = 'task_id'): Task {
  const task = ownTask(call, { family: variant.id, id, since: call.now - weekMs })
  if (!task) throw new FaultError('not_found', { param })
  return task
}

function namedTask(call: Call, variant: Variant): Task {
  const task = findTask(call, variant, call.params.task_id ?? '')
  call.trace.taskIds = [task.id]
  return task
}

/** Upstream publishes no largest page size; a larger one is accepted and gives this many items (C-list). */
const largestPage = 500

function listed(call: Call, family: Family): Reply {
  const query = call.query as ListQuery
  const type = query['filter.task_type']
  const page_size = Math.min(query.page_size, largestPage)
  const { page, total } = weekPage(call, family, { ...query, page_size }, [
    type === undefined ? undefined : task => jobOf(task).taskType === type,
  ])
  return ok({ items: page.map(seen => presented(call, family, seen)), total })
}

/** Spec, "States and transitions"; where it is silent: C-delete. */
function deleted(call: Call, variant: Variant): Reply {
  const task = namedTask(call, variant)
  const { status } = viewAt(task, call.now)
  switch (variant.deletion[status]) {
    case 'cancel':
      cancel(call.world, task, call.now)
      return ok({ task_id: task.id, action: 'cancelled', status: 'cancelled' })
    case 'remove':
      removeRecord(call.world, task, call.now)
      return ok({ task_id: task.id, action: 'deleted', status: 'deleted' })
    case 'refuse':
      throw new FaultError('not_operable', {
        reason: `task cannot be cancelled or deleted while status is ${status}`,
      })
    case 'not_implemented':
      throw new FaultError('not_implemented', {
        reason: `deleting a task that is ${status} is not implemented, only finished tasks can be deleted`,
      })
  }
}

function presented(call: Call, family: Family, seen: Seen) {
  return taskObject(seen, resultLink(call, family, seen))
}
