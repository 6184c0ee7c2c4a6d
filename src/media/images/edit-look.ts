import type { Sharp } from 'sharp'
import { randomFor } from '../../emulator/ground.ts'
import { paletteOf, type Rgb } from '../drawing/colour.ts'
import type { Season, TimeOfDay } from '../scenes/light.ts'
import { type Side, type Style, type Target, wordTables } from '../scenes/words/lexicon.ts'
import { matches } from '../scenes/words/match-words.ts'

/** Changes the colours of a picture, which stays recognisable. Transparency does not change. */
export type EditLook = (picture: Sharp) => Sharp

/** A change of colours: first saturation and brightness (1 changes nothing), then the given part of the tint. */
interface Mood {
  saturation: number
  brightness: number
  tint: Rgb
  strength: number
}

const times: Readonly<Record<TimeOfDay, Mood>> = {
  morning: { saturation: 0.95, brightness: 1.08, tint: [255, 205, 170], strength: 0.24 },
  noon: { saturation: 1.16, brightness: 1.12, tint: [255, 250, 235], strength: 0.12 },
  evening: { saturation: 1.15, brightness: 0.95, tint: [255, 138, 60], strength: 0.32 },
  night: { saturation: 0.75, brightness: 0.56, tint: [22, 40, 108], strength: 0.42 },
}

const seasons: Readonly<Record<Season, Mood>> = {
  spring: { saturation: 1.08, brightness: 1.07, tint: [255, 214, 226], strength: 0.16 },
  summer: { saturation: 1.25, brightness: 1.06, tint: [255, 236, 170], strength: 0.12 },
  autumn: { saturation: 1.1, brightness: 0.97, tint: [222, 128, 44], strength: 0.3 },
  winter: { saturation: 0.5, brightness: 1.1, tint: [207, 228, 255], strength: 0.34 },
}

const styles: Readonly<Record<Style, Mood>> = {
  monochrome: { saturation: 0.02, brightness: 1, tint: [0, 0, 0], strength: 0 },
  sepia: { saturation: 0.45, brightness: 1, tint: [181, 121, 58], strength: 0.34 },
}

const rainy: Mood = { saturation: 0.7, brightness: 0.86, tint: [96, 112, 132], strength: 0.2 }

/** The changes that the prompt names, one after the other; without any, a mood that follows from the seed. */
export function editLookOf({ time, season, style, colour, rain }: EditWords, seed: number): EditLook {
  const asked = [
    season && seasons[season],
    time && times[time],
    rain && time !== 'night' ? rainy : undefined,
    colour && { saturation: 1, brightness: 1, tint: colour, strength: 0.4 },
    style && styles[style],
  ].filter(mood => mood !== undefined)
  return lookOf((asked.length > 0 ? asked : [drawnMood(seed)]).map(changeOf).reduce(afterEachOther))
}

function drawnMood(seed: number): Mood {
  const random = randomFor(seed, 'edit', 0)
  return {
    tint: paletteOf(seed).glow,
    strength: 0.26 + random.next() * 0.16,
    saturation: 0.85 + random.next() * 0.4,
    brightness: 0.96 + random.next() * 0.08,
  }
}

type Channels = [red: number, green: number, blue: number]

/** A change of colours as a matrix and an offset: any number of changes takes one step for each pixel. */
interface Change {
  matrix: readonly [Channels, Channels, Channels]
  offset: Channels
}

/** The weights of red, green and blue in the brightness that the eye sees. */
const weights: Rgb = [0.2126, 0.7152, 0.0722]

function changeOf({ tint, strength, saturation, brightness }: Mood): Change {
  const kept = (1 - strength) * brightness
  const row = (own: number) =>
    channels(i => kept * ((1 - saturation) * (weights[i] ?? 0) + (i === own ? saturation : 0)))
  return { matrix: [row(0), row(1), row(2)], offset: channels(i => (tint[i] ?? 0) * strength) }
}

function afterEachOther(first: Change, second: Change): Change {
  const row = (own: 0 | 1 | 2) =>
    channels(i => sum(second.matrix[own].map((part, j) => part * (first.matrix[j]?.[i] ?? 0))))
  const shift = (own: 0 | 1 | 2) => sum(second.matrix[own].map((part, j) => part * (first.offset[j] ?? 0)))
  return {
    matrix: [row(0), row(1), row(2)],
    offset: [shift(0) + second.offset[0], shift(1) + second.offset[1], shift(2) + second.offset[2]],
  }
}

function channels(of: (channel: number) => number): Channels {
  return [of(0), of(1), of(2)]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function lookOf({ matrix, offset }: Change): EditLook {
  return picture =>
    picture
      .toColourspace('srgb')
      .recomb([...matrix])
      .linear([1, 1, 1], offset)
}

/** The changes that the prompt of an edit names. */
export interface EditWords {
  time?: TimeOfDay
  season?: Season
  colour?: Rgb
  style?: Style
  rain?: true
}

/** Reads the prompt of an edit: time of day, season, colour, style and rain, in the same words as scenes. */
export function editWords(prompt: string): EditWords {
  const [time] = matches(wordTables.times(), prompt)
  const [season] = matches(wordTables.seasons(), prompt)
  const [style] = matches(wordTables.styles(), prompt)
  // "Black and white" names no colours.
  const [colour] = style ? [] : matches(wordTables.colours(), prompt)
  return {
    ...(time && { time: time.is }),
    ...(season && { season: season.is }),
    ...(style && { style: style.is }),
    ...(colour && { colour: colour.is }),
    ...(matches(wordTables.weather(), prompt).some(({ is }) => is === 'rain') && { rain: true }),
  }
}

/** What a prompt asks to remove, with the words that say where it is and which colour it has. One thing without `target`. */
export interface Removal {
  target?: Target
  sides: readonly Side[]
  colour?: Rgb
}

/** Where one request of a prompt ends and the next begins. */
const ends =
  /[,.;:!?，。；：！？、،؛।\n]+|\s+(?:and|then)\s+(?=(?:then\s+)?(?:make|turn|change|set|paint|colou?r|give|show)\b)/i

/** What the prompt of an edit asks to remove, and the rest of the prompt. The rest is the whole prompt when nothing is to be removed. */
export function readRemoval(prompt: string): { removal?: Removal; rest: string } {
  const parts = prompt.split(ends)
  const asking = parts.filter(part => matches(wordTables.removals(), part).length > 0)
  if (asking.length === 0) return { rest: prompt }
  const words = asking.join(' . ')
  const [target] = matches(wordTables.removalTargets(), words)
  const [colour] = matches(wordTables.colours(), words)
  return {
    removal: {
      ...(target && { target: target.is }),
      sides: [...new Set(matches(wordTables.removalSides(), words).map(({ is }) => is))],
      ...(colour && { colour: colour.is }),
    },
    rest: parts.filter(part => !asking.includes(part)).join('. '),
  }
}
