import type { Status } from '../../worlds/task.ts'
import { type FamilyFacts, ownWords } from '../family.ts'
import { bothWays, nearestRatio, type Size, sizeOfArea } from '../geometry.ts'

export const resolutions = ['768P', '2K'] as const
type Resolution = (typeof resolutions)[number]

export const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'] as const
export type Ratio = (typeof ratios)[number]

/** Frame rate of every video of the family. */
export const fps = 24

/**
 * Output sizes (C-pixels). 16:9 was measured upstream; the other ratios have about its area. Sides of 768P are divisible by 32
 * and its area is within the limit of a base video, so that every 768P result can be regenerated.
 */
export const pixels: Readonly<Record<Resolution, Readonly<Record<Ratio, Size>>>> = {
  '768P': bothWays({ '16:9': [1344, 768], '4:3': [1152, 864], '1:1': [992, 992], '21:9': [1536, 672] }),
  '2K': bothWays({ '16:9': [2560, 1440], '4:3': [2208, 1656], '1:1': [1920, 1920], '21:9': [2912, 1248] }),
}

/** Frame counts that a base video may have: 107, 124, 141, … 362. */
export const baseFrames = { least: 107, most: 362, step: 17 }

/** True for 107, 124, 141, … 362. */
export function isBaseFrames(frames: number): boolean {
  const { least, most, step } = baseFrames
  return frames >= least && frames <= most && (frames - least) % step === 0
}

/**
 * The frame count of a generated video. At 768P it is the count nearest to the requested length that a base video may have: 5 s
 * are 124 frames (C-frames). At 2K it is exact, because a 2K video cannot be a base video.
 */
export function framesFor(resolution: Resolution, seconds: number): number {
  const exact = seconds * fps
  if (resolution === '2K') return exact
  const { least, most, step } = baseFrames
  const nearest = least + Math.round((exact - least) / step) * step
  return Math.min(most, Math.max(least, nearest))
}

/** The listed ratio nearest to an aspect (width divided by height). */
export function listedRatio(aspect: number): Ratio {
  return nearestRatio<Ratio>(aspect, ratios).ratio
}

/** The 2K size for a measured aspect: the table's size, or the same area in the aspect itself when no listed ratio is near. */
export function enlarged(aspect: number): Size {
  // 768P sizes differ from their ratio by up to 2.1 %, because their sides are multiples of 32.
  const { ratio, offBy } = nearestRatio<Ratio>(aspect, ratios)
  const [width, height] = pixels['2K']['16:9']
  return offBy < 0.03 ? pixels['2K'][ratio] : sizeOfArea(width * height, aspect)
}

/** What a DELETE does to a task, by the task's state. */
export type Deletion = 'cancel' | 'remove' | 'refuse' | 'not_implemented'

/** The differences between the two variants of the family. Each variant has its own namespace of tasks. */
export interface Variant {
  id: 'c' | 'special'
  title: string
  /** The first part of its paths, before `/v2`. */
  prefix: '' | '/special'
  /** Shortest generated video, seconds. */
  shortestSeconds: number
  /** True when a generation must send `ratio` in every mode, and `adaptive` does not exist. */
  isRatioExplicit: boolean
  /** True when a base video that was not read counts as compatible. */
  assumesBaseVideo: boolean
  /** Its message for a task that does not exist. */
  unknownTask: readonly [status: number, type: string]
  /** Its message for a model that does not exist (A-unknown-model). */
  unknownModel: readonly [status: number, type: string]
  /** True when an account setting decides whether a call is answered at all (C-special-access). */
  isForSomeAccounts: boolean
  deletion: Readonly<Record<Status, Deletion>>
  /** True when a prompt enhancement reports tokens and is charged by them; false when it is charged by the call. */
  countsTokens: boolean
  /** Names in the price list. */
  prices: Readonly<Record<Resolution | 'regeneration' | 'enhance', string>>
}

/**
 * Spec, "Family C and C-special", "States and transitions" and "Endpoints". What the specification leaves open: C-unknown-task,
 * C-delete.
 */
export const variants: Readonly<Record<Variant['id'], Variant>> = {
  c: {
    id: 'c',
    title: 'Family C: video, prompt enhancement and 2K regeneration',
    prefix: '',
    shortestSeconds: 4,
    isRatioExplicit: false,
    assumesBaseVideo: true,
    unknownTask: [400, 'bad_request_error'],
    unknownModel: [400, 'bad_request_error'],
    isForSomeAccounts: false,
    deletion: {
      queued: 'cancel',
      running: 'refuse',
      succeeded: 'remove',
      failed: 'remove',
      cancelled: 'refuse',
      expired: 'refuse',
    },
    countsTokens: true,
    prices: {
      '768P': 'model_c.768P.per_second',
      '2K': 'model_c.2K.per_second',
      regeneration: 'model_c.regeneration.per_second',
      enhance: 'model_c.enhance.per_thousand_tokens',
    },
  },
  special: {
    id: 'special',
    title: 'Family C-special: the discounted variant of C, with tasks of its own',
    prefix: '/special',
    shortestSeconds: 5,
    isRatioExplicit: true,
    assumesBaseVideo: false,
    unknownTask: [404, 'not_found_error'],
    unknownModel: [404, 'not_found_error'],
    isForSomeAccounts: true,
    deletion: {
      queued: 'not_implemented',
      running: 'not_implemented',
      succeeded: 'remove',
      failed: 'remove',
      cancelled: 'not_implemented',
      expired: 'not_implemented',
    },
    countsTokens: false,
    prices: {
      '768P': 'special.768P.per_second',
      '2K': 'special.2K.per_second',
      regeneration: 'special.regeneration.per_second',
      enhance: 'special.enhance.per_call',
    },
  },
}

/** The longest video and the longest enhanced prompt, seconds. */
export const longestSeconds = 15

const factsFor = ({ id, title, shortestSeconds }: Variant): FamilyFacts => ({
  id,
  title,
  models: { model_c: { resolutions, shortestSeconds, longestSeconds } },
  // Its tasks never expire.
  words: ownWords('queued', 'running', 'succeeded', 'failed', 'cancelled'),
  contentCode: '1027',
  findsBy: 'list',
  fileless: [`${id}.enhance`],
})

export const facts = factsFor(variants.c)
export const specialFacts: FamilyFacts = { ...factsFor(variants.special), variantOf: 'c' }
