import { describe, expect, it } from 'vitest'
import { codingOrder } from '../../src/media/h264/code-video.ts'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import { reachPx } from '../../src/media/video/coded-picture.ts'
import { type Key, type Moment, photoDepth, timelineOf } from '../../src/media/video/timeline.ts'
import { videoRecipe } from '../support/video-files.ts'

const [one, other] = ['1'.repeat(64), '2'.repeat(64)]
const timeline = (given: Partial<VideoRecipe>) => timelineOf(videoRecipe({ frames: 121, ...given }))

const both = { firstFrame: one, lastFrame: other }
const givens: [string, Partial<VideoRecipe>][] = [
  ['a first frame', { firstFrame: one }],
  ['a last frame', { lastFrame: one }],
  ['a first and another last frame', both],
  ['one picture as first and last frame, as in an avatar', { firstFrame: one, lastFrame: one }],
]
const lengths = [2, 3, 4, 5, 8, 12, 15].flatMap(seconds => [
  [seconds * 24, 24],
  [seconds * 24 + 1, 24],
  [seconds * 25, 25],
  [seconds * 30 + 1, 30],
]) as [number, number][]

it('playing can start every two seconds in a drawn scene', () => {
  const { keys } = timeline({})
  expect(keys.map(({ frame, coded }) => [frame, coded])).toEqual([
    [0, 'start'],
    [48, 'start'],
    [96, 'start'],
  ])
})

it('a video between two pictures codes each of them once, and its upper part again for the labels', () => {
  expect(
    timeline(both).keys.map(({ frame, coded, ground, labels }) => [frame, coded, ground, labels]),
  ).toEqual([
    [0, 'start', 'first', 'hidden'],
    [46, 'upper part', 'first', 'shown'],
    [75, 'whole', 'last', 'shown'],
    [120, 'upper part', 'last', 'hidden'],
  ])
})

it.each([
  [480, 24],
  [720, 30],
  [854, 24],
  [1280, 24],
  [1080, 30],
  [3840, 24],
])('something moves in every frame of a drawn scene, %i pixels wide at %i frames a second', (width, fps) => {
  const frames = fps * 5
  const { momentAt } = timelineOf(videoRecipe({ width, height: 720, frames, fps }))
  const reach = reachPx(width)
  const shifts = Array.from({ length: frames }, (_, frame) => Math.round(momentAt(frame).sway * reach))
  expect(shifts.filter((shift, frame) => shift === shifts[frame - 1])).toEqual([])
  expect([shifts[0], shifts[2 * fps], shifts[fps]]).toEqual([0, 0, reach])
})

/** How much of the first key's labels or ground is replaced by the next: 0 to 1, for each frame. */
function shownOf(moment: Moment, has: (key: Key) => boolean): number {
  const { key, next } = moment
  const part = next ? next.parts / 128 : 0
  return (has(key) ? 1 - part : 0) + (next && has(next.key) ? part : 0)
}

const labels = (moment: Moment) => shownOf(moment, key => key.labels === 'shown')
const lastGround = (moment: Moment) => shownOf(moment, key => key.ground === 'last')

