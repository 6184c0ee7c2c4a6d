import type { Size } from '../geometry.ts'
import type { Parameters } from './schema.ts'

export type Resolution = NonNullable<Parameters['resolution']>
export type FixedRatio = Exclude<NonNullable<Parameters['ratio']>, 'adaptive'>

export const resolutions: readonly Resolution[] = ['480P', '720P', '1080P']
export const fixedRatios: readonly [FixedRatio, ...FixedRatio[]] = [
  '16:9',
  '9:16',
  '1:1',
  '4:3',
  '3:4',
  '21:9',
]

/** What differs between the two models. Requests and replies are identical (Spec, "What the service does" 4). */
export interface Model {
  /** Factor for the run times. */
  pace: number
}

export const models: Readonly<Record<string, Model>> = {
  model_b: { pace: 1 },
  model_b_prime: { pace: 0.5 },
}

/**
 * Pixels by resolution and ratio (B-pixels): upstream's published table. The rows for 480P and 21:9 are ours, with about the same
 * areas.
 */
export const pixels: Readonly<Record<Resolution, Readonly<Record<FixedRatio, Size>>>> = {
  '480P': {
    '16:9': [832, 480],
    '9:16': [480, 832],
    '1:1': [624, 624],
    '4:3': [720, 544],
    '3:4': [544, 720],
    '21:9': [976, 416],
  },
  '720P': {
    '16:9': [1280, 720],
    '9:16': [720, 1280],
    '1:1': [960, 960],
    '4:3': [1104, 832],
    '3:4': [832, 1104],
    '21:9': [1456, 624],
  },
  '1080P': {
    '16:9': [1920, 1080],
    '9:16': [1080, 1920],
    '1:1': [1440, 1440],
    '4:3': [1648, 1248],
    '3:4': [1248, 1648],
    '21:9': [2184, 936],
  },
}
