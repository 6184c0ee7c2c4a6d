import type { Call } from '../../pipeline/endpoint.ts'
import { admit, type Draft } from '../../tasks/admission.ts'
import type { Random } from '../../worlds/random.ts'
import type { Task } from '../../worlds/task.ts'
import { type Maker, replyToCreate } from '../order.ts'
import { queuedMs } from '../video-recipe.ts'
import type { ImageToVideoJob } from './job.ts'
import { failureOf, succeed } from './present.ts'

/** The epoch of upstream's ids, epoch ms; calculated from published ids whose creation time is known. */
const epochMs = 1_568_028_518_784

/** The creation time inside an id, epoch ms. */
export function momentOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epochMs
}

/** An id as upstream makes them: milliseconds since its epoch, then 22 random bits, so that ids sort by time (K-ids). */
export function snowflake(random: Random, nowMs: number): string {
  const low = BigInt(random.integer(0, 2 ** 22 - 1))
  return BigInt.asUintN(63, (BigInt(Math.floor(nowMs) - epochMs) << 22n) | low).toString()
}

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
