import type { Place } from '../scenes/places.ts'
import { sceneWords } from '../scenes/scene-words.ts'
import { isAnimal } from '../scenes/subjects.ts'

/** The parameters of a piece of music. */
export interface Mood {
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

const moodOfPlace: Readonly<Record<Place, MoodName>> = {
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
