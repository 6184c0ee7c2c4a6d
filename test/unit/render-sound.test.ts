import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loopSamples, type MoodName, moodOf, moods, sampleRate } from '../../src/media/sound/music.ts'
import { babble, readAdts, renderSound, synthesize } from '../../src/media/sound/sounds.ts'
import { ownFolder } from '../support/folders.ts'
import { probe } from '../support/video-files.ts'

const folder = ownFolder('sound-test')

it.each(['wav', 'mp3'] as const)('renders a voice trial as %s of the requested length', async format => {
  const recipe = { kind: 'sound', format, seconds: 3, seed: 5 } as const
  const sound = await renderSound(recipe)
  const file = join(folder, `trial.${format}`)
  await writeFile(file, sound)
  const { streams, seconds } = await probe(file)
  expect(streams).toMatchObject([{ codec_name: format === 'wav' ? 'pcm_s16le' : 'mp3', channels: 1 }])
  expect(Math.abs(seconds - 3)).toBeLessThan(format === 'wav' ? 0.001 : 0.1)
  expect((await renderSound(recipe)).equals(sound)).toBe(true)
})

it('renders an audible voice without clipping, and another one for every seed', () => {
  const speech = { seconds: 2, rate: 24_000 }
  const [one, other] = [babble(1, speech), babble(2, speech)]
  expect(one.some(value => value > 3_000)).toBe(true)
  expect(one.every(value => Math.abs(value) < 32_767)).toBe(true)
  expect(one).not.toEqual(other)
})

const whole = { channels: 1, samples: loopSamples } as const
const names = Object.keys(moods) as MoodName[]

it.each(names)('renders %s music that is audible, never clips and has no frequency too low to hear', mood => {
  const samples = synthesize({ kind: 'music', mood, seed: 1 }, whole)
  expect(samples).toHaveLength(8 * sampleRate)
  expect(samples.every(value => Math.abs(value) < 32_767)).toBe(true)
  const loudness = Math.sqrt(mean(samples, value => value * value))
  expect(loudness).toBeGreaterThan(600)
  expect(energyBelow20Hz(samples)).toBeLessThan(0.001)
})

it('begins a short tone on each whole second of music, within a millisecond', () => {
  const samples = synthesize({ kind: 'music', mood: 'calm', seed: 0 }, whole)
  for (let second = 1; second < 8; second++) {
    const [before, after] = [-0.03, 0.002].map(offset => strengthAt(1_000, samples, second + offset))
    expect(after, `second ${second}`).toBeGreaterThan(4 * (before ?? 0))
  }
})

it('repeats music without a click: the step between two repeats is no larger than others', () => {
  for (const mood of names) {
    const samples = synthesize({ kind: 'music', mood, seed: 2 }, whole)
    const step = Math.abs((samples[0] ?? 0) - (samples.at(-1) ?? 0))
    expect(step, mood).toBeLessThan(1_500)
  }
})

function mean(samples: Int16Array, of: (value: number) => number): number {
  return samples.reduce((sum, value) => sum + of(value), 0) / samples.length
}

/** The part of the energy below 20 Hz, by Fourier transform of what is left at a thousand samples a second. */
function energyBelow20Hz(samples: Int16Array): number {
  const step = sampleRate / 1000
  const coarse = Array.from({ length: samples.length / step }, (_, i) =>
    mean(samples.subarray(i * step, (i + 1) * step), value => value),
  )
  let low = 0
  for (let hertz = 0; hertz < 20; hertz += 1000 / coarse.length) {
    const turn = (2 * Math.PI * hertz) / 1000
    const re = coarse.reduce((sum, value, i) => sum + value * Math.cos(turn * i), 0)
    const im = coarse.reduce((sum, value, i) => sum + value * Math.sin(turn * i), 0)
    low += ((hertz === 0 ? 1 : 2) * (re * re + im * im)) / coarse.length ** 2
  }
  return low / mean(samples, value => value * value)
}

/** How strong a frequency is in the 25 ms from a moment on (one bin of a Fourier transform). */
function strengthAt(hertz: number, samples: Int16Array, seconds: number): number {
  const from = Math.round(seconds * sampleRate)
  let [re, im] = [0, 0]
  for (let i = 0; i < sampleRate / 40; i++) {
    const angle = (2 * Math.PI * hertz * i) / sampleRate
    re += (samples[from + i] ?? 0) * Math.cos(angle)
    im += (samples[from + i] ?? 0) * Math.sin(angle)
  }
  return Math.hypot(re, im)
}

it('refuses sound that is not in ADTS frames', () => {
  expect(() => readAdts(new Uint8Array(16))).toThrow('not an ADTS stream at byte 0')
})

it.each([
  ['a perfume bottle, product shot', 'bright'],
  ['a boat on the sea', 'calm'],
  ['the city at night', 'lively'],
  ['a cat on a sofa', 'playful'],
  ['a dark forest', 'wistful'],
  ['the desert at noon', 'dry'],
  ['deep snow', 'crystalline'],
  ['an astronaut in space', 'vast'],
] as const)('the music of “%s” is %s', (prompt, mood) => {
  for (const seed of [1, 2, 3]) expect(moodOf(prompt, seed)).toBe(mood)
})
