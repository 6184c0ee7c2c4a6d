import { invalid } from '../../faults/fault.ts'
import { shown } from '../../wording/shown.ts'
import { bothWays, nearestRatio, type Size } from '../geometry.ts'
import type { Mode } from './rules.ts'

export type Tier = '1K' | '1.5K' | '2K'
const ratios = ['1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3', '21:9'] as const
type Ratio = (typeof ratios)[number]

/** Upstream's published table of pixels by tier and ratio. */
// biome-ignore format: a table, one row a line
const tiers: Readonly<Record<Tier, Readonly<Record<Ratio, Size>>>> = {
  '1K': bothWays({ '1:1': [1024, 1024], '4:3': [1152, 864], '16:9': [1424, 800], '3:2': [1248, 832], '21:9': [1568, 672] }),
  '1.5K': bothWays({ '1:1': [1536, 1536], '4:3': [1792, 1344], '16:9': [2048, 1152], '3:2': [1872, 1248], '21:9': [2352, 1008] }),
  '2K': bothWays({ '1:1': [2048, 2048], '4:3': [2368, 1776], '16:9': [2816, 1584], '3:2': [2496, 1664], '21:9': [3136, 1344] }),
}

/** Spec, "Limits": explicit sizes. */
const pixels = { least: 921_600, most: 4_624_220 }
const aspect = { least: 1 / 16, most: 16 }

/** The requested size. */
export type AskedSize = { kind: 'tier'; tier: Tier } | { kind: 'explicit'; size: Size } | { kind: 'auto' }

/** The size of a request without one (I-defaults). */
export function standardSize(mode: Mode): string {
  return mode === 'layers' ? 'auto' : '2K'
}

/** Reads `size`: a tier, `auto`, or `WxH` within the limits. Throws `invalid_parameter` for anything else. */
export function readSize(size: string): AskedSize {
  if (size === 'auto') return { kind: 'auto' }
  const tier = size.replace(/k$/, 'K')
  if (isTier(tier)) return { kind: 'tier', tier }
  const sides = /^(0|[1-9]\d*)x(0|[1-9]\d*)$/.exec(size)
  if (!sides)
    throw invalid('size', `${shown(size)} is not supported, must be 1K, 1.5K, 2K or of the form WxH`)
  const explicit: Size = [Number(sides[1]), Number(sides[2])]
  checkExplicit(explicit, size)
  return { kind: 'explicit', size: explicit }
}

function isTier(text: string): text is Tier {
  return Object.hasOwn(tiers, text)
}

function checkExplicit([width, height]: Size, written: string): void {
  const area = width * height
  const given = `and ${shown(written)} has ${area}`
  if (area < pixels.least)
    throw invalid('size', `image size must be at least ${pixels.least} pixels, ${given}`)
  if (area > pixels.most) throw invalid('size', `image size must be at most ${pixels.most} pixels, ${given}`)
  if (width / height < aspect.least || width / height > aspect.most)
    throw invalid(
      'size',
      `${shown(written)} is not allowed, the aspect ratio (width / height) must be from 1/16 to 16`,
    )
}

/** Words of a prompt that select the ratio when only a tier is given (I-ratio). */
const ratioWords: readonly (readonly [RegExp, Ratio])[] = [
  [/\b(square|avatar|icon|logo)\b|方形|正方|头像|图标/i, '1:1'],
  [/\b(panorama|panoramic|ultra-?wide|cinematic|banner)\b|全景|超宽|横幅|电影感/i, '21:9'],
  [/\b(wallpaper|desktop|widescreen)\b|壁纸|桌面|宽屏/i, '16:9'],
  [/\b(phone|mobile|story|stories)\b|手机|竖屏/i, '9:16'],
  [/\b(portrait|vertical|poster)\b|竖版|竖构图|海报|肖像/i, '2:3'],
  [/\b(landscape|horizontal)\b|横版|横构图/i, '3:2'],
]

/** The size of a picture in normal mode: as requested, or the tier's size in a ratio that fits prompt or input. */
export function pictureSize(
  asked: AskedSize,
  { prompt, inputAspect }: { prompt: string; inputAspect?: number | undefined },
): Size {
  if (asked.kind === 'explicit') return asked.size
  const table = tiers[asked.kind === 'tier' ? asked.tier : '2K']
  return table[
    ratioIn(prompt) ??
      (inputAspect === undefined ? undefined : nearestRatio(inputAspect, ratios).ratio) ??
      '3:2'
  ]
}

function ratioIn(prompt: string): Ratio | undefined {
  const written = /(?<![\d:.])(\d{1,2})\s?[:：]\s?(\d{1,2})(?![\d:])/.exec(prompt)
  const ratio = written && ratios.find(one => one === `${written[1]}:${written[2]}`)
  return ratio ?? ratioWords.find(([words]) => words.test(prompt))?.[1]
}

/** Sides of a decomposition's base are multiples of this number of pixels, as measured upstream. */
const step = 16

/**
 * The size of a decomposition's base: the tier's area in the proportions of the source. `auto` keeps the source's size within the
 * limits.
 */
export function baseSize(asked: AskedSize, [width, height]: Size): Size {
  if (asked.kind === 'explicit') return asked.size
  const area = width * height
  const ratio = width / height
  if (asked.kind === 'auto') {
    if (area >= pixels.least && area <= pixels.most) return [width, height]
    return withArea(Math.min(pixels.most * 0.96, Math.max(pixels.least * 1.04, area)), ratio)
  }
  const [side] = tiers[asked.tier]['1:1']
  return withArea(side * side, ratio)
}

/** A size of about this area in this ratio. The longer side is shortened when rounding exceeds the limits of the aspect ratio. */
function withArea(area: number, ratio: number): Size {
  if (ratio < 1) {
    const [height, width] = withArea(area, 1 / ratio)
    return [width, height]
  }
  const width = multiple(Math.sqrt(area * ratio))
  const height = multiple(width / ratio)
  return [Math.min(width, height * aspect.most), height]
}

function multiple(value: number): number {
  return Math.max(step, Math.round(value / step) * step)
}
