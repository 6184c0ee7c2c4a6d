import type { SoundRecipe, VideoRecipe, VideoSound } from '../../../media/index.ts'
import {
  digest,
  flag,
  frameCount,
  holding,
  id,
  measure,
  record,
  requiredOf,
  text,
  type Value,
  videoSize,
} from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import type { Family } from '../family.ts'
import { type Size, sizeOfArea } from '../geometry.ts'
import { picturesSchema, videoRecipe } from '../video-recipe.ts'

export type Resolution = (typeof resolutions)[number]
const resolutions = ['720p', '1080p', '4k'] as const

const soundSchema = holding<VideoSound>({
  ...record({ kind: { enum: ['voice', 'given'] } }, { content: digest }),
  ...requiredOf('given', 'content'),
})

/** The schema of a video or avatar in data files and state documents. */
export const videoJobSchema = record(
  {
    kind: { const: 'video' },
    prompt: text,
    resolution: { enum: resolutions },
    size: videoSize,
    frames: frameCount,
    audio: flag,
    /** True when the task also offers a file with the mark. */
    watermark: flag,
    /** The id of its single output. */
    outputId: id,
    pictures: picturesSchema,
    /** Facts in the caption, besides size and length. */
    about: listOf(text),
  },
  {
    /** Its sound; music when absent. */
    sound: soundSchema,
  },
)

/** All that replies, recipes and prices of a video or avatar depend on. Resolved once, at admission. */
export type VideoJob = Value<typeof videoJobSchema>

/** The schema of a cloned voice in data files and state documents. */
export const voiceJobSchema = record({
  kind: { const: 'voice' },
  voiceId: id,
  voiceName: text,
  ownedBy: text,
  trialSeconds: measure,
})

export type VoiceJob = Value<typeof voiceJobSchema>

function listOf<const I extends object>(items: I) {
  return { type: 'array', maxItems: 1000, items } as const
}

/** An object with this text, and whatever else its author wrote. */
function having<const N extends string>(name: N) {
  const schema = { type: 'object', required: [name], properties: { [name]: { type: 'string' } } } as const
  return holding<Readonly<Record<N, string>>>(schema)
}

const elementSchema = record(
  {
    element_id: { type: 'integer' },
    element_name: text,
    element_description: text,
    reference_type: { enum: ['image_refer', 'video_refer'] },
    tag_list: listOf({
      type: 'object',
      required: ['id', 'name', 'description'],
      additionalProperties: { type: 'string' },
    }),
  },
  {
    element_image_list: {
      type: 'object',
      required: ['frontal_image'],
      properties: { frontal_image: { type: 'string' }, refer_images: listOf(having('image_url')) },
    },
    element_video_list: {
      type: 'object',
      required: ['refer_videos'],
      properties: { refer_videos: listOf(having('video_url')) },
    },
  },
)

/** A subject as the preset list shows it (upstream's names). Addresses may start with {{samples}}. */
export type PresetElement = Value<typeof elementSchema>

/** The schema of a preset subject in data files and state documents; the control API makes them. */
export const presetJobSchema = record({ kind: { const: 'preset' }, element: elementSchema })

export type ImageToVideoJob = VideoJob | VoiceJob | Value<typeof presetJobSchema>

export const fps = 24

const pixels: Readonly<Record<Resolution, number>> = {
  '720p': 1280 * 720,
  '1080p': 1920 * 1080,
  '4k': 3840 * 2160,
}

/** A size with the area of the resolution's 16:9 picture and the given width divided by height (K-size). */
export function sizeOf(resolution: Resolution, aspect: number): Size {
  return sizeOfArea(pixels[resolution], aspect)
}

/** Upstream's files have one frame more than requested: 3 s are 73 frames, reported as "3.041". */
export function framesOf(seconds: number): number {
  return fps * seconds + 1
}

/** The exact length as upstream writes it: seconds to the millisecond, truncated. */
export function durationText({ frames }: VideoJob): string {
  return (Math.floor((frames * 1000) / fps) / 1000).toFixed(3)
}

/** The files of a task: a clean video and, if requested, one with the mark; or the trial sound of a voice. */
function outputs(task: Task): Record<string, VideoRecipe | SoundRecipe> {
  const job = task.job as ImageToVideoJob
  switch (job.kind) {
    case 'video':
      return {
        video: videoOf(task, job, false),
        ...(job.watermark && { watermark: videoOf(task, job, true) }),
      }
    case 'voice':
      // WAV, because it can be written without ffmpeg.
      return { trial: { kind: 'sound', format: 'wav', seconds: job.trialSeconds, seed: task.seed } }
    case 'preset':
      return {}
  }
}

/** The files of the family and their links, which are valid for 30 days (K-links). */
export const files: Pick<Family, 'outputs' | 'links'> = {
  outputs,
  links: () => ({ lifeMs: 30 * 24 * 3_600_000 }),
}

function videoOf(task: Task, job: VideoJob, mark: boolean): VideoRecipe {
  const { prompt, size, frames, audio, sound, about, pictures } = job
  return videoRecipe(task, {
    prompt,
    size,
    frames,
    fps,
    audio: audio ? 'mono' : 'none',
    ...(sound && { sound }),
    ...(audio && task.kind === 'k.avatar' && { levelBar: true }),
    mark,
    length: durationText(job),
    about,
    pictures,
  })
}
