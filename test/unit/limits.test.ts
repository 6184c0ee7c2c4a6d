import { describe, expect, it } from 'vitest'
import { models } from '../../src/families/a-contents/models.ts'
import { limitsOf } from '../../src/families/a-contents/rules.ts'
import {
  checkCount,
  checkLimits,
  checkTotalSeconds,
  type MediaLimits,
  totalSeconds,
} from '../../src/media/limits.ts'
import type { MediaFacts } from '../../src/worlds/media-facts.ts'

const base = { bytes: 1000, digest: 'd', origin: 'data', realFace: false } as const
const image: MediaFacts = {
  ...base,
  kind: 'image',
  format: 'jpeg',
  widthPx: 1280,
  heightPx: 720,
  hasAlpha: false,
}
const video: MediaFacts = {
  ...base,
  kind: 'video',
  format: 'mp4',
  widthPx: 1280,
  heightPx: 720,
  seconds: 5,
  fps: 24,
}

const limits: MediaLimits = {
  formats: ['jpeg', 'png'],
  maxBytes: 2000,
  sidePx: { min: 300, max: 6000 },
  aspect: { min: 0.4, max: 2.5 },
  alpha: 'forbidden',
}
const videoLimits: MediaLimits = {
  seconds: { min: 2, max: 15, tolerance: 0.2 },
  fps: { min: 23.976, max: 60 },
  pixels: { min: 407_696, max: 8_295_044 },
  videoCodecs: ['h264', 'hevc'],
}

describe('checkLimits', () => {
  it('accepts values inside the limits, bounds included', () => {
    expect(checkLimits(image, limits)).toEqual([])
    expect(checkLimits({ ...image, widthPx: 750, heightPx: 300, bytes: 2000 }, limits)).toEqual([])
    expect(checkLimits({ ...image, widthPx: 300, heightPx: 750 }, limits)).toEqual([])
    expect(checkLimits({ ...video, fps: 23.976, videoCodec: 'hevc' }, videoLimits)).toEqual([])
  })

  const broken: [string, MediaFacts, MediaLimits, object][] = [
    [
      'format',
      { ...image, format: 'gif' },
      limits,
      { property: 'format', value: 'gif', allowed: 'one of jpeg, png' },
    ],
    [
      'bytes',
      { ...image, bytes: 2001 },
      limits,
      { property: 'bytes', value: 2001, allowed: 'at most 2000', side: 'max' },
    ],
    [
      'width',
      { ...image, widthPx: 299, heightPx: 400 },
      limits,
      { property: 'width', bound: 300, side: 'min' },
    ],
    [
      'height',
      { ...image, widthPx: 5000, heightPx: 6001 },
      limits,
      { property: 'height', allowed: '300 to 6000' },
    ],
    [
      'aspect',
      { ...image, widthPx: 1600, heightPx: 600 },
      limits,
      { property: 'aspect', value: 2.667, bound: 2.5 },
    ],
    [
      'aspect, by one pixel',
      { ...image, widthPx: 2399, heightPx: 6000 },
      limits,
      { property: 'aspect', value: 0.399833, allowed: '0.4 to 2.5', bound: 0.4 },
    ],
    [
      'aspect, a fraction',
      { ...image, widthPx: 300, heightPx: 4801 },
      { aspect: { min: 1 / 16, max: 16 } },
      { property: 'aspect', value: 0.062, allowed: '0.0625 to 16', bound: 0.0625 },
    ],
    [
      'alpha',
      { ...image, format: 'png', hasAlpha: true },
      limits,
      { property: 'alpha', allowed: 'no alpha channel' },
    ],
    [
      'pixels',
      { ...video, widthPx: 640, heightPx: 360 },
      videoLimits,
      { property: 'pixels', value: 230_400 },
    ],
    ['fps', { ...video, fps: 15 }, videoLimits, { property: 'fps', value: 15, bound: 23.976 }],
    ['codec', { ...video, videoCodec: 'vp9' }, videoLimits, { property: 'videoCodec', value: 'vp9' }],
  ]
  for (const [name, facts, table, problem] of broken) {
    it(`gives the value and the allowed range when the limit on ${name} is broken`, () => {
      expect(checkLimits(facts, table)).toEqual([expect.objectContaining(problem)])
    })
  }

  it('accepts an aspect that is exactly a bound', () => {
    const inside = (widthPx: number, heightPx: number, aspect: { min: number; max: number }) =>
      expect(checkLimits({ ...image, widthPx, heightPx }, { aspect })).toEqual([])
    inside(400, 1000, { min: 0.4, max: 2.5 })
    inside(1000, 400, { min: 0.4, max: 2.5 })
    inside(21, 336, { min: 1 / 16, max: 16 })
    inside(336, 21, { min: 1 / 16, max: 16 })
  })

  it('accepts lengths within the tolerance, and names the bound with the tolerance for longer ones', () => {
    expect(checkLimits({ ...video, seconds: 15.2 }, videoLimits)).toEqual([])
    expect(checkLimits({ ...video, seconds: 1.8 }, videoLimits)).toEqual([])
    const problem = { property: 'seconds', value: 15.21, allowed: '1.8 to 15.2', bound: 15.2, side: 'max' }
    expect(checkLimits({ ...video, seconds: 15.21 }, videoLimits)).toEqual([problem])
  })

  it('lists every broken limit and begins with the format', () => {
    const facts = { ...image, format: 'bmp', bytes: 5000, widthPx: 100, heightPx: 100 }
    expect(checkLimits(facts, limits).map(each => each.property)).toEqual([
      'format',
      'bytes',
      'width',
      'height',
    ])
  })
})

describe('limits on several inputs together', () => {
  it('counts inputs of one kind', () => {
    expect(checkCount(9, { max: 9 })).toBeUndefined()
    expect(checkCount(10, { max: 9 })).toMatchObject({ property: 'count', value: 10, allowed: 'at most 9' })
    expect(checkCount(0, { min: 1 })).toMatchObject({ side: 'min', allowed: 'at least 1' })
  })

  it('adds lengths without rounding errors', () => {
    const thirds = [5.1, 5.1, 5].map(seconds => ({ ...video, seconds }))
    expect(totalSeconds(thirds)).toBe(15.2)
    expect(checkTotalSeconds(thirds, { max: 15, tolerance: 0.2 })).toBeUndefined()
    expect(checkTotalSeconds([...thirds, video], { max: 15 })).toMatchObject({
      property: 'totalSeconds',
      value: 20.2,
    })
  })

  it('does not refuse an assumed file because of its assumed length', () => {
    const invented: MediaFacts = { ...video, origin: 'stand_in' }
    expect(checkTotalSeconds([invented, invented, invented, invented], { max: 15 })).toBeUndefined()
  })
})

it.each([
  [614, 664, true],
  [571, 714, false],
  [2494, 3326, true],
  [2495, 3326, false],
])(
  'family A by upstream’s table: a video of %i × %i pixels is allowed: %s',
  (widthPx, heightPx, isAllowed) => {
    const [model] = Object.values(models)
    if (!model) throw new Error('there is no model')
    const found = checkLimits({ ...video, widthPx, heightPx }, limitsOf('video', model))
    expect(found.map(({ property }) => property)).toEqual(isAllowed ? [] : ['pixels'])
  },
)
