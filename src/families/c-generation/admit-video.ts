import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import type { Random } from '../../worlds/random.ts'
import type { Task } from '../../worlds/task.ts'
import { priceOf } from '../prices.ts'
import { queuedMs, runningMs } from '../run-times.ts'
import type { VideoJob } from './job.ts'
import { failureOf } from './present.ts'
import type { Variant } from './variants.ts'

interface VideoOrder {
  kind: string
  model: string
  job: VideoJob
  notes: readonly string[]
}

/** Admits a generation or regeneration whose job is resolved. */
export function admitVideo(call: Call, variant: Variant, { kind, model, job, notes }: VideoOrder): Task {
  return admit(call, () => ({
    family: variant.id,
    kind,
    model,
    job,
    queuedMs,
    runningMs: runningMs(job),
    charge: fixedCharge((job.inputSeconds + job.seconds) * pricePerSecond(call, variant, job)),
    failure: failureOf,
    id: taskId,
    notes,
  }))
}

function pricePerSecond(call: Call, { prices }: Variant, { taskType, resolution }: VideoJob): number {
  return priceOf(call, prices[taskType === 'regeneration' ? 'regeneration' : resolution])
}

/** 15 digits, as in every published example (C-ids). */
export function taskId(random: Random): string {
  return `${random.integer(1, 9)}${random.text('0123456789', 14)}`
}
