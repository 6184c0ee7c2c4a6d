import { didYouMean } from '../wording/did-you-mean.ts'
import { badRequest } from './control-error.ts'

/** Checks that a word is a known one. Throws 400 with the path, and the nearest known word as hint. */
export function checkKnown(
  word: string,
  known: readonly string[],
  { path, what = path }: { path: string; what?: string },
): void {
  if (known.includes(word)) return
  const hint = didYouMean(word, known)
  throw badRequest(`${JSON.stringify(word)} is not a known ${what}`, { path, ...(hint && { hint }) })
}
