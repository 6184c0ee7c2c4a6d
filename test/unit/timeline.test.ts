import { expect, it } from 'vitest'
import { timelineOf } from '../../src/media/video/timeline.ts'
import { videoRecipe } from '../support/video-files.ts'

const [one, other] = ['1'.repeat(64), '2'.repeat(64)]
const keyFrames = (first: string, last: string) =>
  timelineOf(videoRecipe({ frames: 121, firstFrame: first, lastFrame: last })).keys

it('a video that begins and ends on one picture, as an avatar does, is coded anew only each two seconds', () => {
  expect(keyFrames(one, one).map(({ frame }) => frame)).toEqual([0, 48, 96])
  expect(keyFrames(one, one).every(({ way }) => way === 0)).toBe(true)
})

it('a video that ends on another picture gets there by steps and stays there', () => {
  const ways = keyFrames(one, other).map(({ way }) => way)
  expect(ways.length).toBeGreaterThan(5)
  expect(ways).toEqual(ways.toSorted((a, b) => a - b))
  expect([ways.at(0), ways.at(-1)]).toEqual([0, 256])
})
