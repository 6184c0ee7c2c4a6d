import type { MediaLimits } from '../../../media/index.ts'
import { FaultError } from '../../faults/fault.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { admit, type Draft } from '../../tasks/admission.ts'
import { findTask, pollOne, type Seen } from '../../tasks/commands.ts'
import type { Random } from '../../worlds/random.ts'
import type { Task } from '../../worlds/task.ts'
import { ownedBy } from '../../worlds/world.ts'
import { checkNoCallback } from '../create-rules.ts'
import { type Maker, replyToCreate } from '../order.ts'
import { queuedMs } from '../video-recipe.ts'
import type { ImageToVideoJob } from './job.ts'
import { failureOf, succeed } from './present.ts'

/** The options of a submission. The newer shapes have them below `options`, the older ones at the top level. */
export interface Options {
  callback_url?: unknown
  external_task_id?: string
  watermark_info?: { enabled?: boolean | '' }
}

/** The value, or undefined for "", which vendors' examples send for "not set" (K-empty). */
export function given<T>(value: T | '' | undefined): T | undefined {
  return value === '' ? undefined : value
}

/** Reads the options of a submission; the top level wins. Throws for a callback and for an external id that is in use. */
export function readOptions(call: Call, body: Options & { options?: Options }): Chosen {
  checkNoCallback({
    callback_url: body.callback_url,
    'options.callback_url': body.options?.callback_url,
  })
  const externalId = given(body.external_task_id) ?? given(body.options?.external_task_id)
  checkExternalId(call, externalId)
  const watermark =
    given(body.watermark_info?.enabled) ?? given(body.options?.watermark_info?.enabled) ?? false
  return { watermark, ...(externalId !== undefined && { externalId }) }
}

/** The options of a submission of either shape. */
export interface Chosen {
  watermark: boolean
  externalId?: string
}

/** Refuses a second use of an external id, in upstream's words. This protects the caller from paying twice (K-external-id). */
function checkExternalId(call: Call, externalId: string | undefined): void {
  if (externalId === undefined || !byExternalId(call, externalId)) return
  throw new FaultError('invalid_parameter', {
    param: 'external_task_id',
    message: `External_task_id ${externalId.slice(0, 80)} already exists`,
  })
}

/** Upstream's limits for every picture: JPEG or PNG, each side at least 300 px, 1:2.5 to 2.5:1. */
export function imageLimits(maxMegabytes: number): MediaLimits {
  return {
    formats: ['jpeg', 'png'],
    maxBytes: maxMegabytes * 1024 * 1024,
    sidePx: { min: 300 },
    aspect: { min: 0.4, max: 2.5 },
  }
}

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
type KDraft = Pick<Draft, 'kind' | 'model' | 'charge' | 'runningMs' | 'notes' | 'externalId'> & {
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
