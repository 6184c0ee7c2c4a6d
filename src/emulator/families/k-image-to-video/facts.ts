import type { Task } from '../../worlds/task.ts'
import type { FamilyFacts, Words } from '../family.ts'
import type { Resolution } from './job.ts'

/** The content of one type of `contents` item, and how many of them a request may have. */
export interface Slot {
  holds: 'text' | 'image' | 'video' | 'element'
  most: number
  isRequired?: boolean
}

/** What differs between the models of an operation. */
export interface Model {
  /** Its name in error messages. */
  title: string
  resolutions: readonly Resolution[]
  longestPrompt: number
  slots: Readonly<Record<string, Slot>>
  /** Values of `settings.audio`, the default first. Null when the model has no such setting and always has sound. */
  audio: readonly [Audio, ...Audio[]] | null
}

export type Audio = 'native' | 'original' | 'off'

/** What differs between the three submissions that make a video. */
export interface VideoOperation {
  /** The kind of its tasks. */
  kind: 'k' | 'k.omni' | 'k.motion'
  models: Readonly<Record<string, Model>>
  /** The model of a task that the control API makes without a model. */
  standardModel: string
  /** The price key; when absent, the price of the model is used. */
  price?: string
  /** Length of the video inputs, seconds. */
  videoSeconds?: { min: number; max: number }
}

const prompt = { holds: 'text', most: 1 } as const satisfies Slot
const firstFrame = { holds: 'image', most: 1, isRequired: true } as const satisfies Slot
const frame = { holds: 'image', most: 1 } as const satisfies Slot

/** Spec, "Family K": `POST /image-to-video/{model}`. Values of settings are upstream's published ones (K-settings). */
export const imageToVideo: VideoOperation = {
  kind: 'k',
  standardModel: 'model_k_30',
  models: {
    model_k_30: {
      title: '3.0',
      resolutions: ['720p', '1080p', '4k'],
      longestPrompt: 3072,
      audio: ['off', 'native'],
      slots: { prompt, first_frame: firstFrame, last_frame: frame, element: { holds: 'element', most: 3 } },
    },
    model_k_30_turbo: {
      title: '3.0 turbo',
      resolutions: ['720p', '1080p'],
      longestPrompt: 2500,
      audio: null,
      // The specification lists last_frame for both models (K-last-frame).
      slots: { prompt, first_frame: firstFrame, last_frame: frame },
    },
  },
}

const omniModel: Model = {
  title: 'omni',
  resolutions: ['720p', '1080p', '4k'],
  longestPrompt: 2500,
  audio: ['off', 'native', 'original'],
  slots: {
    prompt,
    first_frame: frame,
    last_frame: frame,
    refer_image: { holds: 'image', most: 7 },
    feature_video: { holds: 'video', most: 1 },
    base_video: { holds: 'video', most: 1 },
    element: { holds: 'element', most: 7 },
  },
}

/** Beyond the specification, in upstream's published shape (K-beyond). The gateway's own 3.0 id is accepted too. */
export const omni: VideoOperation = {
  kind: 'k.omni',
  standardModel: 'model_k_30_omni',
  models: { model_k_30_omni: omniModel, model_k_30: omniModel },
  price: 'k.omni.per_second',
  videoSeconds: { min: 3, max: 10 },
}

/** Beyond the specification, in upstream's published shape (K-beyond). */
export const motionControl: VideoOperation = {
  kind: 'k.motion',
  standardModel: 'model_k_30',
  models: {
    model_k_30: {
      title: 'motion control',
      resolutions: ['720p', '1080p'],
      longestPrompt: 2500,
      audio: ['original', 'off'],
      slots: {
        prompt,
        image: firstFrame,
        video: { holds: 'video', most: 1, isRequired: true },
        element: { holds: 'element', most: 1 },
      },
    },
  },
  price: 'k.motion.per_second',
  videoSeconds: { min: 3, max: 30 },
}

/** Spec, "States and transitions", K (batch query). */
const videoWords: Words = {
  queued: 'submitted',
  running: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
}

/** Spec, "States and transitions", note 2: avatar and voice tasks spell success `succeed`. Presets do too (K-presets). */
const legacyWords: Words = { ...videoWords, succeeded: 'succeed' }

export const facts: FamilyFacts = {
  id: 'k',
  title: 'Family K: image-to-video, avatar, voice clone, preset subjects',
  models: { ...motionControl.models, ...omni.models, ...imageToVideo.models },
  words: videoWords,
  wordsOfKinds: { 'k.avatar': legacyWords, 'k.voice': legacyWords, 'k.preset': legacyWords },
  contentCode: '1301',
  findsBy: 'external_id',
  fileless: ['k.voice.create'],
}

export function words({ kind }: Pick<Task, 'kind'>): Words {
  return facts.wordsOfKinds?.[kind] ?? facts.words
}
