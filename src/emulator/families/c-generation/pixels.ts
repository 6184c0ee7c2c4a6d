import { bothWays, nearestRatio, type Size, sizeOfArea } from '../geometry.ts'

export const resolutions = ['768P', '2K'] as const
export type Resolution = (typeof resolutions)[number]

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
