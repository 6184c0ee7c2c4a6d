import type { Call } from '../../pipeline/endpoint.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Task } from '../../worlds/task.ts'
import { checkNoCallback } from '../callbacks.ts'
import { checkGroup } from '../groups.ts'
import { type MediaReference, notesOn } from '../input-media.ts'
import { chooseModel } from '../models.ts'
import { mediaOrder, type Order } from '../order.ts'
import { admitVideo } from './admit-video.ts'
import { type Content, readContent } from './content.ts'
import { inputsOf, picturesOf, resolvedRatio } from './job.ts'
import { framesFor, pixels, resolutions } from './pixels.ts'
import { checkRatio, checkTotals, limitsOf } from './rules.ts'
import type { CreateBody } from './schema.ts'
import type { Variant } from './variants.ts'

/** The models of the family. The table has no columns, because the models differ only in their names. */
export const models = { model_c: {} } as const

/** Checks a generation after its shape was checked, in the order of A-order. */
export function createVideo(call: Call, variant: Variant): Order<readonly MediaFacts[]> {
  const body = call.body as CreateBody
  chooseModel(call, body.model, models)
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
export function withMedia(
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
