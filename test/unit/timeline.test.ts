import { expect, it } from 'vitest'
import { reachPx } from '../../src/media/video/coded-picture.ts'
import { timelineOf } from '../../src/media/video/timeline.ts'
import { videoRecipe } from '../support/video-files.ts'

const [one, other] = ['1'.repeat(64), '2'.repeat(64)]
const keyFrames = (first: string, last: string) =>
  timelineOf(videoRecipe({ frames: 121, firstFrame: first, lastFrame: last })).keys

it('a video that begins and ends with one picture, as an avatar does, has a full picture only every two seconds', () => {
  const whole = keyFrames(one, one).filter(({ coded }) => coded === 'whole')
  expect(whole.map(({ frame }) => frame)).toEqual([0, 48, 96])
  expect(keyFrames(one, one).every(({ way }) => way === 0)).toBe(true)
})

it.each([
  [480, 24],
  [720, 30],
  [854, 24],
  [1280, 24],
  [1080, 30],
  [3840, 24],
])(
  'something moves in every frame of a drawn scene, %i pixels wide at %i frames a second (issue: motion at 24 frames a second)',
  (width, fps) => {
    const frames = fps * 5
    const { momentAt } = timelineOf(videoRecipe({ width, height: 720, frames, fps }))
    const reach = reachPx(width)
    const shifts = Array.from({ length: frames }, (_, frame) => Math.round(momentAt(frame).sway * reach))
    expect(shifts.filter((shift, frame) => shift === shifts[frame - 1])).toEqual([])
    expect([shifts[0], shifts[2 * fps], shifts[fps]]).toEqual([0, 0, reach])
  },
)

it('labels fade in after half a second and out before the last half second, and are fully visible between', () => {
  const keys = keyFrames(one, one)
  const fading = keys.filter(({ coded }) => coded === 'upper part')
  expect(fading.map(({ frame }) => frame)).toEqual([14, 15, 17, 18, 105, 106, 108, 109])
  const at = (frame: number) => keys.findLast(key => key.frame <= frame)?.labels
  expect([0, 13, 18, 104, 109, 120].map(at)).toEqual([0, 0, 1, 1, 0, 0])
})

it.each([24, 25, 30])(
  'labels are fully visible after fading in and gone after fading out, at %i frames a second and any length',
  fps => {
    for (let frames = 24; frames < 400; frames += 7) {
      const { keys, momentAt } = timelineOf(videoRecipe({ frames, fps, firstFrame: one, lastFrame: one }))
      expect(keys.map(({ labels }) => labels)).toContain(1)
      expect([0, frames - 1].map(frame => momentAt(frame).key.labels)).toEqual([0, 0])
      expect(keys.map(({ frame }) => momentAt(frame).sway * 128).every(sway => sway < 0.5)).toBe(true)
    }
  },
)

it('a video that ends with another picture fades to it in steps and then shows it', () => {
  const ways = keyFrames(one, other).map(({ way }) => way)
  expect(ways.length).toBeGreaterThan(5)
  expect(ways).toEqual(ways.toSorted((a, b) => a - b))
  expect([ways.at(0), ways.at(-1)]).toEqual([0, 256])
})

it.each([
  [5, 55],
  [3, 40],
])(
  'a video of %i seconds from one picture to another moves in most frames between the untouched ones (issue: it sways or pans)',
  (seconds, most) => {
    const frames = seconds * 24 + 1
    const recipe = videoRecipe({ width: 1280, height: 720, frames, firstFrame: one, lastFrame: other })
    const { keys, momentAt } = timelineOf(recipe)
    const looks = Array.from({ length: frames }, (_, frame) => {
      const { key, sway } = momentAt(frame)
      return `${key.way} ${key.labels} ${Math.round(sway * reachPx(1280))}`
    })
    const still = looks.filter((look, frame) => look === looks[frame - 1])
    expect(still.length).toBeLessThan(most)
    expect(keys.every(({ frame }) => momentAt(frame).sway === 0)).toBe(true)
    const untouched = (frame: number) => momentAt(frame).sway === 0 && momentAt(frame).key.labels === 0
    expect([1, 5, frames - 6, frames - 2].every(untouched)).toBe(true)
  },
)
