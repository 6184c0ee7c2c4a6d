import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Random } from '../../worlds/random.ts'
import type { Task } from '../../worlds/task.ts'
import { checkGroup, checkNoCallback } from '../create-rules.ts'
import { notesOn } from '../input-media.ts'
import { chooseModel, priceOf } from '../models.ts'
import { mediaOrder, type Order } from '../order.ts'
import { queuedMs, runningMs } from '../video-recipe.ts'
import { type Content, readContent } from './content.ts'
import { inputsOf, picturesOf, resolvedRatio, type VideoJob } from './job.ts'
import { failureOf } from './present.ts'
import { checkRatio, checkTotals, limitsOf } from './rules.ts'
import type { CreateBody } from './schema.ts'
import { facts, framesFor, pixels, resolutions, type Variant } from './variants.ts'

/** Checks a generation after its shape was checked, in the order of A-order. */
export function createVideo(call: Call, variant: Variant): Order<readonly MediaFacts[]> {
  const body = call.body as CreateBody
  chooseModel(call, body.model, facts.models)
  checkNoCallback({ callback_url: body.callback_url })
  checkGroup({ param: 'resolution', resolution: body.resolution, offered: resolutions }, call.account)
  const content = readContent(body.content, 'generation')
  checkRatio(content.mode, body.ratio)
  return withMedia(call, content, media => {
    const ratio = resolvedRatio(body.ratio, { content, media, isExplicit: variant.isRatioExplicit })
    const { resolution, duration: seconds } = body
    return admitVideo(call, variant, {
      kind: variant.id,
      model: body.model,
      notes: notesOn(media),
      job: {
        taskType: 'generation',
        prompt: content.prompt,
        resolution,
        seconds,
        ratio,
        size: pixels[resolution][ratio],
        frames: framesFor(resolution, seconds),
        mark: body.aigc_watermark ?? false,
        ...inputsOf(content, media),
        ...picturesOf(content, media),
      },
    })
  })
}

/** An order that reads the inputs of a content, checks each and their total lengths, and admits the task. */
export function withMedia(
  call: Call,
  content: Content,
  store: (media: readonly MediaFacts[]) => Task,
): Order<readonly MediaFacts[]> {
  const references = content.media.map(item => ({
    reference: item.url,
    kind: item.sort,
    param: item.param,
    limits: limitsOf(item),
    store: 'mm_file' as const,
  }))
  return mediaOrder(call, references, media => store(checkTotals(content, media)))
}

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
