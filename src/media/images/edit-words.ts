import type { TimeOfDay } from '../scenes/light.ts'
import type { Season } from '../scenes/materials.ts'
import { matches } from '../scenes/words/match-words.ts'
import { wordTables } from '../scenes/words/word-tables.ts'
import type { Rgb } from '../video/yuv.ts'

export type Style = 'monochrome' | 'sepia'

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
