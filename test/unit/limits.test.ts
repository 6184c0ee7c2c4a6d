import { describe, expect, it } from 'vitest'
import { models } from '../../src/emulator/families/a-contents/models.ts'
import { limitsOf } from '../../src/emulator/families/a-contents/rules.ts'
import { limits as limitsOfB } from '../../src/emulator/families/b-synthesis/rules.ts'
import { limitsOf as limitsOfC } from '../../src/emulator/families/c-generation/rules.ts'
import { limitsFor } from '../../src/emulator/families/images/rules.ts'
import { imageLimits } from '../../src/emulator/families/k-image-to-video/rules.ts'
import type { MediaFacts } from '../../src/emulator/worlds/media-facts.ts'
import {
  checkLimits,
  checkTotalSeconds,
  type MediaLimits,
  totalSeconds,
} from '../../src/media/inputs/limits.ts'

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

  // biome-ignore format: a table, one row a line
  const broken: [string, MediaFacts, MediaLimits, object][] = [
    ['format', { ...image, format: 'gif' }, limits, { property: 'format', value: 'gif', allowed: 'one of jpeg, png' }],
    ['bytes', { ...image, bytes: 2001 }, limits, { property: 'bytes', value: 2001, allowed: 'at most 2000' }],
    ['width', { ...image, widthPx: 299, heightPx: 400 }, limits, { property: 'width' }],
    ['height', { ...image, widthPx: 5000, heightPx: 6001 }, limits, { property: 'height', allowed: '300 to 6000' }],
    ['aspect', { ...image, widthPx: 1600, heightPx: 600 }, limits, { property: 'aspect', value: 2.667 }],
    ['aspect, by one pixel', { ...image, widthPx: 2399, heightPx: 6000 }, limits, { property: 'aspect', value: 0.399833, allowed: '0.4 to 2.5' }],
    [
      'aspect, a fraction',
      { ...image, widthPx: 300, heightPx: 4801 },
      { aspect: { min: 1 / 16, max: 16 } },
      { property: 'aspect', value: 0.062, allowed: '0.0625 to 16' },
    ],
    ['pixels', { ...video, widthPx: 640, heightPx: 360 }, videoLimits, { property: 'pixels', value: 230_400 }],
    ['fps', { ...video, fps: 15 }, videoLimits, { property: 'fps', value: 15 }],
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
    const problem = { property: 'seconds', value: 15.21, allowed: '1.8 to 15.2' }
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

/** The limit and its bound, the last value that passes, and the first one that does not, at each published bound. */
describe('every family’s limits, at their bounds', () => {
  const { model_a_20: older, model_a_25: newer } = models
  if (!older || !newer) throw new Error('the models of family A have other ids')
  const ofC = (sort: 'image' | 'video' | 'audio', role: 'reference_video' | 'base_video') =>
    limitsOfC({ sort, role, url: '', param: '' })
  const sound: MediaFacts = { ...base, kind: 'audio', format: 'mp3', seconds: 5 }
  const size = (widthPx: number, heightPx: number) => ({ widthPx, heightPx })
  const megabytes = (count: number) => count * 1024 * 1024
  // biome-ignore format: a table, one row a line
  const rows: [string, string, MediaFacts, MediaLimits, Partial<MediaFacts>, Partial<MediaFacts>][] = [
    ['A video pixels', 'pixels', video, limitsOf('video', newer), size(664, 614), size(665, 613)],
    ['A video most pixels', 'pixels', video, limitsOf('video', newer), size(3326, 2494), size(3327, 2494)],
    ['A video fps', 'fps', video, limitsOf('video', newer), { fps: 23.9 }, { fps: 23.89 }],
    ['A video most fps', 'fps', video, limitsOf('video', newer), { fps: 60.1 }, { fps: 60.11 }],
    ['A video bytes', 'bytes', video, limitsOf('video', newer), { bytes: megabytes(200) }, { bytes: megabytes(200) + 1 }],
    ['A 2.0 video seconds', 'seconds', video, limitsOf('video', older), { seconds: 15.2 }, { seconds: 15.21 }],
    ['A 2.5 video seconds', 'seconds', video, limitsOf('video', newer), { seconds: 30.2 }, { seconds: 30.21 }],
    ['A least seconds', 'seconds', sound, limitsOf('audio', newer), { seconds: 1.8 }, { seconds: 1.79 }],
    ['A audio bytes', 'bytes', sound, limitsOf('audio', newer), { bytes: megabytes(15) }, { bytes: megabytes(15) + 1 }],
    ['A image bytes', 'bytes', image, limitsOf('image', newer), { bytes: megabytes(30) }, { bytes: megabytes(30) + 1 }],
    ['A image sides', 'width', image, limitsOf('image', newer), size(300, 750), size(299, 700)],
    ['A image most sides', 'width', image, limitsOf('image', newer), size(6000, 6000), size(6001, 6000)],
    ['A image aspect', 'aspect', image, limitsOf('image', newer), size(1000, 400), size(1001, 400)],
    ['B image sides', 'width', image, limitsOfB.first_frame, size(240, 1920), size(239, 1900)],
    ['B image most sides', 'width', image, limitsOfB.first_frame, size(8000, 1000), size(8001, 1001)],
    ['B image bytes', 'bytes', image, limitsOfB.last_frame, { bytes: megabytes(20) }, { bytes: megabytes(20) + 1 }],
    ['B video sides', 'width', video, limitsOfB.reference_video, size(4096, 512), size(4097, 513)],
    ['B video seconds', 'seconds', video, limitsOfB.reference_video, { seconds: 15 }, { seconds: 15.01 }],
    ['B video fps', 'fps', video, limitsOfB.reference_video, { fps: 16 }, { fps: 15.9 }],
    ['C image sides', 'width', image, ofC('image', 'reference_video'), size(256, 640), size(255, 600)],
    ['C image most sides', 'width', image, ofC('image', 'reference_video'), size(5760, 2304), size(5761, 2305)],
    ['C image bytes', 'bytes', image, ofC('image', 'reference_video'), { bytes: megabytes(30) }, { bytes: megabytes(30) + 1 }],
    ['C video fps', 'fps', video, ofC('video', 'reference_video'), { fps: 23.93 }, { fps: 23.9 }],
    ['C video most fps', 'fps', video, ofC('video', 'reference_video'), { fps: 60.05 }, { fps: 60.1 }],
    ['C video bytes', 'bytes', video, ofC('video', 'base_video'), { bytes: megabytes(50) }, { bytes: megabytes(50) + 1 }],
    ['C audio seconds', 'seconds', sound, ofC('audio', 'reference_video'), { seconds: 15.2 }, { seconds: 15.21 }],
    ['K image bytes', 'bytes', image, imageLimits(10), { bytes: megabytes(10) }, { bytes: megabytes(10) + 1 }],
    ['K image sides', 'width', image, imageLimits(10), size(300, 750), size(299, 700)],
    ['K image aspect', 'aspect', image, imageLimits(10), size(400, 1000), size(400, 1001)],
    ['an image of the image operation', 'width', image, limitsFor('edit'), size(15, 15), size(14, 20)],
    ['its most pixels', 'pixels', image, limitsFor('edit'), size(6000, 6000), size(6001, 6000)],
    ['its aspect', 'aspect', image, limitsFor('layers'), size(1600, 100), size(1601, 100)],
    ['its bytes', 'bytes', image, limitsFor('layers'), { bytes: megabytes(30) }, { bytes: megabytes(30) + 1 }],
  ]
  it.each(rows)('%s: %s', (_, broken, facts, limits, last, first) => {
    expect(checkLimits({ ...facts, ...last }, limits)).toEqual([])
    const problems = checkLimits({ ...facts, ...first }, limits)
    expect(problems.map(({ property }) => property)).toEqual([broken])
  })
})
