import { codecs, containers, type VideoRecipe } from '../../../media/index.ts'
import { excerpt, longestKept } from '../../worlds/excerpt.ts'
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
import type { Content, MediaSort } from './content.ts'
import { type FixedRatio, fixedRatios, type Model, resolutions } from './models.ts'
import type { CreateBody } from './schema.ts'
import { editedVideo, goesBackward, type TaskType, taskTypes } from './task-type.ts'

/** The schema of a job in data files and state documents. */
export const jobSchema = record(
  {
    modelId: id,
    type: { enum: taskTypes },
    prompt: text,
    resolution: { enum: resolutions },
    /** The resolved ratio; on 2.5 it may be outside the request's enum. */
    ratio: ratioText,
    size: videoSize,
    /** Whole seconds, as in the record. */
    seconds: count,
    /** Of the file, in frames. */
    frames: frameCount,
    inputSeconds: measure,
    audio: flag,
    mark: flag,
    lastFrame: flag,
    container: { enum: containers },
    expiresAfterSeconds: count,
    priority: { type: 'integer' },
    codec: { enum: codecs },
  },
  // `hasTaskTypes` is in jobs that earlier versions stored.
  { safetyIdentifier: text, hasTaskTypes: flag, ...pictureValues },
)

/** All that replies, recipes and prices of a family A task depend on. Resolved once, at admission. */
export type ContentsJob = Value<typeof jobSchema>

export const fps = 24
const standardExpirySeconds = 172_800

interface Resolved {
  body: CreateBody
  content: Content
  type: TaskType
  model: Model & { id: string }
  media: readonly MediaFacts[]
}

/**
 * Resolves a checked request. An open length or ratio is drawn from the task's random stream, so the same seed gives the same
 * job.
 */
export function jobOf(
  { body, content, type, model, media }: Resolved,
  random: Random,
  codecs: 'browser' | 'upstream',
): ContentsJob {
  const resolution = body.resolution ?? model.standardResolution
  const container = body.output_format ?? model.formats[0] ?? 'mp4'
  const inputSeconds = secondsOf('video', content, media)
  const { ratio, size } = geometryOf({ body, content, type, model, media }, random)
  const asked = body.duration ?? model.standardDuration
  const { seconds, frames } = lengthOf(asked, { type, model, content, media }, random)
  // Every field that all jobs have is set here by name: V8 copies objects with spread syntax much more slowly.
  const job: ContentsJob = {
    modelId: model.id,
    type,
    prompt: excerpt(content.prompt, longestKept),
    resolution,
    ratio,
    size,
    seconds,
    frames,
    inputSeconds,
    audio: body.generate_audio ?? true,
    mark: body.watermark ?? false,
    lastFrame: body.return_last_frame ?? false,
    container,
    expiresAfterSeconds: body.execution_expires_after ?? standardExpirySeconds,
    priority: body.priority ?? 0,
    codec: codecs === 'upstream' ? upstreamCodec(model, { resolution, container }) : 'h264',
  }
  if (body.safety_identifier !== undefined) job.safetyIdentifier = body.safety_identifier
  if (media.length > 0) Object.assign(job, picturesOf(type, content, media))
  return job
}

/**
 * Upstream's token formula over the frames of input and output. An edit is billed for one frame more than its file has (A-usage).
 */
export function tokensOf({ size, type, inputSeconds, frames }: Counted): number {
  const [width, height] = size
  const billed = Math.floor(inputSeconds * fps) + frames + (type === 'edit' ? 1 : 0)
  return Math.floor((width * height * billed) / 1024)
}

type Counted = Pick<ContentsJob, 'size' | 'frames' | 'inputSeconds' | 'type'>

/**
 * A file has one frame more than its seconds. An extension has not, because it continues its input (measured upstream; A-frames).
 */
export function framesOf(seconds: number, type: TaskType): number {
  return seconds * fps + (type === 'extend' ? 0 : 1)
}

/** Upstream delivers mov files as H.264 in 4:4:4 with PCM sound. */
function upstreamCodec(
  model: Model,
  { resolution, container }: Pick<ContentsJob, 'resolution' | 'container'>,
): ContentsJob['codec'] {
  if (container === 'mov') return 'h264_444'
  return model.hevc.includes(resolution) ? 'hevc' : 'h264'
}

