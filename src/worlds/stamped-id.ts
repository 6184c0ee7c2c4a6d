import type { Random } from './random.ts'

/** Without vowels, so that ids contain no words, and without characters that look alike. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** `<kind>-YYYYMMDDHHMMSS-xxxxx`, the time in UTC+8: the upstream form of ids. */
export function stampedId(kind: string, random: Random, now: number): string {
  return `${kind}-${stampOf(now)}-${random.text(alphabet, 5)}`
}

function stampOf(ms: number): string {
  return new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace(/[-T:]/g, '')
}
