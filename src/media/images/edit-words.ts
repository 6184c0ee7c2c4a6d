import type { TimeOfDay } from '../scenes/light.ts'
import { matches } from '../scenes/match-words.ts'
import type { Season } from '../scenes/materials.ts'
import { colourWords, seasonWords, timeWords, type WordRow } from '../scenes/word-table.ts'
import type { Rgb } from '../video/yuv.ts'

export type Style = 'monochrome' | 'sepia'

/** What the prompt of an edit asks for, as far as it is understood. */
export interface EditWords {
  time?: TimeOfDay
  season?: Season
  colour?: Rgb
  style?: Style
}

const styleWords: readonly WordRow<Style>[] = [
  {
    is: 'monochrome',
    words:
      'black[\\s-]and[\\s-]white grayscale greyscale monochrome* schwarz-?weiß* schwarzweiss* blanco_y_negro noir_et_blanc чёрно-бел* черно-бел* 黑白 灰度 単色 モノクロ 흑백',
  },
  { is: 'sepia', words: 'sepia vintage retro сепи* ретро 复古 怀旧 セピア レトロ 빈티지' },
]

/** Reads the prompt of an edit: time of day, season, colour and style, in the same words as scenes. */
export function editWords(prompt: string): EditWords {
  const [time] = matches(timeWords, prompt)
  const [season] = matches(seasonWords, prompt)
  const [style] = matches(styleWords, prompt)
  // "Black and white" names no colours.
  const [colour] = style ? [] : matches(colourWords, prompt)
  return {
    ...(time && { time: time.is }),
    ...(season && { season: season.is }),
    ...(style && { style: style.is }),
    ...(colour && { colour: colour.is }),
  }
}
