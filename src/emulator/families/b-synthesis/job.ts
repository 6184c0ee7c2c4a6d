import { totalSeconds, type VideoRecipe } from '../../../media/index.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Random } from '../../worlds/random.ts'
import {
  count,
  flag,
  frameCount,
  id,
  measure,
  ratioText,
  record,
  text,
  type Value,
  videoSize,
} from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import { nearestRatio, type Size, simpleRatio, sizeOfArea } from '../geometry.ts'
import { captionWordOf, type Pictures, picturesFrom, pictureValues, videoRecipe } from '../video-recipe.ts'
import { type Content, goesBackward, modes } from './content.ts'
import { type FixedRatio, fixedRatios, pixels, type Resolution, resolutions } from './models.ts'
import { factsOf, type Measured, standardDuration } from './rules.ts'
import type { Parameters } from './schema.ts'

/** The schema of a job in data files and state documents. */
export const jobSchema = record(
  {
    modelId: id,
    mode: { enum: modes },
    prompt: text,
    resolution: { enum: resolutions },
    /** The resolved ratio, never `adaptive`. */
    ratio: ratioText,
    size: videoSize,
    seconds: frameCount,
    inputSeconds: measure,
    audio: flag,
    mark: flag,
  },
  {
    /** The caller's seed; absent when the emulator draws one. */
    seed: count,
    ...pictureValues,
  },
)

/** All that replies, recipes and prices of a family B task depend on. Resolved once, at admission. */
export type SynthesisJob = Value<typeof jobSchema>

/** Upstream's page: "the output's frame rate is 30 fps". */
export const fps = 30

export interface Resolved {
  modelId: string
  parameters: Parameters
  content: Content
  media: readonly Measured[]
}

/**
 * Resolves a checked request. An open length or ratio is drawn from the task's random stream, so the same seed gives the same
 * job.
 */
export function jobOf({ modelId, parameters, content, media }: Resolved, random: Random): SynthesisJob {
  const resolution = parameters.resolution ?? '1080P'
  const inputSeconds = totalSeconds(factsOf(media, 'reference_video'))
  const { seed = -1 } = parameters
  return {
    modelId,
    mode: content.mode,
    prompt: content.prompt,
    resolution,
    ...geometryOf(parameters.ratio ?? 'adaptive', { resolution, media }, random),
    seconds: lengthOf(parameters.duration ?? standardDuration, random),
    inputSeconds,
    audio: parameters.audio ?? true,
    mark: parameters.watermark ?? false,
    ...(seed >= 0 && { seed }),
    ...picturesOf(content, media),
  }
}

/** An open length always fits beside input videos, which have at most 15 seconds together. */
function lengthOf(asked: number, random: Random): number {
  const drawn = random.integer(4, 12)
  return asked === -1 ? drawn : asked
}

/**
 * `adaptive` follows a first frame exactly, and reference videos and pictures by the nearest listed ratio. Without any, the
 * service picks a listed ratio (B-ratio).
 */
function geometryOf(
  asked: FixedRatio | 'adaptive',
  { resolution, media }: { resolution: Resolution; media: readonly Measured[] },
  random: Random,
): { ratio: string; size: Size } {
  const table = pixels[resolution]
  const drawn = random.pick(fixedRatios)
  if (asked !== 'adaptive') return { ratio: asked, size: table[asked] }
  const frame = aspectIn(factsOf(media, 'first_frame'))
  const guide =
    frame ?? aspectIn([...factsOf(media, 'reference_video'), ...factsOf(media, 'reference_image')])
  if (guide === undefined) return { ratio: drawn, size: table[drawn] }
  const near = nearestRatio<FixedRatio>(guide, fixedRatios)
  if (frame === undefined || near.offBy < 0.02) return { ratio: near.ratio, size: table[near.ratio] }
  const [width, height] = table['16:9']
  return { ratio: simpleRatio(frame), size: sizeOfArea(width * height, frame) }
}

function aspectIn(facts: readonly MediaFacts[]): number | undefined {
  const [first] = facts
  return first?.widthPx && first.heightPx ? first.widthPx / first.heightPx : undefined
}

/**
 * The pictures that the rendering starts from, ends with or shows. An extension starts from the last picture of its input or, backward, ends
 * with the first one; an edit keeps both ends.
 */
function picturesOf(content: Content, media: readonly Measured[]): Pictures {
  const { mode } = content
  const [video] = factsOf(media, 'reference_video')
  const [firstFrame] = factsOf(media, 'first_frame')
  const [lastFrame] = factsOf(media, 'last_frame')
  const isBackward = goesBackward(content)
  const references = media.flatMap(({ type, facts }) =>
    type.startsWith('reference_') ? (facts.poster ?? []) : [],
  )
  if (mode === 'extend')
    return picturesFrom({
      first: isBackward ? undefined : video?.lastPoster,
      last: isBackward ? video?.poster : undefined,
      references,
    })
  const isEdit = mode === 'edit'
  return picturesFrom({
    first: isEdit ? video?.poster : firstFrame?.poster,
    last: isEdit ? video?.lastPoster : lastFrame?.poster,
    references,
  })
}

/** The recipe of a task's video. */
export function videoOf(task: Task): VideoRecipe {
  const job = task.job as SynthesisJob
  const { resolution, ratio, seconds, audio, mark, seed, prompt, size } = job
  return videoRecipe(task, {
    prompt,
    size,
    frames: seconds * fps,
    fps,
    // B-sound.
    audio: audio ? 'stereo' : 'none',
    mark,
    seed,
    length: seconds,
    about: [...captionWordOf(job.mode), `${resolution} ${ratio}`],
    pictures: job,
  })
}
