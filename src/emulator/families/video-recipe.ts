import type { Digest, VideoRecipe, VideoSound } from '../../media/index.ts'
import type { Span } from '../tasks/admission.ts'
import type { MediaFacts } from '../worlds/media-facts.ts'
import { digest, record, type Value } from '../worlds/record-values.ts'
import type { Task } from '../worlds/task.ts'
import type { Size } from './geometry.ts'

/** Range of the time that a task waits before it starts, virtual ms (A-run-times). */
export const queuedMs: Span = [1000, 3000]

/** Range of the run time for five seconds of 720p, virtual ms, for families without a range of their own. */
export const usualMs: Span = [8000, 20_000]

/**
 * Range of the run time of a video, virtual ms. `span` is for five seconds of 720p; the time grows with seconds and pixels
 * (A-run-times).
 */
export function runningMs(
  { size: [width, height], seconds }: { size: Size; seconds: number },
  span: Span = usualMs,
): Span {
  const growth = 0.5 + 0.5 * (seconds / 5) * Math.sqrt((width * height) / (1280 * 720))
  return [Math.round(span[0] * growth), Math.round(span[1] * growth)]
}

/** The schemas of a job's pictures. */
export const pictureValues = {
  firstPicture: digest,
  lastPicture: digest,
  references: { type: 'array', maxItems: 1000, items: digest },
} as const

export const picturesSchema = record({}, pictureValues)

/** The pictures that a rendering starts from, ends with or shows, as a job stores them. */
export type Pictures = Value<typeof picturesSchema>

/** The pictures of a job, without those that the request does not have. */
export function picturesFrom({
  first,
  last,
  references = [],
}: {
  first: Digest | undefined
  last: Digest | undefined
  references?: readonly Digest[]
}): Pictures {
  return {
    ...(first && { firstPicture: first }),
    ...(last && { lastPicture: last }),
    ...(references.length > 0 && { references }),
  }
}

/** The sound of an input file. A voice without words replaces it when the file was not read. */
export function carried(file: Pick<MediaFacts, 'sound'> | undefined): VideoSound {
  return file?.sound === undefined ? { kind: 'voice' } : { kind: 'given', content: file.sound }
}

/** The part of a recipe that a family decides; `videoRecipe` adds the part that is the same for all families. */
export interface Video
  extends Pick<
    VideoRecipe,
    'frames' | 'fps' | 'audio' | 'mark' | 'sound' | 'levelBar' | 'clearEnd' | 'prompt'
  > {
  size: Size
  /** The length in seconds, as the caption shows it. */
  length: number | string
  /** Facts in the caption, between the model and the size; that of an edit begins with the word for it. */
  about: readonly string[]
  pictures: Pictures
  container?: VideoRecipe['container']
  codec?: VideoRecipe['codec']
  /** The seed of the pictures; without it, the task's seed. */
  seed?: number | undefined
}

const signs: Readonly<Record<string, string>> = { edit: 'edit', extend: 'extension' }

/** The word for the caption of a video that continues or edits its source; none for other videos. */
export function captionWordOf(mode: string): string[] {
  return signs[mode] === undefined ? [] : [signs[mode]]
}

/** The recipe of a task's video: an H.264 MP4, unless the family says otherwise. */
export function videoRecipe(task: Pick<Task, 'id' | 'model' | 'seed'>, video: Video): VideoRecipe {
  const { size, length, about, pictures, seed = task.seed, ...rest } = video
  const [width, height] = size
  const { firstPicture, lastPicture, references } = pictures
  return {
    kind: 'video',
    container: 'mp4',
    codec: 'h264',
    ...rest,
    width,
    height,
    seed,
    caption: {
      title: task.id,
      facts: [task.model, ...about, `${width}×${height}, ${length} s`],
    },
    ...(firstPicture && { firstFrame: firstPicture }),
    ...(lastPicture && { lastFrame: lastPicture }),
    ...(references && { references }),
    ...(about[0] === signs.edit && { edited: true }),
  }
}
