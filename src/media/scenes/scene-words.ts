import { type Random, randomFor } from '../../emulator/ground.ts'
import type { Rgb } from '../drawing/colour.ts'
import type { Season, TimeOfDay } from './light.ts'
import { homeOf, type ScenePlace, type SubjectWord, wordTables } from './words/lexicon.ts'
import { type Found, matches, wanted } from './words/match-words.ts'
import { fold } from './words/tokens.ts'

/** The content of a scene as data: from the prompt, and from the seed where the prompt names nothing. */
export interface SceneWords {
  place: ScenePlace
  time: TimeOfDay
  season?: Season
  /** The colour towards which the whole scene is moved. */
  tint?: Rgb
  rain?: true
  /** A white background. */
  white?: true
  subject?: SubjectWord
}

/**
 * Reads a prompt for the words that decide its scene: place, time of day, season, colours and subject, in sixteen languages
 * (`fixtures/words/`). Everything else follows from the seed. The same prompt and seed give the same scene.
 */
export function sceneWords(prompt: string, seed: number): SceneWords {
  const random = randomFor(seed, 'scene words', 0)
  const subject = subjectIn(prompt)
  const weather = matches(wordTables.weather(), prompt)
  const isWhite = weather.some(({ is }) => is === 'white')
  const named = scenePlaceOf(prompt, subject, random)
  const place = isWhite ? 'studio' : named
  const [drawnTime, season] = [timeOf(prompt, random), seasonOf(prompt, place, random)]
  const time = isWhite ? 'noon' : drawnTime
  const { own, tint } = coloursOf(prompt, subject, weather)
  return {
    place,
    time,
    ...(season && { season }),
    ...(tint && !isWhite && { tint }),
    ...(weather.some(({ is }) => is === 'rain') && { rain: true }),
    ...(isWhite && { white: true }),
    ...(subject && {
      subject: { ...subject.is, ...(own && { colour: own }) },
    }),
  }
}

/**
 * What the prompt names first: a drawn subject, or a sticker of what the emoji font can draw. A person is drawn only where nothing else is named:
 * he or she mostly does something with the thing to be seen. A wrong sticker is worse than none, so that code has none.
 */
function subjectIn(prompt: string): Found<SubjectWord> | undefined {
  const [drawn] = wanted(wordTables.subjects(), prompt)
  const things = isCode.test(prompt) ? [] : wanted(wordTables.emoji(), prompt)
  const sticker = things.find(({ end }) => !isShade.test(fold(prompt).slice(end)))
  const isPerson = drawn?.is === 'person' || drawn?.is === 'portrait'
  if (sticker && (!drawn || isPerson || sticker.start <= drawn.start))
    return { ...sticker, is: { kind: 'sticker', sign: sticker.is } }
  return drawn && { ...drawn, is: { kind: drawn.is } }
}

/** After the name of a thing that stands for a colour: "lemon yellow". */
const isShade = /^[\s-](?:black|blue|brown|colou?red|gr[ae]y|green|orange|pink|purple|red|white|yellow)\b/
const isCode = /[{}=]|\(\)|(?:^|\s)--?\w|\w\(|^\s*[A-Z]{3,} /

const anyPlace = ['mountains', 'lake', 'sea', 'forest', 'field', 'city', 'desert', 'clouds'] as const
const anyTime = ['morning', 'noon', 'noon', 'evening', 'evening', 'night'] as const
const anySeason = [undefined, undefined, 'spring', 'autumn'] as const

function scenePlaceOf(prompt: string, subject: Found<SubjectWord> | undefined, random: Random): ScenePlace {
  const chosen = random.pick(anyPlace)
  const named = matches(wordTables.places(), prompt)[0]?.is
  // Fish and whales in the sea are shown under water.
  const isSwimmer = subject?.is.kind === 'fish' || subject?.is.kind === 'whale'
  if (named === 'sea' && isSwimmer) return 'underwater'
  return named ?? (subject ? homeOf(subject.is.kind) : chosen)
}

function timeOf(prompt: string, random: Random): TimeOfDay {
  const chosen = random.pick(anyTime)
  return matches(wordTables.times(), prompt)[0]?.is ?? chosen
}

function seasonOf(prompt: string, place: ScenePlace, random: Random): Season | undefined {
  const chosen = random.pick(anySeason)
  const open = place === 'snow' ? 'winter' : hasSeasons.has(place) ? chosen : undefined
  return matches(wordTables.seasons(), prompt)[0]?.is ?? open
}

/** Places whose season follows from the seed when no word names it. */
const hasSeasons = new Set<ScenePlace>(['mountains', 'lake', 'forest', 'field', 'village', 'city'])

/** A colour word within this many characters of the subject's word is the colour of the subject. */
const beside = 9

/** The colours of the subject and of the whole scene. That of a white background is neither. */
function coloursOf(
  prompt: string,
  subject: Found<SubjectWord> | undefined,
  weather: readonly Found<unknown>[],
): { own?: Rgb; tint?: Rgb } {
  const colours = matches(wordTables.colours(), prompt).filter(
    ({ start, end }) => !weather.some(other => other.start <= start && end <= other.end),
  )
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
