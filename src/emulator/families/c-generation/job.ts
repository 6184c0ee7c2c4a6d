import type { VideoRecipe } from '../../../media/index.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import { count, flag, frameCount, record, text, type Value, videoSize } from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import { type Pictures, picturesFrom, pictureValues, videoRecipe } from '../video-recipe.ts'
import type { Content, MediaItem, Role } from './content.ts'
import { fps, listedRatio, type Ratio, ratios, resolutions } from './variants.ts'

const allJobs = {
  prompt: text,
  /** Seconds, as requested or as the source has them. */
  seconds: count,
  /** The ratio in replies: the resolved one, or `''` for regenerations. */
  ratio: { enum: [...ratios, ''] },
} as const

/** The schema of a generation or regeneration in data files and state documents. */
export const videoJobSchema = record(
  {
    ...allJobs,
    taskType: { enum: ['generation', 'regeneration'] },
    resolution: { enum: resolutions },
    size: videoSize,
    frames: frameCount,
    /** Length of the reference videos, in whole seconds. */
    inputSeconds: count,
    inputImages: count,
    mark: flag,
  },
  {
    /** The picture seed of the source task, so that a regeneration shows the same pictures. */
    pictureSeed: count,
    ...pictureValues,
  },
)

/** The schema of a prompt enhancement in data files and state documents. */
export const textJobSchema = record(
  { ...allJobs, taskType: { const: 'h3_context_ir' }, enhanced: text },
  {
    /** Absent where the variant does not report tokens. */
    tokens: record({ prompt: count, completion: count }),
  },
)

/** A generation or regeneration: all that its replies, recipe and price depend on. Resolved once, at admission. */
export type VideoJob = Value<typeof videoJobSchema>
/** A prompt enhancement. */
export type TextJob = Value<typeof textJobSchema>
export type GenerationJob = VideoJob | TextJob

/** The job of a task of this family. */
export function jobOf(task: Pick<Task, 'job'>): GenerationJob {
  return task.job as GenerationJob
}

/** The resolved ratio: from frames or references, or as requested (C-ratio). */
export function resolvedRatio(
  asked: Ratio | 'adaptive' | undefined,
  { content, media, isExplicit }: { content: Content; media: readonly MediaFacts[]; isExplicit: boolean },
): Ratio {
  const followsFrame = !isExplicit && content.mode !== 'text' && content.mode !== 'reference'
  if (asked !== undefined && asked !== 'adaptive' && !followsFrame) return asked
  return listedRatio(guideOf(content, media))
}

/** Width divided by height of the input that `adaptive` follows: the first frame, or else the first picture. */
function guideOf(content: Content, media: readonly MediaFacts[]): number {
  const first = media.findIndex((_, index) => content.media[index]?.role === 'first_frame')
  const found = media[first] ?? media.find(facts => facts.widthPx && facts.heightPx)
  return found?.widthPx && found.heightPx ? found.widthPx / found.heightPx : 16 / 9
}

/** Posters of the inputs, by role. */
export function picturesOf({ media: items }: Content, media: readonly MediaFacts[]): Pictures {
  const poster = (role: Role) => media.find((_, index) => items[index]?.role === role)?.poster
  const references = media.flatMap((facts, index) =>
    isReference(items[index]) && facts.poster ? [facts.poster] : [],
  )
  return picturesFrom({ first: poster('first_frame'), last: poster('last_frame'), references })
}

/** The inputs as usage counts them: whole seconds of reference video, and images of every role. */
export function inputsOf(
  { media: items }: Content,
  media: readonly MediaFacts[],
): Pick<VideoJob, 'inputSeconds' | 'inputImages'> {
  const videos = media.filter((_, index) => items[index]?.role === 'reference_video')
  return {
    inputSeconds: Math.round(videos.reduce((sum, { seconds = 0 }) => sum + seconds, 0)),
    inputImages: items.filter(item => item.sort === 'image').length,
  }
}

function isReference(item: MediaItem | undefined): boolean {
  return item?.role.startsWith('reference_') ?? false
}

/** The recipe of a video task: stereo sound and 24 frames a second, as measured upstream. */
export function recipeOf(task: Task, job: VideoJob): VideoRecipe {
  const { prompt, size, frames, mark, resolution, taskType, pictureSeed } = job
  return videoRecipe(task, {
    prompt,
    size,
    frames,
    fps,
    audio: 'stereo',
    mark,
    seed: pictureSeed,
    length: Math.round((frames / fps) * 100) / 100,
    about: [`${resolution} ${taskType}`],
    pictures: job,
  })
}