function secondsOf(sort: MediaSort, content: Content, media: readonly MediaFacts[]): number {
  return media.reduce(
    (sum, facts, index) => sum + (content.media[index]?.sort === sort ? (facts.seconds ?? 0) : 0),
    0,
  )
}

function lengthOf(
  asked: number,
  { type, model, content, media }: Pick<Resolved, 'type' | 'model' | 'content' | 'media'>,
  random: Random,
): Pick<ContentsJob, 'seconds' | 'frames'> {
  const drawn = random.integer(model.shortestSeconds, Math.min(model.longestSeconds, 12))
  const edited =
    type === 'edit' && model.edits ? editedVideo(model.edits, content, media)?.seconds : undefined
  if (edited !== undefined) {
    // Spec, "Task-type rules" 2: an edit is as long as its input; `duration` in the record is that length rounded down.
    const frames = Math.round(edited * fps)
    return { seconds: Math.floor(frames / fps), frames }
  }
  const seconds = asked === -1 ? drawn : asked
  return { seconds, frames: framesOf(seconds, type) }
}

/** `adaptive` follows the first frame or the input video. Without either, the service picks a listed ratio. */
function geometryOf(
  { body, content, type, model, media }: Resolved,
  random: Random,
): { ratio: string; size: Size } {
  const table = model.pixels[body.resolution ?? model.standardResolution]
  if (!table) throw new Error(`No pixel table for ${body.resolution}`)
  const drawn = random.pick(fixedRatios)
  const ratio = body.ratio ?? 'adaptive'
  if (ratio !== 'adaptive') return { ratio, size: table[ratio] }
  const guide = guideOf(type, content, media)
  if (!guide) return { ratio: drawn, size: table[drawn] }
  const near = nearestRatio<FixedRatio>(guide, fixedRatios)
  // A file has the ratio that its record reports.
  if (near.offBy < 0.02 || model.cropsToListed) return { ratio: near.ratio, size: table[near.ratio] }
  const [width, height] = table['16:9']
  return { ratio: simpleRatio(guide), size: sizeOfArea(width * height, guide) }
}

/** Width divided by height of the input that `adaptive` follows. */
function guideOf(type: TaskType, content: Content, media: readonly MediaFacts[]): number | undefined {
  const sort = type === 'edit' || type === 'extend' ? 'video' : 'image'
  if (type === 'text' || type === 'reference') return undefined
  const facts = media.find(
    (_, index) => content.media[index]?.sort === sort && content.media[index]?.role !== 'last_frame',
  )
  return facts?.widthPx && facts.heightPx ? facts.widthPx / facts.heightPx : undefined
}

/**
 * The pictures that the rendering starts from, ends with or shows. An extension starts from the last picture of its input, and one
 * backward ends with the first picture, so that both play as one after the other.
 */
function picturesOf(type: TaskType, content: Content, media: readonly MediaFacts[]): Pictures {
  const poster = (role: string) => media.find((_, index) => content.media[index]?.role === role)?.poster
  const video = media.find((_, index) => content.media[index]?.sort === 'video')
  const ends = () => {
    if (type === 'edit') return { first: video?.poster, last: video?.lastPoster }
    if (type !== 'extend') return { first: poster('first_frame'), last: poster('last_frame') }
    return goesBackward(content.prompt)
      ? { first: undefined, last: video?.poster }
      : { first: video?.lastPoster, last: undefined }
  }
  const references = media.flatMap((facts, index) =>
    content.media[index]?.role === 'reference' ? (facts.poster ?? []) : [],
  )
  return picturesFrom({ ...ends(), references })
}

/** The recipe of a task's video. */
export function videoOf(task: Task): VideoRecipe {
  const job = task.job as ContentsJob
  const { resolution, ratio, seconds, frames, container, codec, audio, mark, prompt, size } = job
  return videoRecipe(task, {
    prompt,
    size,
    frames,
    fps,
    container,
    codec,
    audio: audio ? 'mono' : 'none',
    mark,
    length: seconds,
    about: [...captionWordOf(job.type), `${resolution} ${ratio}`],
    pictures: job,
    ...(job.lastFrame && { clearEnd: true }),
  })
}
