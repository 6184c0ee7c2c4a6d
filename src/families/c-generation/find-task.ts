import { FaultError } from '../../faults/fault-error.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import type { Task } from '../../worlds/task.ts'
import { ownTask } from '../own-task.ts'
import type { Variant } from './variants.ts'

/** Spec, "Limits": the query window of family C is the last 7 days. */
export const windowMs = 7 * 86_400_000

/**
 * The caller's own task in the variant's namespace, made within the last 7 days. Throws `not_found` for every other id, also for
 * a task of the other variant (Spec, "Errors" rule 4).
 */
export function findTask(call: Call, variant: Variant, id: string, param = 'task_id'): Task {
  const task = ownTask(call, { family: variant.id, id, since: call.now - windowMs })
  if (!task) throw new FaultError('not_found', { param })
  return task
}
