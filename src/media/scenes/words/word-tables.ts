import { readFixture } from '../../../package/files.ts'
import { rgb } from '../../drawing/colour.ts'
import type { Side, Style, Target } from '../../images/edit-words.ts'
import type { Rgb } from '../../video/yuv.ts'
import type { Season, TimeOfDay } from '../light.ts'
import type { Place } from '../places.ts'
import type { SubjectKind } from '../subjects.ts'

/**
 * Words of prompts and what they mean, with spaces between the words of a list. In a word `_` is a space or a hyphen, `+` at its end
 * an English plural, `*` at its end any ending of a few letters. Of two rows that fit, the one in the earlier sentence counts, then
 * the one of the higher rank, then the one whose word comes first. A word appears once in a table, also when two languages share it.
 */
interface WordRow<T> {
  is: T
  /** English, German, Spanish, French, Italian, Portuguese, Vietnamese, Greek, Russian. */
  words: string
  /** Chinese, Japanese, Korean, Arabic, Hebrew, Hindi, Thai. */
  others?: string
  /** 0 when absent. */
  rank?: number
}

/** Words that contain words of a table and mean something else: their parts are not matched. */
export interface WordTable<T> {
  rows: readonly WordRow<T>[]
  not: string
}

/** The tables in `fixtures/words/`, each read on first use. */
export const wordTables = {
  colours: late<WordTable<Rgb>>(() => {
    const { rows, not } = read<string>('colours')
    return { rows: rows.map(row => ({ ...row, is: rgb(row.is) })), not }
  }),
  /** What the emoji font can draw, by the annotations of Unicode CLDR (`build/emoji-words.mjs`). */
  emoji: late(() => read<string>('emoji')),
  /** Words that say that what comes after or before them is not to be seen. */
  negations: late(() => read<'before' | 'after'>('negations')),
  places: late(() => read<Place>('places')),
  seasons: late(() => read<Season>('seasons')),
  styles: late(() => read<Style>('styles')),
  subjects: late(() => read<SubjectKind>('subjects')),
  times: late(() => read<TimeOfDay>('times')),
  weather: late(() => read<'rain' | 'white'>('weather')),
  removals: late(() => read<'remove'>('removals')),
  removalTargets: late(() => read<Target>('removal-targets')),
  removalSides: late(() => read<Side>('removal-sides')),
}

function read<T>(name: string): WordTable<T> {
  return readFixture(`words/${name}.json`)
}

/** A function that makes its value once, when it is first called. */
function late<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
