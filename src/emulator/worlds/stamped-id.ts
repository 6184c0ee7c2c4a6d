import { inRange } from './clock.ts'
import type { Random } from './random.ts'

/** Without vowels, so that ids contain no words, and without characters that look alike. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** `<kind>-YYYYMMDDHHMMSS-xxxxx`, the time in UTC+8: the upstream form of ids. */
export function stampedId(kind: string, random: Random, now: number): string {
  return `${kind}-${stampOf(now)}-${random.text(alphabet, 5)}`
}

/** One number has all digits, and is written in a sixth of the time that cutting an ISO text takes: it is part of every create. */
function stampOf(ms: number): string {
  const at = new Date(inRange(ms + 8 * 3_600_000))
  const date = (at.getUTCFullYear() * 100 + at.getUTCMonth() + 1) * 100 + at.getUTCDate()
  const time = (at.getUTCHours() * 100 + at.getUTCMinutes()) * 100 + at.getUTCSeconds()
  return String(date * 1_000_000 + time)
}
