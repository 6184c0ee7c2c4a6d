import type { Rgb } from '../drawing/colour.ts'
import type { Season, TimeOfDay } from '../scenes/light.ts'
import { type Side, type Style, type Target, wordTables } from '../scenes/words/lexicon.ts'
import { matches } from '../scenes/words/match-words.ts'

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
