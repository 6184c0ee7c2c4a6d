import { nearSuggestion } from '../wording/shown.ts'
import { type ClockMode, parseDuration, parseRate, readMoment } from '../worlds/clock.ts'
import { isName, nameRule } from '../worlds/record-values.ts'

/** A wrong flag, variable or key. The command line ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads a given value. A UsageError of the reader gets the name of the place before its message: `--port: "x" is not …`. */
export function readAt<Given, Value>(place: string, given: Given, read: (given: Given) => Value): Value {
  try {
    return read(given)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${place}: ${error.message}`) : error
  }
}

/** The end of an error message: the nearest known word, or nothing when no known word is near. */
export function hint(word: string, known: readonly string[], before = ''): string {
  const question = nearSuggestion(word, known, near => before + near)
  return question ? `; ${question}` : ''
}

/* Readers of option values. Each throws UsageError with the text and the allowed values. */

export const choice =
  <const Word extends string>(...allowed: readonly Word[]) =>
  (text: string): Word => {
    const word = allowed.find(known => known === text)
    if (word !== undefined) return word
    throw new UsageError(`${shownText(text)} is not one of ${allowed.join(', ')}${hint(text, allowed)}`)
  }
export const whole = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most)
    throw new UsageError(`${shownText(text)} is not an integer from ${least} to ${most}`)
  return number
}
export const flagValue = (text: string) => {
  if (['true', '1', 'on', 'yes'].includes(text)) return true
  if (['false', '0', 'off', 'no'].includes(text)) return false
  throw new UsageError(`${shownText(text)} is not one of on, off, true, false`)
}
export const plain = (text: string) => {
  if (text === '') throw new UsageError('must not be empty')
  return text
}

export const readPort = whole(0, 65_535)
export const readLogForm = choice('pretty', 'json', 'silent')

export function readClock(text: string): { mode: ClockMode; rate: number } {
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

/** A length of time, in ms. */
export const time = (leastMs: number) => (text: string) => {
  const ms = parseDuration(text)
  if (ms === undefined || ms < leastMs)
    throw new UsageError(`${shownText(text)} is not a length of time such as 20s, 10m or 1h30m`)
  return ms
}

/** The name of a world. */
export function readWorldName(text: string): string {
  if (!isName(text)) throw new UsageError(`${shownText(text)} is not a world's name: ${nameRule}`)
  return text
}

/** An http or https address, without slashes at its end. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${shownText(text)} is not an http or https address`)
  return text.replace(/\/+$/, '')
}

function shownText(text: string): string {
  return JSON.stringify(text)
}
