import type { Call } from '../../http/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import type { Task } from '../../tasks/task.ts'
import type { Random } from '../../worlds/random.ts'
import { priceOf } from '../prices.ts'
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
    queuedMs: [1000, 3000],
    runningMs: runningSpan(job),
    charge: fixedCharge((job.inputSeconds + job.seconds) * pricePerSecond(call, variant, job)),
    failure: failureOf,
    id: taskId,
    notes,
  }))
}

function pricePerSecond(call: Call, { prices }: Variant, { taskType, resolution }: VideoJob): number {
  return priceOf(call, prices[taskType === 'regeneration' ? 'regeneration' : resolution])
}

/** 8 to 20 s for five seconds of 720p, growing with seconds and pixels (A-run-times). */
function runningSpan({ size: [width, height], seconds }: VideoJob): readonly [number, number] {
  const growth = 0.5 + 0.5 * (seconds / 5) * Math.sqrt((width * height) / (1280 * 720))
  return [Math.round(8000 * growth), Math.round(20_000 * growth)]
}

/** 15 digits, as in every published example (C-ids). */
export function taskId(random: Random): string {
  return `${random.integer(1, 9)}${random.text('0123456789', 14)}`
}
