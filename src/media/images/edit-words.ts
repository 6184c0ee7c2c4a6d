import type { TimeOfDay } from '../scenes/light.ts'
import type { Season } from '../scenes/materials.ts'
import { colourWords } from '../scenes/words/colour-words.ts'
import { matches } from '../scenes/words/match-words.ts'
import { seasonWords, timeWords } from '../scenes/words/time-words.ts'
import type { WordTable } from '../scenes/words/word-row.ts'
import type { Rgb } from '../video/yuv.ts'

export type Style = 'monochrome' | 'sepia'

/** The changes that the prompt of an edit names. */
export interface EditWords {
  time?: TimeOfDay
  season?: Season
  colour?: Rgb
  style?: Style
}

const styleWords: WordTable<Style> = {
  rows: [
    {
      is: 'monochrome',
      words:
        'black_and_white grayscale greyscale monochrome* schwarz_weiß* schwarzweiß* schwarzweiss* blanco_y_negro noir_et_blanc bianco_e_nero preto_e_branco đen_trắng ασπρόμαυρ* черно_бел*',
      others: '黑白 灰度 単色 白黒 モノクロ 흑백 ابيض_واسود שחור_לבן श्वेत_श्याम ขาวดำ',
    },
    {
      is: 'sepia',
      words: 'sepia vintage retro сепи* ретро',
      others: '复古 怀旧 セピア レトロ 빈티지 سيبيا ספיה सेपिया ซีเปีย',
    },
  ],
  not: '',
}

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
