import { FaultError, invalid } from '../../faults/fault.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Random } from '../../worlds/random.ts'
import type { Task } from '../../worlds/task.ts'
import { checkGroup, checkNoCallback } from '../create-rules.ts'
import { type MediaReference, notesOn } from '../input-media.ts'
import { chooseModel, priceOf } from '../models.ts'
import { mediaOrder, type Order } from '../order.ts'
import { ownTask, weekMs } from '../own-task.ts'
import { picturesFrom, queuedMs, runningMs } from '../video-recipe.ts'
import { type Content, readContent } from './content.ts'
import { inputsOf, jobOf, picturesOf, resolvedRatio, type VideoJob } from './job.ts'
import { failureOf } from './present.ts'
import { checkBaseVideo, checkRatio, checkTotals, limitsOf } from './rules.ts'
import type { ContentItem, CreateBody, RegenerateBody } from './schema.ts'
import { enlarged, facts, fps, framesFor, pixels, resolutions, type Variant } from './variants.ts'

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

/** An order that reads the inputs of a content, checks their total lengths and admits the task. */
function withMedia(
  call: Call,
  content: Content,
  store: (media: readonly MediaFacts[]) => Task,
): Order<readonly MediaFacts[]> {
  return mediaOrder(call, mediaReferencesIn(content), media => store(checkTotals(content, media)))
}

/** The input files of a content and the limits of each. */
export function mediaReferencesIn(content: Content): MediaReference[] {
  return content.media.map(item => ({
    reference: item.url,
    kind: item.sort,
    param: item.param,
    limits: limitsOf(item),
    store: 'mm_file' as const,
  }))
}

interface VideoOrder {
  kind: string
  model: string
  job: VideoJob
  notes: readonly string[]
}

/** Admits a generation or regeneration whose job is resolved. */
function admitVideo(call: Call, variant: Variant, { kind, model, job, notes }: VideoOrder): Task {
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

/**
 * The caller's own task in the variant's namespace, made within the last 7 days. Throws `not_found` for every other id, also for
 * a task of the other variant (Spec, "Errors" rule 4).
 */
export function findTask(call: Call, variant: Variant, id: string, param = 'task_id'): Task {
  const task = ownTask(call, { family: variant.id, id, since: call.now - weekMs })
  if (!task) throw new FaultError('not_found', { param })
  return task
}

/** Checks a 2K regeneration. It has either a source task or a base video (Spec, `video_regeneration`; C-regeneration). */
export function regenerateVideo(call: Call, variant: Variant): Order<readonly MediaFacts[]> {
  const body = call.body as RegenerateBody
  const { source_task_id: source, content } = body
  chooseModel(call, body.model, facts.models)
  checkNoCallback({ callback_url: body.callback_url })
  checkGroup({ param: 'resolution', resolution: body.resolution, offered: ['2K'] }, call.account)
  if (source !== undefined && content !== undefined)
    throw invalid('source_task_id', 'excludes content, must be sent without it')
  if (source !== undefined) {
    const job = fromTask(call, variant, source)
    return { admit: () => admitRegeneration(call, variant, { job, notes: [] }) }
  }
  if (content !== undefined) return regenerateContent(call, variant, content)
  throw new FaultError('invalid_parameter', {
    param: 'source_task_id',
    message: 'invalid params, one of source_task_id and content is required',
  })
}

type SourceJob = Omit<VideoJob, 'taskType' | 'resolution' | 'ratio' | 'mark'>

function admitRegeneration(
  call: Call,
  variant: Variant,
  { job, notes }: { job: SourceJob; notes: readonly string[] },
): Task {
  const body = call.body as RegenerateBody
  return admitVideo(call, variant, {
    kind: `${variant.id}.regenerate`,
    model: body.model,
    notes,
    job: {
      ...job,
      taskType: 'regeneration',
      resolution: body.resolution,
      // Upstream's samples of regenerations have an empty ratio.
      ratio: '',
      mark: body.aigc_watermark ?? false,
    },
  })
}

/**
 * Throws `not_found` when the source is not a task of the account and variant, `invalid_parameter` when it cannot be regenerated.
 */
function fromTask(call: Call, variant: Variant, id: string): SourceJob {
  const source = findTask(call, variant, id, 'source_task_id')
  const job = jobOf(source)
  const { status } = viewAt(source, call.now)
  if (job.taskType !== 'generation')
    throw invalid('source_task_id', `is a task of type ${job.taskType}, must be a generation`)
  if (status !== 'succeeded')
    throw invalid('source_task_id', `is a task that is ${status}, must be succeeded`)
  const [width, height] = job.size
  return {
    ...job,
    size: enlarged(width / height),
    inputSeconds: 0,
    inputImages: 0,
    pictureSeed: source.seed,
  }
}

function regenerateContent(
  call: Call,
  variant: Variant,
  items: readonly ContentItem[],
): Order<readonly MediaFacts[]> {
  const content = readContent(items, 'regeneration')
  const baseIndex = content.media.findIndex(item => item.role === 'base_video')
  return withMedia(call, content, media => {
    const base = media[baseIndex]
    if (!base) throw new Error('the content has no base video, although the rules require one')
    checkBaseVideo(base, content.media[baseIndex]?.param ?? 'content', variant)
    return admitRegeneration(call, variant, { job: fromBase(base, content, media), notes: notesOn(media) })
  })
}

/** A regeneration shows the pictures of its base video only, not those of other inputs. */
function fromBase(base: MediaFacts, content: Content, media: readonly MediaFacts[]): SourceJob {
  const { widthPx = 16, heightPx = 9 } = base
  const frames = framesOf(base)
  return {
    prompt: content.prompt,
    frames,
    seconds: Math.round(frames / fps),
    size: enlarged(widthPx / heightPx),
    ...inputsOf(content, media),
    ...picturesFrom({ first: base.poster, last: base.lastPoster }),
  }
}

/** An invented length is rounded to a length that a base video can have. */
function framesOf({ origin, frames, seconds = 5 }: MediaFacts): number {
  return origin === 'stand_in' || frames === undefined ? framesFor('768P', Math.round(seconds)) : frames
}
