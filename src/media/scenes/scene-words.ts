import { type Random, randomFor } from '../../worlds/random.ts'
import type { Rgb } from '../video/yuv.ts'
import type { TimeOfDay } from './light.ts'
import type { Season } from './materials.ts'
import type { Place } from './places.ts'
import { homeOf, type SubjectKind } from './subjects.ts'
import { colourWords } from './words/colour-words.ts'
import { type Found, matches } from './words/match-words.ts'
import { placeWords } from './words/place-words.ts'
import { subjectWords } from './words/subject-words.ts'
import { seasonWords, timeWords } from './words/time-words.ts'

/** The content of a scene as data: from the prompt, and from the seed where the prompt names nothing. */
export interface SceneWords {
  place: Place
  time: TimeOfDay
  season?: Season
  /** The colour towards which the whole scene is moved. */
  tint?: Rgb
  subject?: SubjectWord
}

/** The subject of the picture, and the colour that the prompt names for it. */
export interface SubjectWord {
  kind: SubjectKind
  colour?: Rgb
}

/**
 * Reads a prompt for the words that decide its scene: place, time of day, season, colours and subject, in sixteen languages
 * (`words/`). Everything else follows from the seed. The same prompt and seed give the same scene.
 */
export function sceneWords(prompt: string, seed: number): SceneWords {
  const random = randomFor(seed, 'scene words', 0)
  const [subject] = matches(subjectWords, prompt)
  const place = placeOf(prompt, subject, random)
  const [time, season] = [timeOf(prompt, random), seasonOf(prompt, place, random)]
  const { own, tint } = coloursOf(prompt, subject)
  return {
    place,
    time,
    ...(season && { season }),
    ...(tint && { tint }),
    ...(subject && {
      subject: { kind: subject.is, ...(own && { colour: own }) },
    }),
  }
}

const anyPlace = ['mountains', 'lake', 'sea', 'forest', 'field', 'city', 'desert', 'clouds'] as const
const anyTime = ['morning', 'noon', 'noon', 'evening', 'evening', 'night'] as const
const anySeason = [undefined, undefined, 'spring', 'autumn'] as const

function placeOf(prompt: string, subject: Found<SubjectKind> | undefined, random: Random): Place {
  const chosen = random.pick(anyPlace)
  const named = matches(placeWords, prompt)[0]?.is
  // Fish and whales in the sea are shown under water.
  const isSwimmer = subject?.is === 'fish' || subject?.is === 'whale'
  if (named === 'sea' && isSwimmer) return 'underwater'
  return named ?? (subject ? homeOf(subject.is) : chosen)
}

function timeOf(prompt: string, random: Random): TimeOfDay {
  const chosen = random.pick(anyTime)
  return matches(timeWords, prompt)[0]?.is ?? chosen
}

function seasonOf(prompt: string, place: Place, random: Random): Season | undefined {
  const chosen = random.pick(anySeason)
  const open = place === 'snow' ? 'winter' : hasSeasons.has(place) ? chosen : undefined
  return matches(seasonWords, prompt)[0]?.is ?? open
}

/** Places whose season follows from the seed when no word names it. */
const hasSeasons: ReadonlySet<Place> = new Set(['mountains', 'lake', 'forest', 'field', 'village', 'city'])

/** A colour word within this many characters of the subject's word is the colour of the subject. */
const beside = 9

function coloursOf(prompt: string, subject: Found<SubjectKind> | undefined): { own?: Rgb; tint?: Rgb } {
  const colours = matches(colourWords, prompt)
  const own = subject && colours.find(colour => gap(colour, subject) <= beside)
  const tint = colours.find(colour => colour !== own && !isGrey(colour.is))
  return { ...(own && { own: own.is }), ...(tint && { tint: tint.is }) }
}

function gap(a: Found<unknown>, b: Found<unknown>): number {
  return Math.max(b.start - a.end, a.start - b.end)
}

function isGrey(colour: Rgb): boolean {
  return Math.max(...colour) - Math.min(...colour) < 12
}
