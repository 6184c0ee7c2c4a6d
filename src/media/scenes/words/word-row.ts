/**
 * Words of prompts and what they mean, with spaces between the words of a list. In a word `_` is a space or a hyphen, `+` at its end
 * an English plural, `*` at its end any ending of a few letters. Of two rows that fit, the one in the earlier sentence counts, then
 * the one of the higher rank, then the one whose word comes first. A word appears once in a table, also when two languages share it.
 */
export interface WordRow<T> {
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
