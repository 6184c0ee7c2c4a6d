/**
 * Words of prompts and what they stand for, each list parted by spaces. In a word `_` is a space or a hyphen, `+` at its end an
 * English plural, `*` at its end any ending of a few letters. Of two rows that fit, the one of the higher rank counts, then the
 * one whose word comes first.
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

/** Words that contain words of a table and mean something else: they are not looked into. */
export interface WordTable<T> {
  rows: readonly WordRow<T>[]
  not: string
}
