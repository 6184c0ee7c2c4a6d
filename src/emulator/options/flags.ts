import { parseArgs } from 'node:util'
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

/**
 * A flag of a command: the placeholder of its value, empty for a switch, which takes no value, or true or false; its default and its
 * meaning in the help. Of a flag that is not repeatable the last value counts.
 */
export type FlagRow = readonly [value: string, standard: string, meaning: string, times?: 'repeatable']

/** The flags of a command by name, without dashes: its help and its reader come from this table. */
export type FlagRows = Readonly<Record<string, FlagRow>>

/** The given values. Undefined for a flag that was not given, false for a switch that was not given. */
export type FlagsOf<Rows extends FlagRows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends readonly ['', string, string]
    ? boolean
    : Rows[Name] extends readonly [string, string, string, 'repeatable']
      ? readonly string[]
      : string | undefined
}

/**
 * Reads the flags of a command and its positional arguments. Throws UsageError for an unknown flag, with the nearest known one,
 * and for a flag without its value.
 */
export function readFlags<const Rows extends FlagRows>(
  args: readonly string[],
  rows: Rows,
): { flags: FlagsOf<Rows>; words: string[] } {
  const { texts, words } = readFlagTexts(args, rows)
  const flags = Object.entries<FlagRow>(rows).map(([name, row]) => [
    name,
    readValue(name, row, texts.get(name)),
  ])
  return { flags: Object.fromEntries(flags) as FlagsOf<Rows>, words }
}

/** Like `readFlags`, for a command without positional arguments. */
export function readOnlyFlags<const Rows extends FlagRows>(
  args: readonly string[],
  rows: Rows,
): FlagsOf<Rows> {
  const { flags, words } = readFlags(args, rows)
  checkNoWords(words)
  return flags
}

/** Throws UsageError for the first positional argument of a command that takes none. */
export function checkNoWords([first]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(`Unknown argument ${first}`)
}

/** Two names of one flag: the address of a running emulator. A command that knows one of them takes both. */
const synonyms: Readonly<Record<string, string>> = { url: 'base-url', 'base-url': 'url' }

/** The name under which a command knows a flag. */
function ownName(name: string, rows: FlagRows): string {
  const other = synonyms[name]
  return other !== undefined && !Object.hasOwn(rows, name) && Object.hasOwn(rows, other) ? other : name
}

/** The values of each flag in order, and the positional arguments. A switch without a value has the value `true`. */
export function readFlagTexts(
  args: readonly string[],
  rows: FlagRows,
): { texts: Map<string, string[]>; words: string[] } {
  const names = [...Object.keys(rows), ...Object.keys(synonyms)]
  const options = Object.fromEntries(
    names.map(name => [name, { type: isSwitch(rows[ownName(name, rows)]) ? 'boolean' : 'string' }]),
  ) as Record<string, { type: 'boolean' | 'string' }>
  // Not strict: the errors of parseArgs do not contain the nearest known name.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const texts = new Map<string, string[]>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    checkKnown(args[token.index] ?? token.rawName, rows)
    const name = ownName(token.name, rows)
    const text = isSwitch(rows[name]) ? (token.value ?? 'true') : token.value
    if (text === undefined || (!token.inlineValue && isFlagIn(text, rows)))
      throw new UsageError(`--${token.name} needs a value`)
    texts.set(name, [...(texts.get(name) ?? []), text])
  }
  return { texts, words }
}

function isSwitch(row: FlagRow | undefined): boolean {
  return row?.[0] === ''
}

function checkKnown(argument: string, rows: FlagRows): void {
  const [written = ''] = argument.split('=')
  const name = ownName(written.replace(/^--?/, ''), rows)
  if (written.startsWith('--') && Object.hasOwn(rows, name)) return
  throw new UsageError(`Unknown option ${written}${hint(name, Object.keys(rows), '--')}`)
}

/** True when the value of a flag is itself a flag: the user forgot the value. */
function isFlagIn(text: string, rows: FlagRows): boolean {
  return text.startsWith('--') && Object.hasOwn(rows, ownName(text.slice(2).split('=')[0] ?? '', rows))
}

function readValue(name: string, row: FlagRow, texts: readonly string[] = []): unknown {
  const [, , , times] = row
  if (times) return texts
  const last = texts.at(-1)
  return isSwitch(row) ? readAt(`--${name}`, last ?? 'false', flagValue) : last
}
