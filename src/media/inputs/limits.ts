import type { MediaFacts } from '../../emulator/ground.ts'

/** A range with its bounds included. The tolerance widens it at both ends, as in upstream's checks. */
export interface Range {
  min?: number
  max?: number
  tolerance?: number
}

/** A family's limits for one input. An absent property is not limited. */
export interface MediaLimits {
  formats?: readonly string[]
  /** Bytes, inclusive. */
  maxBytes?: number
  /** Each side. */
  sidePx?: Range
  /** Width divided by height. "At most 8:1" is `{ min: 1 / 8, max: 8 }`. */
  aspect?: Range
  /** Width times height. */
  pixels?: Range
  seconds?: Range
  fps?: Range
  pages?: Range
  videoCodecs?: readonly string[]
  audioCodecs?: readonly string[]
}

type LimitedProperty =
  | 'format'
  | 'bytes'
  | 'width'
  | 'height'
  | 'aspect'
  | 'pixels'
  | 'seconds'
  | 'fps'
  | 'pages'
  | 'videoCodec'
  | 'audioCodec'
  | 'totalSeconds'

/** One broken limit, which the family reports in its own dialect. */
export interface LimitProblem {
  property: LimitedProperty
  value: number | string
  /** What is allowed, in words: "at most 15.2", "0.4 to 2.5", "one of jpeg, png". */
  allowed: string
}

/** All limits that one input breaks, in this order: format, size in bytes, picture, length, tracks. */
export function checkLimits(facts: MediaFacts, limits: MediaLimits): LimitProblem[] {
  const { widthPx, heightPx } = facts
  const hasSides = widthPx !== undefined && heightPx !== undefined
  const found = [
    outsideList('format', facts.format, limits.formats),
    outsideRange('bytes', facts.bytes, limits.maxBytes === undefined ? undefined : { max: limits.maxBytes }),
    outsideRange('width', widthPx, limits.sidePx),
    outsideRange('height', heightPx, limits.sidePx),
    outsideRange('aspect', hasSides ? widthPx / heightPx : undefined, limits.aspect),
    outsideRange('pixels', hasSides ? widthPx * heightPx : undefined, limits.pixels),
    outsideRange('seconds', facts.seconds, limits.seconds),
    outsideRange('fps', facts.fps, limits.fps),
    outsideRange('pages', facts.pages, limits.pages),
    outsideList('videoCodec', facts.videoCodec, limits.videoCodecs),
    outsideList('audioCodec', facts.audioCodec, limits.audioCodecs),
  ]
  return found.filter(problem => problem !== undefined)
}

/**
 * The lengths of all inputs of one sort together. Stand-ins are not counted here: their lengths are assumed,
 * and an assumption must not cause a refusal.
 */
export function checkTotalSeconds(inputs: readonly MediaFacts[], range: Range): LimitProblem | undefined {
  return outsideRange(
    'totalSeconds',
    totalSeconds(inputs.filter(input => input.origin !== 'stand_in')),
    range,
  )
}

/** The lengths of all inputs together, in seconds, stand-ins included, as usage counts them. */
export function totalSeconds(inputs: readonly MediaFacts[]): number {
  return round(inputs.reduce((sum, input) => sum + (input.seconds ?? 0), 0))
}

function outsideList(
  property: LimitedProperty,
  value: string | undefined,
  list: readonly string[] | undefined,
): LimitProblem | undefined {
  if (value === undefined || list === undefined || list.includes(value)) return undefined
  return { property, value, allowed: `one of ${list.join(', ')}` }
}

function outsideRange(
  property: LimitedProperty,
  value: number | undefined,
  range: Range | undefined,
): LimitProblem | undefined {
  if (value === undefined || range === undefined) return undefined
  const { tolerance = 0 } = range
  const min = widened(range.min ?? Number.NEGATIVE_INFINITY, -tolerance)
  const max = widened(range.max ?? Number.POSITIVE_INFINITY, tolerance)
  const isOutside = (number: number) => number < min || number > max
  if (!isOutside(value)) return undefined
  // A value just outside the bound may be rounded to the bound; then more digits are shown.
  const shownValue = isOutside(round(value)) ? round(value) : Number(value.toPrecision(6))
  return { property, value: shownValue, allowed: inWords(min, max) }
}

/** A bound without tolerance is not rounded: 1/16 must not become 0.063. */
function widened(bound: number, by: number): number {
  return by === 0 ? bound : round(bound + by)
}

function inWords(min: number, max: number): string {
  if (min === Number.NEGATIVE_INFINITY) return `at most ${max}`
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`
}

/** Rounds to a thousandth, so that 0.1 + 0.2 does not cause a refusal. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
