import type { Call } from '../../pipeline/endpoint.ts'
import { admit, type Draft } from '../../tasks/admission.ts'
import type { Random } from '../../worlds/random.ts'
import type { Task } from '../../worlds/task.ts'
import { type Maker, replyToCreate } from '../order.ts'
import { queuedMs } from '../run-times.ts'
import { snowflake } from './ids.ts'
import type { ImageToVideoJob } from './job.ts'
import { failureOf, succeed } from './present.ts'

/** What differs between the tasks of this family. */
export type KDraft = Pick<Draft, 'kind' | 'model' | 'charge' | 'runningMs' | 'notes' | 'externalId'> & {
  job: ImageToVideoJob
  id?: Draft['id']
}

/** Admits a task of family K. `drafted` resolves the random fields. Throws the errors of `admit`. */
export function admitTask(
  call: Call,
  externalId: string | undefined,
  drafted: (random: Random) => KDraft,
): Task {
  return admit(withoutCancelling(call), random => ({
    family: 'k',
    queuedMs,
    failure: failureOf,
    id: snowflake,
    ...drafted(random),
    ...(externalId !== undefined && { externalId }),
  }))
}

/** The family has no cancelled tasks: a task that a scenario cancels fails instead (K-states). */
function withoutCancelling(call: Call): Call {
  const { task } = call.effects
  if (task?.outcome !== 'cancelled') return call
  const failed = { outcome: 'failed', error: { message: 'The task was cancelled' } } as const
  return { ...call, effects: { ...call.effects, task: { ...task, ...failed } } }
}

/** The reply to a submission. */
export function replyWith(call: Call, maker: Maker, data: (task: Task) => unknown) {
  return replyToCreate(call, maker, task => succeed(call, data(task)))
}