describe.each(givens)('a video with %s', (_, given) => {
  it('begins and ends exactly on the pictures, which have no labels then', () => {
    for (const [frames, fps] of lengths) {
      const { keys, momentAt } = timeline({ ...given, frames, fps })
      const [first, last] = [momentAt(0), momentAt(frames - 1)]
      expect(keys.map(({ frame }) => momentAt(frame))).toEqual(keys.map(key => ({ key, sway: 0 })))
      if (given.firstFrame) expect([first.key.frame, labels(first)]).toEqual([0, 0])
      else expect(labels(first)).toBe(1)
      if (given.lastFrame) expect([last.key.frame, labels(last)]).toEqual([frames - 1, 0])
      else expect(labels(last)).toBe(1)
    }
  })

  it('fades labels in after half a second and out before the last one, in a quarter of a second', () => {
    const { momentAt } = timeline(given)
    const all = Array.from({ length: 121 }, (_, frame) => labels(momentAt(frame)))
    const [coming, going] = [all.slice(0, 60), all.slice(60)]
    expect(coming).toEqual(coming.toSorted((a, b) => a - b))
    expect(going).toEqual(going.toSorted((a, b) => b - a))
    if (given.firstFrame) {
      expect(all.slice(0, 13)).toEqual(new Array(13).fill(0))
      expect(new Set(all.slice(13, 18)).size).toBe(5)
    }
    expect(new Set(all.slice(18, 103))).toEqual(new Set([1]))
    if (given.lastFrame) {
      expect(new Set(all.slice(104, 109)).size).toBe(5)
      expect(all.slice(109)).toEqual(new Array(12).fill(0))
    }
  })

  it.each([
    [1280, 24],
    [854, 24],
    [480, 24],
    [720, 30],
    [3840, 24],
  ])('moves from its first frame to its last, %i pixels wide at %i a second', (width, fps) => {
    const depth = photoDepth({ width, fps })
    for (const [frames] of lengths.filter(([, each]) => each === fps)) {
      const { momentAt } = timeline({ ...given, width, height: 720, frames, fps })
      const looks = Array.from({ length: frames }, (_, frame) => {
        const { key, next, sway } = momentAt(frame)
        return `${key.ground} ${next?.key.ground} ${next?.parts} ${Math.round(sway * depth * reachPx(width))}`
      })
      const still = looks.filter((look, frame) => look === looks[frame - 1])
      expect(still.length / frames < 0.03 || still.length < 3, `${frames} frames`).toBe(true)
    }
  })

  it('is decoded at most one picture ahead of what is shown, each key before the frames that show it (H.264, C.4.5)', () => {
    for (const [frames, fps] of lengths) {
      const video = timeline({ ...given, frames, fps })
      const order = codingOrder(video, frames)
      expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: frames }, (_, i) => i))
      expect(Math.max(...order.map((frame, i) => i - frame))).toBeLessThanOrEqual(1)
      for (const { frame, start } of video.keys) {
        // A decoder forgets all earlier pictures at a start: none that is shown before it may follow it.
        const after = order.slice(order.indexOf(frame))
        if (frame === start) expect(Math.min(...after)).toBe(frame)
      }
    }
  })
})

it.each(lengths)(
  'one picture becomes the other evenly, in a third of the time and at most 1.2 seconds: %i frames at %i a second',
  (frames, fps) => {
    for (const given of [both, { lastFrame: other }]) {
      const { momentAt } = timeline({ ...given, frames, fps })
      const parts = Array.from({ length: frames }, (_, frame) => lastGround(momentAt(frame)))
      expect(parts).toEqual(parts.toSorted((a, b) => a - b))
      const changing = parts.filter(part => part > 0 && part < 1)
      const length = Math.min(1.2 * fps, frames / 3)
      expect(Math.abs(changing.length - length)).toBeLessThan(4)
      // The steps are at most a tenth of the way, or as large as so few frames need.
      const steps = parts.slice(1).map((part, i) => part - (parts[i] ?? 0))
      expect(Math.max(...steps)).toBeLessThan(Math.max(0.1, 2 / length))
    }
  },
)

it('where labels come and go, both pictures of a mixture are equal below them', () => {
  for (const [, given] of givens)
    for (const [frames, fps] of lengths) {
      const { momentAt } = timeline({ ...given, frames, fps })
      for (let frame = 0; frame < frames; frame++) {
        const { key, next } = momentAt(frame)
        if (next?.key.coded === 'upper part') expect(next.key.ground).toBe(key.ground)
        if (next) expect([next.key.start, next.key.sinceStart]).toEqual([key.start, key.sinceStart + 1])
      }
    }
})
