import { bothWays } from '../geometry.ts'

export const resolutions = ['480p', '720p', '1080p', '4k'] as const
export type Resolution = (typeof resolutions)[number]
export const fixedRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'] as const
export type FixedRatio = (typeof fixedRatios)[number]

/** What differs between the models of the family. */
export interface Model {
  /** How error messages name it. */
  title: string
  resolutions: readonly Resolution[]
  shortestSeconds: number
  longestSeconds: number
  standardDuration: number
  /** True when the model has task-type rules, `output_format` and `omni_reference_task_type`. */
  hasTaskTypes: boolean
  counts: { image: number; video: number; audio: number }
  allowsAudioAlone: boolean
  /** Length of the input videos or audios in seconds, each and in total. */
  inputSeconds: { least: number; most: number; total: number }
  maxDownloads?: number
  /** The key of its price in `fixtures/prices.json`. */
  price: string
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

/** Upstream's published limits and pixel tables, by model. */
export const models: Readonly<Record<string, Model>> = {
  model_a_20: {
    title: '2.0',
    price: 'model_a_20.per_million_tokens',
    resolutions,
    shortestSeconds: 4,
    longestSeconds: 15,
    standardDuration: 5,
    hasTaskTypes: false,
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
    price: 'model_a_25.per_million_tokens',
    resolutions: ['480p', '720p', '1080p'],
    shortestSeconds: 4,
    longestSeconds: 30,
    standardDuration: -1,
    hasTaskTypes: true,
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
