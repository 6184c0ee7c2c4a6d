import { sceneWords } from '../scenes/scene-words.ts'
import { isAnimal } from '../scenes/subjects.ts'
import type { ScenePlace } from '../scenes/words/lexicon.ts'

/** Samples a second of every sound track. */
export const sampleRate = 48_000

/** Sound that is being mixed: interleaved channels, full scale is 1. */
export type Mix = Float64Array

/** 16-bit samples; values above full scale are clipped. */
export function toInt16(mix: Mix): Int16Array {
  const samples = new Int16Array(mix.length)
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.round(Math.max(-1, Math.min(1, mix[i] as number)) * 32_767)
  }
  return samples
}

/** A sine wave by rotation, which is much faster than the sine of every sample. It starts at 0. */
export function oscillator(hertz: number, rate: number): () => number {
  const step = (2 * Math.PI * hertz) / rate
  const factor = 2 * Math.cos(step)
  let before = Math.sin(-step)
  let now = 0
  return () => {
    const value = now
    now = factor * now - before
    before = value
    return value
  }
}

/** A function for whole numbers below a limit, which follow from the seed (mulberry32). */
export function sequence(seed: number): (below: number) => number {
  let state = seed | 0
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

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

/** The parameters of a piece of music. */
interface Mood {
  /** Steps of the scale in semitones above the root. */
  scale: readonly number[]
  /** The root in Hz. */
  root: number
  /** Beats in one loop of eight seconds. */
  beats: 16 | 24 | 32 | 40
  /** The number of notes on eight beats that are not the first of a bar. */
  density: number
  /** Seconds until a note has ended. */
  ring: number
  /** Loudness of the octave above, which makes a note brighter; 0 is a bare sine. */
  brightness: number
  /** Loudness of the low fifth beneath the notes. */
  drone: number
}

const major = [0, 2, 4, 7, 9, 12, 14, 16]
const minor = [0, 3, 5, 7, 10, 12, 15, 17]
const dorian = [0, 2, 3, 5, 7, 9, 10, 12]
const lydian = [0, 4, 6, 7, 11, 12, 16, 18]
const open = [0, 2, 7, 9, 12, 14, 19, 21]
const phrygian = [0, 1, 4, 5, 7, 8, 10, 12]

/** The moods that music can have. */
export const moods = {
  bright: { scale: major, root: 220, beats: 32, density: 5, ring: 0.7, brightness: 0.3, drone: 0.02 },
  calm: { scale: major, root: 174.6, beats: 24, density: 4, ring: 1.2, brightness: 0.15, drone: 0.04 },
  wistful: { scale: minor, root: 196, beats: 24, density: 4, ring: 1.1, brightness: 0.2, drone: 0.04 },
  lively: { scale: dorian, root: 196, beats: 40, density: 6, ring: 0.4, brightness: 0.45, drone: 0.02 },
  playful: { scale: major, root: 261.6, beats: 40, density: 5, ring: 0.3, brightness: 0.5, drone: 0 },
  vast: { scale: lydian, root: 130.8, beats: 16, density: 4, ring: 2.2, brightness: 0.1, drone: 0.06 },
  crystalline: { scale: open, root: 392, beats: 24, density: 3, ring: 1.4, brightness: 0.1, drone: 0.02 },
  dry: { scale: phrygian, root: 185, beats: 24, density: 4, ring: 0.8, brightness: 0.35, drone: 0.05 },
} as const satisfies Record<string, Mood>

export type MoodName = keyof typeof moods

const moodOfPlace: Readonly<Record<ScenePlace, MoodName>> = {
  mountains: 'calm',
  lake: 'calm',
  sea: 'calm',
  underwater: 'vast',
  city: 'lively',
  forest: 'wistful',
  desert: 'dry',
  field: 'bright',
  village: 'bright',
  snow: 'crystalline',
  space: 'vast',
  clouds: 'calm',
  interior: 'wistful',
  studio: 'bright',
}

/** The mood of the scene that a video shows. */
export function moodOf(prompt: string, seed: number): MoodName {
  const { place, subject } = sceneWords(prompt, seed)
  return subject && isAnimal(subject.kind) ? 'playful' : moodOfPlace[place]
}
