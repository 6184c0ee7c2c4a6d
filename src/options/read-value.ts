import { parseRate, readMoment } from '../worlds/clock.ts'
import type { Options } from './config.ts'
import { hint, UsageError } from './usage-error.ts'

/* Readers of option values. Each throws UsageError with the text and the allowed values. */

export const choice =
  (...allowed: string[]) =>
  (text: string) => {
    if (!allowed.includes(text))
      throw new UsageError(`${shownText(text)} is not one of ${allowed.join(', ')}${hint(text, allowed)}`)
    return text
  }
export const whole = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most)
    throw new UsageError(`${shownText(text)} is not a whole number from ${least} to ${most}`)
  return number
}
export const flagValue = (text: string) => {
  if (['', 'true', '1', 'on', 'yes'].includes(text)) return true
  if (['false', '0', 'off', 'no'].includes(text)) return false
  throw new UsageError(`${shownText(text)} is not one of true, false`)
}
export const plain = (text: string) => {
  if (text === '') throw new UsageError('must not be empty')
  return text
}

export function readClock(text: string): Options['clock'] {
  if (text === 'realtime' || text === 'manual' || text === 'auto') return { mode: text, rate: 1 }
  const rate = /x$/.test(text) ? parseRate(text) : undefined
  if (rate === undefined)
    throw new UsageError(
      `${shownText(text)} is not realtime, manual, auto, or a rate such as 60x${hint(text, ['realtime', 'manual', 'auto'])}`,
    )
  return { mode: 'realtime', rate }
}

export function readNow(text: string): number {
  // Digits are shown as they were typed: JavaScript cannot represent every number of 16 digits.
  const read = /^-?\d+$/.test(text) ? readMoment(Number(text), text) : readMoment(text)
  if ('fault' in read) throw new UsageError(read.fault)
  return read.ms
}

export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${shownText(text)} is not an http or https address`)
  return text.replace(/\/+$/, '')
}

function shownText(text: string): string {
  return JSON.stringify(text)
}
