import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { renderSound } from '../../src/media/render-sound.ts'
import { readAdts } from '../../src/media/video/aac.ts'
import { babble, tune } from '../../src/media/video/tone.ts'
import { probe } from '../support/video-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sound-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

it.each(['wav', 'mp3'] as const)('renders a voice trial as %s of the length asked for', async format => {
  const recipe = { kind: 'sound', format, seconds: 3, seed: 5 } as const
  const sound = await renderSound(recipe)
  const file = join(folder, `trial.${format}`)
  await writeFile(file, sound)
  const { streams, seconds } = await probe(file)
  expect(streams).toMatchObject([{ codec_name: format === 'wav' ? 'pcm_s16le' : 'mp3', channels: 1 }])
  expect(Math.abs(seconds - 3)).toBeLessThan(format === 'wav' ? 0.001 : 0.1)
  expect((await renderSound(recipe)).equals(sound)).toBe(true)
})

it('hums audibly, without clipping, and differently for every seed', () => {
  const [one, other] = [babble(1, 2), babble(2, 2)]
  expect(one.some(value => value > 3_000)).toBe(true)
  expect(one.every(value => Math.abs(value) < 32_767)).toBe(true)
  expect(one).not.toEqual(other)
})

it.each([1, 2] as const)(
  'ends a tune of %i channels in silence on both sides, so that it can be repeated',
  channels => {
    const length = 96 * 1024
    const samples = tune(3, channels, length)
    expect(samples).toHaveLength(length * channels)
    expect(samples.slice(0, 1024 * channels).every(value => value === 0)).toBe(true)
    expect(samples.slice(-2048 * channels).every(value => value === 0)).toBe(true)
    expect(samples.some(value => value > 2_000)).toBe(true)
  },
)

it('refuses sound that is not in ADTS frames', () => {
  expect(() => readAdts(new Uint8Array(16))).toThrow('not an ADTS stream at byte 0')
})
