import { FaultError, invalid } from '../../faults/fault.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Task } from '../../worlds/task.ts'
import { checkGroup, checkNoCallback } from '../create-rules.ts'
import { notesOn } from '../input-media.ts'
import { chooseModel } from '../models.ts'
import type { Order } from '../order.ts'
import { picturesFrom } from '../video-recipe.ts'
import { type Content, readContent } from './content.ts'
import { admitVideo, withMedia } from './create.ts'
import { inputsOf, jobOf, type VideoJob } from './job.ts'
import { checkBaseVideo } from './rules.ts'
import type { ContentItem, RegenerateBody } from './schema.ts'
import { findTask } from './task-endpoints.ts'
import { enlarged, facts, fps, framesFor, type Variant } from './variants.ts'

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
    return { admit: () => store(call, variant, { job, notes: [] }) }
  }
  if (content !== undefined) return regenerateContent(call, variant, content)
  throw new FaultError('invalid_parameter', {
    param: 'source_task_id',
    message: 'invalid params, one of source_task_id and content is required',
  })
}

type SourceJob = Omit<VideoJob, 'taskType' | 'resolution' | 'ratio' | 'mark'>

function store(
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
    return store(call, variant, { job: fromBase(base, content, media), notes: notesOn(media) })
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
