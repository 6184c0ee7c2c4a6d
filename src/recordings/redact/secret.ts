import { type PlainText, type Span, spanOf, textOfBytes } from './plain-text.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** What is known while a recording is redacted. */
export interface Redaction {
  names: Pseudonyms
  prompts: 'kept' | 'redacted'
}

/** A part of a text that is replaced. */
export interface Secret extends Span {
  /** Makes the text that replaces the given part. */
  replacement(part: string): string
}

export type Find = (plain: PlainText, how: Redaction) => Secret[]

/** Replaces bytes of a text by the name of what they say. */
export function secretAt(
  plain: PlainText,
  [start, end]: readonly [number, number],
  replaced: (value: string) => string,
): Secret {
  const value = textOfBytes(plain.bytes.slice(start, end))
  return { ...spanOf(plain, start, end), replacement: () => replaced(value) }
}
