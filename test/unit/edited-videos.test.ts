import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawLastPicture } from '../../src/media/video/video-script.ts'
import { videoRecipe } from '../support/video-files.ts'

const given = 'a1'.repeat(32)
const grey = await sharp({ create: { width: 480, height: 272, channels: 3, background: '#6a7a8a' } })
  .png()
  .toBuffer()

/** The different colours in the last picture of a video that ends with a grey picture. */
async function colours(prompt: string, differences: object): Promise<Set<string>> {
  const recipe = videoRecipe({ firstFrame: given, lastFrame: given, prompt, ...differences })
  const { bytes, channels } = await drawLastPicture(recipe, { kept: async () => grey })
  const found = new Set<string>()
  for (let at = 0; at < bytes.length; at += channels)
    found.add(Buffer.from(bytes.subarray(at, at + 3)).toString('hex'))
  return found
}

const source = new Set(['6a7a8a'])

it.each(['Edit video 1: make it rain', 'let it snow in video 1', '视频1里下雨'])(
  'an edited video ends with more than its plain source when "%s" asks for weather',
  async prompt => {
    expect((await colours(prompt, { edited: true })).size).toBeGreaterThan(20)
  },
)

it('an edited video keeps no colour of its source when its prompt names a time of day', async () => {
  expect((await colours('Video 1 at night', { edited: true })).has('6a7a8a')).toBe(false)
})

it.each(['replace the grey thing with a red car', 'remove the rain from video 1'])(
  'an edited video ends like its source when "%s" names no light, season or weather',
  async prompt => {
    expect(await colours(prompt, { edited: true })).toEqual(source)
  },
)

it('a video that is no edit ends with the given picture whatever its prompt says', async () => {
  expect(await colours('rain at night', {})).toEqual(source)
})
