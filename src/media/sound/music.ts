import type { Mood } from './moods.ts'
import { type Mix, oscillator, sampleRate, sequence } from './samples.ts'

/** One note. Times are seconds. */
interface Note {
  start: number
  ring: number
  hertz: number
  loudness: number
  /** -1 left, 1 right. */
  side: number
}

/** The length of a piece and the form of its samples. */
export interface Excerpt {
  channels: 1 | 2
  /** Samples of one channel at 48 kHz, from the beginning on; at most `loopSamples`. */
  samples: number
}

const loopSeconds = 8

/** A whole piece: eight seconds are 375 pieces of AAC, and whole seconds. */
export const loopSamples = loopSeconds * sampleRate

/**
 * A piece of music in a mood. It can be repeated without a break: a note that sounds at the end continues at the beginning.
 * The melody follows from the seed.
 */
export function music(mood: Mood, seed: number, excerpt: Excerpt): Mix {
  const mix: Mix = new Float64Array(excerpt.samples * excerpt.channels)
  for (const note of melodyOf(mood, seed)) addNote(mix, excerpt, mood, note)
  addDrone(mix, excerpt, mood)
  return mix
}

function melodyOf({ scale, root, beats, density, ring }: Mood, seed: number): Note[] {
  const pick = sequence(seed)
  const key = root * 2 ** ((pick(5) - 2) / 12)
  const isPlayed = Array.from({ length: beats }, (_, beat) => beat % 4 === 0 || pick(8) < density)
  return isPlayed.flatMap((played, beat) => {
    const step = scale[pick(scale.length)] ?? 0
    const side = (pick(9) - 4) / 8
    if (!played) return []
    const loudness = beat % 4 === 0 ? 0.15 : 0.1
    return { start: (beat * loopSeconds) / beats, ring, hertz: key * 2 ** (step / 12), loudness, side }
  })
}

const attackSamples = 480

function addNote(mix: Mix, { channels, samples }: Excerpt, { brightness }: Mood, note: Note): void {
  const from = Math.round(note.start * sampleRate)
  const ring = Math.round(note.ring * sampleRate)
  const length = samples === loopSamples ? ring : Math.min(ring, samples - from)
  const sides = channels === 1 ? [1] : [1 - note.side, 1 + note.side]
  const [ground, octave] = [oscillator(note.hertz, sampleRate), oscillator(2 * note.hertz, sampleRate)]
  for (let i = 0; i < length; i++) {
    const fade = 1 - i / ring
    const envelope = Math.min(1, i / attackSamples) * fade * fade * note.loudness
    add(mix, (from + i) % samples, sides, (ground() + brightness * octave()) * envelope)
  }
}

/** Root and fifth, an octave lower. A whole number of their periods fits the piece, so that they have no jump. */
function addDrone(mix: Mix, { channels, samples }: Excerpt, { root, drone }: Mood): void {
  if (drone === 0) return
  const fitting = (hertz: number) => Math.round(hertz * loopSeconds) / loopSeconds
  const low = oscillator(fitting(root / 2), sampleRate)
  const fifth = oscillator(fitting(root * 0.75), sampleRate)
  const sides = channels === 1 ? [1] : [1, 1]
  for (let i = 0; i < samples; i++) add(mix, i, sides, (low() + 0.6 * fifth()) * drone)
}

function add(mix: Mix, at: number, sides: readonly number[], value: number): void {
  for (let side = 0; side < sides.length; side++) {
    const index = at * sides.length + side
    mix[index] = (mix[index] as number) + value * (sides[side] as number)
  }
}

const hertz = 1_000
const seconds = 0.05
const attackSeconds = 0.002
const loudness = 0.12

/** A short soft tone at each whole second, so that sound can be checked against the light in the picture. */
export function addBlips(mix: Mix, { channels, samples }: Excerpt): void {
  const length = Math.round(seconds * sampleRate)
  const sides = channels === 1 ? [1] : [1, 1]
  for (let from = 0; from + length <= samples; from += sampleRate) {
    const next = oscillator(hertz, sampleRate)
    for (let i = 0; i < length; i++) {
      const envelope = Math.min(1, i / (attackSeconds * sampleRate)) * (1 - i / length)
      add(mix, from + i, sides, next() * envelope * loudness)
    }
  }
}
