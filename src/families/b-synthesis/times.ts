import { inRange } from '../../worlds/clock.ts'

const zoneMs = 8 * 3_600_000

/** A moment as the wire writes it: `YYYY-MM-DD HH:MM:SS.mmm` in UTC+8, without a zone (B-times). */
export function wireTime(ms: number): string {
  return new Date(inRange(ms + zoneMs)).toISOString().slice(0, 23).replace('T', ' ')
}

/** The moment of `YYYYMMDDhhmmss` in UTC+8; undefined when there is no such day or hour. */
export function readTime(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second] = parts
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const ms = Date.parse(`${iso}.000Z`)
  // Date.parse lets the 31st of February pass as a day in March.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(iso) ? undefined : ms - zoneMs
}
