import { type FamilyFacts, ownWords } from '../family.ts'
import { bothWays } from '../geometry.ts'

export const resolutions = ['480p', '720p', '1080p', '4k'] as const
export type Resolution = (typeof resolutions)[number]
export const fixedRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'] as const
export type FixedRatio = (typeof fixedRatios)[number]

/** In seconds. */
export interface Lengths {
  least: number
  most: number
}

/** What differs between the models of the family. */
export interface Model {
  /** Its version, as messages and published names have it. */
  title: string
  resolutions: readonly Resolution[]
  standardResolution: Resolution
  shortestSeconds: number
  longestSeconds: number
  standardDuration: number
  /** The values of `output_format`, the default first. Without any, the field must not be sent, and records do not have it. */
  formats: readonly ('mp4' | 'mov')[]
  /** Present when the model has task-type rules and `omni_reference_task_type`; the length in seconds of a video that it edits. */
  edits?: Lengths
  /** The resolutions whose mp4 files upstream delivers as HEVC. */
  hevc: readonly Resolution[]
  /** True when the picture of an adaptive task is cropped to a listed ratio. */
  cropsToListed: boolean
  counts: { image: number; video: number; audio: number }
  allowsAudioAlone: boolean
  /** Length of the input videos or audios in seconds, each and in total. */
  inputSeconds: Lengths & { total: number }
  maxDownloads?: number
  pixels: Readonly<
    Partial<Record<Resolution, Readonly<Record<FixedRatio, readonly [width: number, height: number]>>>>
  >
}

const p720 = bothWays({ '16:9': [1280, 720], '4:3': [1112, 834], '1:1': [960, 960], '21:9': [1470, 630] })
const p1080 = bothWays({
  '16:9': [1920, 1080],
  '4:3': [1664, 1248],
  '1:1': [1440, 1440],
  '21:9': [2206, 946],
})

/** Upstream's published limits and pixel tables, by model. A price per million tokens is in `fixtures/prices.json`, published names in `fixtures/models.json`. */
export const models: Readonly<Record<string, Model>> = {
  model_a_20: {
    title: '2.0',
    resolutions,
    standardResolution: '720p',
    shortestSeconds: 4,
    longestSeconds: 15,
    standardDuration: 5,
    formats: [],
    hevc: ['4k'],
    cropsToListed: true,
    counts: { image: 9, video: 3, audio: 3 },
    allowsAudioAlone: false,
    inputSeconds: { least: 2, most: 15, total: 15 },
    pixels: {
      '480p': bothWays({ '16:9': [864, 496], '4:3': [752, 560], '1:1': [640, 640], '21:9': [992, 432] }),
      '720p': p720,
      '1080p': p1080,
      '4k': bothWays({
        '16:9': [3840, 2160],
        '4:3': [3326, 2494],
        '1:1': [2880, 2880],
        '21:9': [4398, 1886],
      }),
    },
  },
  model_a_25: {
    title: '2.5',
    resolutions: ['480p', '720p', '1080p'],
    standardResolution: '720p',
    shortestSeconds: 4,
    longestSeconds: 30,
    standardDuration: -1,
    formats: ['mp4', 'mov'],
    edits: { least: 4, most: 30 },
    hevc: ['1080p'],
    cropsToListed: false,
    counts: { image: 30, video: 10, audio: 10 },
    allowsAudioAlone: true,
    inputSeconds: { least: 2, most: 30, total: 30 },
    maxDownloads: 100,
    pixels: {
      '480p': bothWays({ '16:9': [854, 480], '4:3': [752, 560], '1:1': [640, 640], '21:9': [992, 432] }),
      '720p': p720,
      '1080p': p1080,
    },
  },
}

/** The model of a name that no table knows. */
export const usualModel = 'model_a_25'

/** The model whose version a name has: not the digits of a snapshot date, as in `-2-0-251015`. */
export function modelLike(name: string): string {
  const pattern = ({ title }: Model) => new RegExp(`(?<!\\d)${title.replace('.', '[_.-]?')}(?!\\d)`)
  return Object.keys(models).find(id => pattern(models[id] as Model).test(name)) ?? usualModel
}

/** `2.5`, or `2.0 and 2.5`: the models that have something. */
export function titlesOf(has: (model: Model) => unknown): string {
  const titles = Object.values(models)
    .filter(has)
    .map(({ title }) => title)
  const last = titles.pop() ?? ''
  if (titles.length === 0) return last
  // Intl.ListFormat would load tables of languages, which takes 12 of the 168 ms of a start.
  return `${titles.join(', ')}${titles.length > 1 ? ',' : ''} and ${last}`
}

/** Fields that some models have, and others refuse. */
export const ofSomeModels = {
  output_format: ({ formats }: Model) => formats.length > 0,
  omni_reference_task_type: ({ edits }: Model) => edits !== undefined,
}

/** Family A: video tasks. Only the links of some models have a limit of downloads (Spec, "Family A: task record", link rules). */
export const facts: FamilyFacts = {
  id: 'a',
  title: `Family A: video, versions ${titlesOf(() => true)}`,
  models,
  limitsDownloads: Object.values(models).some(({ maxDownloads }) => maxDownloads !== undefined),
  words: ownWords('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'),
  contentCode: 'OutputVideoSensitiveContentDetected',
  findsBy: 'list',
}
