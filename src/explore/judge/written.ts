import { STATUS_CODES } from 'node:http'
import { jsonIn } from '../../emulator/words.ts'
import type { PartRun, Run, SystemRun } from '../run/run.ts'

/** Lines that a program prints below its words. */
const belowWords = [
  // Stacks and values.
  /at .*:\d+.*|File ".*", line \d+.*|<(?:.*>|\/?[a-z]\w*[ >].*)|[\^~\s|]+|[[\](){}<>,;.'"`-]+/,
  // What a transfer shows: the head of a reply, and the progress of curl.
  /HTTP\/[\d.]+ \d{3}\b.*|[<>] .*|\s*% Total .*|\s*Dload .*|[\s\d.kMG]+(?:[-\d]+:[-\d]+:[-\d]+\s+){3}[\d.kMG]+/,
  // The runtime, and advice.
  /(?:Node\.js|Bun) v\d.*|For (?:more|further) information\b.*|If this is a long-running test, .*/,
  // Totals of suites of node:test, pytest and unittest.
  /# \w+ [\d.]+|=+ .* =+|\d+ (?:failed|passed|errors?)\b.* in [\d.]+.*|FAILED \(.*=\d+\)/,
  // What vitest and jest print below the message: the two sides of a comparison, and the fields of an error.
  /[-+] \S*|Serialized Error: .*/,
]
const notWords = new RegExp(`^\\s*(?:${belowWords.map(({ source }) => source).join('|')})$`)

const telling =
  /^not ok\b|error|fail|refus|den(?:y|ied)|time(?:d)?[ -]?out|cannot|can't|could ?n[o']t|unable|expired|invalid|missing|gave up|giving up|deadline|exceeded|reset by|hang up|\bEOF\b|no such|unreachable|corrupt|incomplete|truncated|overload|abort|exception|reject|not found|broke|unauthori[sz]ed|forbidden|moderat|cancel|lost|stuck|too (?:long|many)|\b[45]\d\d\b/i

/** A line of a log below the level of an error: what a program got over. */
const lesser = /^[^A-Za-z]*(?:WARN(?:ING)?|INFO|DEBUG|NOTICE|[Ww]arn(?:ing)?|[Ii]nfo|debug)\b/

/**
 * The line with which a program says what failed, whole, of its standard error if it wrote there; undefined when it wrote nothing. A line
 * that it also writes undisturbed is told only when there is no other.
 */
export function tellingLine(
  { errors, output }: Pick<Run, 'errors' | 'output'>,
  undisturbed = '',
): string | undefined {
  const marked = markedByPytest(output) ?? belowPlaywrightsHead(output)
  if (marked !== undefined) return marked
  const isUsual = usualAfter(withoutJsonLogs(undisturbed))
  const [lines, all] = [errors, output].map(wordsIn) as [string[], string[]]
  const words =
    [lines, all].map(some => some.filter(line => !isUsual(line))).find(some => some.length > 0) ??
    (lines.length > 0 ? lines : all)
  const unindented = words.filter(line => /^\S/.test(line))
  return (
    unindented.findLast(line => telling.test(line) && !lesser.test(line)) ??
    unindented.findLast(line => telling.test(line)) ??
    words.findLast(line => telling.test(line)) ??
    unindented.at(-1) ??
    words.at(-1)
  )
}

/** Pytest marks each line of an error; the first one of the last error states it. */
function markedByPytest(output: string): string | undefined {
  const lines = output.split('\n')
  const isMarked = (line: string) => /^E(?: {3}|$)/.test(line)
  const last = lines.findLastIndex(isMarked)
  const first = lines.findLastIndex((line, index) => index < last && !isMarked(line)) + 1
  return last < 0 ? undefined : lines[first]?.replace(/^E +/, '')
}

/** Playwright writes a head above each failed test; the first line below states the error, and another one what was there instead. */
function belowPlaywrightsHead(output: string): string | undefined {
  const lines = output.split('\n').map(line => line.trim())
  const head = lines.findLastIndex(line => /^\d+\) .* › .* ─+$/.test(line))
  if (head < 0) return undefined
  const [error, ...below] = lines.slice(head + 1).filter(line => line !== '')
  const received = below.find(line => /^Received(?: \w+)?: /.test(line))
  return received === undefined ? error : `${error}: ${received}`
}

function wordsIn(text: string): string[] {
  return withoutJsonLogs(text)
    .replaceAll(quotedReply, found => found.replaceAll(/\s*\n/g, ' '))
    .split('\n')
    .filter(line => line.trim() !== '' && !notWords.test(line) && !ofVirtualTime.test(line))
}

/** What the emulator itself writes on a program's standard error when its virtual time is over. */
const ofVirtualTime = /^virtual-time: /

/** The words of Node's JSON parser: it quotes the beginning of a reply with its line breaks. */
const quotedReply = /Unexpected token .{0,80}? is not valid JSON/gs

/** A line as evidence quotes it, without the bracket of what follows below it. */
export function shortened(line: string): string {
  return cutTo(200, line.trim().replace(/(?<=\S) [{[]$/, ''))
}

/** What HTTP, nginx and clients call a status. */
const phrases = [
  ...Object.entries(STATUS_CODES).flatMap(([status, phrase]) =>
    Number(status) >= 400 ? (phrase ?? []) : [],
  ),
  ...['Gateway Time-out', 'Request Time-out', 'Service Temporarily Unavailable', 'Request Entity Too Large'],
  ...['Client Error', 'Server Error', 'Client error', 'Server error'],
].sort((one, other) => other.length - one.length)
const anyPhrase = phrases.join('|')
const longPhrase = phrases.filter(phrase => /[ -]/.test(phrase)).join('|')

/** What differs between cases with the same cause, and what stands in its place. */
// biome-ignore format: a table, one row a line
const values: readonly [RegExp, string][] = [
  // A moment, and the place of an object in memory.
  [/\b\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b0x[\da-f]+\b/gi, '…'],
  // Bytes, as Node and Python print them, and the part of an answer that a decoder quotes.
  [/<Buffer[^>]*(?:>|$)|\{"type":"Buffer","data":[^}]*(?:\}|$)|\[(?:\s*(?:0x)?[\da-f]{1,3}\s*,){3,}[^\]]*(?:\]|$)|\b(?:[\da-f]{2}[ :]){3,}[\da-f]{2}\b/gi, '…'],
  [/\bb'(?:\\.|[^'\\])*(?:'|$)|\bb"(?:\\.|[^"\\])*(?:"|$)/g, '…'],
  [/(?<=\S *)(?:[{[]\s*["'].*|<(?:!doctype|html|\?xml)\b.*)$/gi, '…'],
  [/Unexpected token .*?(?: is not valid JSON|$)/g, 'Unexpected token … is not valid JSON'],
  [/\bhttps?:\/\/(?:[^\s"']|["'](?=\w))+/g, '…'],
  // What a status is called: beside its number, and elsewhere where it is written as a name.
  [new RegExp(`(?<=\\b[45]\\d\\d\\b\\W{0,3})(?:${anyPhrase})\\b|\\b(?:${anyPhrase})(?=\\W{1,3}[45]\\d\\d\\b)`, 'gi'), '…'],
  [new RegExp(`\\b(?:${longPhrase})\\b|\\b(?:${anyPhrase})\\b(?! [a-z])`, 'g'), '…'],
  // Ids, also short ones such as the first digits of a UUID, and numbers, but not that of a name such as utf-8.
  [/\b(?=[\w-]*\d)[\w-]{12,}\b|(?<![\w-])(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,}(?![\w-])/g, '…'],
  [/(?<![\w-])\d[\d.:,]*\b/g, '…'],
  [/…(?:[ :-]+…)+/g, '…'],
]

/**
 * A line without bytes, ids, numbers, moments, addresses, names of statuses and `quoted` texts, so that cases with the same cause have the
 * same words.
 */
export function withoutValues(line: string, quoted: readonly string[] = []): string {
  const own = quoted.reduce((text, one) => text.replaceAll(one, '…'), line)
  const words = shortened(values.reduce((text, [value, instead]) => text.replaceAll(value, instead), own))
  return /\p{L}/u.test(words) ? words : 'says only what the reply says'
}

function cutTo(most: number, line: string): string {
  return line.length > most ? `${line.slice(0, most - 3)}...` : line
}

/** Whether a program wrote nothing, or nothing but what it also writes when nothing fails. */
export function isSilentRun({ output }: Pick<Run, 'output'>, undisturbed: string): boolean {
  return usualAfter(undisturbed)(output)
}

/**
 * Tells whether a text has only lines of an undisturbed output, whatever the times and counts in it. Two counts say that something failed:
 * `4 of 5`, unless progress is written like this when nothing fails, and `1 failed` in place of `0 failed`.
 */
function usualAfter(undisturbed: string): (text: string) => boolean {
  const known = new Set([...linesOf(undisturbed), ...linesOf(undisturbed, withCounts)])
  return text => linesOf(text, withCounts).every(line => known.has(line))
}

function linesOf(text: string, mark = (line: string) => line): string[] {
  return text
    .split('\n')
    .map(line => mark(line.trim()).replaceAll(/\d+/g, number => (/^[45]\d\d$/.test(number) ? number : '0')))
    .filter(line => line !== '' && !ofVirtualTime.test(line))
}

/** A line with words in place of the counts that say that something failed. */
function withCounts(line: string): string {
  const marked = line.replaceAll(/(?<![\d/.])(\d+)(?: of |\/)(\d+)(?![\d/.])/g, (all, part, whole) =>
    Number(part) < Number(whole) ? 'a part' : all,
  )
  return telling.test(marked) ? marked.replaceAll(/(?<![\w.:-])[1-9]\d?(?![\w:]|\.\d)/g, 'some') : marked
}

const keptLines = 40
/** A runtime prints the line of source in which an error was thrown, which may be a whole bundle. */
const mostColumns = 500
/** From this many on, lines that differ only in numbers are shown by the first and the last one. */
const manyAlike = 5

/** The end of what a program wrote, or of what all parts of a system wrote. */
export function logOf({ output, system }: Pick<Run, 'output' | 'system'>): string {
  return system ? systemLog(output, system, lastLines) : lastLines(output)
}

/** The end of an output: the last 40 lines, after lines that repeat each other were joined. */
export function lastLines(output: string): string {
  const lines = output.trimEnd().split('\n')
  return collapsed(lines.map(line => cutTo(mostColumns, line)))
    .slice(-keptLines)
    .join('\n')
}

/** Equal lines in a row as one with their number; of many lines that differ only in numbers, the first and the last. */
function collapsed(lines: readonly string[]): string[] {
  return runsOf(lines, line => line.replaceAll(/\d+/g, '0')).flatMap(alike => {
    const equal = runsOf(alike, line => line).map(same =>
      same.length === 1 ? (same[0] ?? '') : `${same[0]} (${same.length} times)`,
    )
    if (alike[0]?.trim() === '' || equal.length < manyAlike) return equal
    return [equal[0] ?? '', `... ${equal.length - 2} more lines like it`, equal.at(-1) ?? '']
  })
}

function runsOf(lines: readonly string[], keyOf: (line: string) => string): string[][] {
  const runs: string[][] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last?.[0] !== undefined && keyOf(last[0]) === keyOf(line)) last.push(line)
    else runs.push([line])
  }
  return runs
}

/** An object of JSON over several lines, which may begin after words. */
const spread = /^(\S.*? )?(\{\r?\n(?:[ \t][^\n]*\n)+\})(?=\r?$)/gm

/**
 * A text in which each line of a structured log, in JSON or as `key=value`, is its message, with the level where that is below an error, and
 * so is an object of JSON over several lines.
 */
function withoutJsonLogs(text: string): string {
  return text
    .replaceAll(spread, (found, before = '', object: string) => {
      const message = messageOf(objectIn(object))
      return message === undefined ? found : before + message
    })
    .split('\n')
    .map(line => messageOf(fieldsOf(line.trim())) ?? line)
    .join('\n')
}

type Fields = Readonly<Record<string, unknown>>

const pair = /([\w.]+)=("(?:\\.|[^"\\])*"|\S*)/g

function fieldsOf(line: string): Fields {
  if (/^\{.*\}$/.test(line)) return objectIn(line)
  if (!/^(?:time|ts|level|lvl|msg)=.*\bmsg=/.test(line)) return {}
  return Object.fromEntries(
    [...line.matchAll(pair)].map(([, key = '', value = '']) => [key, unquoted(value)]),
  )
}

function objectIn(text: string): Fields {
  return Object(jsonIn(text))
}

function unquoted(value: string): unknown {
  const read = jsonIn(value)
  return read === undefined ? value : read
}

/** What the loggers call these fields: pino, bunyan, winston, structlog, logrus, zap, zerolog, slog and those of clouds. */
const messages = ['msg', 'message', 'event']
const errors = ['err', 'error', 'exception', 'exc_info', 'cause']
const levels = ['level', 'severity', 'lvl', 'levelname', 'log.level']

function messageOf(fields: Fields): string | undefined {
  const error = textAt(fields, errors)
  const message = textAt(fields, messages) ?? error
  if (message === undefined) return undefined
  const level = levelOf(fields)
  const words = error === undefined || message.includes(error) ? message : `${message}: ${error}`
  return [...(level === undefined ? [] : [level]), words.replaceAll(/\s*\n\s*/g, ' ')].join(' ')
}

/** The first of these fields that has a text; of an error its message, of a stack its last line. */
function textAt(fields: Fields, names: readonly string[]): string | undefined {
  return names.flatMap(name => {
    const value = fields[name]
    const text = typeof value === 'object' && value !== null ? (value as Fields).message : value
    if (typeof text !== 'string' || text.trim() === '') return []
    return /^Traceback /.test(text) ? (text.trim().split('\n').at(-1) ?? []) : text
  })[0]
}

/** `WARN`, `INFO` or `DEBUG`; undefined for an error, and without a level. */
function levelOf(fields: Fields): string | undefined {
  const level = levels.map(name => fields[name]).find(value => value !== undefined)
  if (typeof level === 'number')
    return level >= 50 ? undefined : level >= 40 ? 'WARN' : level >= 30 ? 'INFO' : 'DEBUG'
  return /^(?:warn|info|debug|trace|notice)/i.test(String(level)) ? String(level).toUpperCase() : undefined
}

/** What all parts wrote last, each line after the name of its part; of a part beside only when it ended by itself or did not become ready. */
export function systemLog(
  driver: string,
  { parts, check, ended, notReady }: SystemRun,
  linesOf: (output: string) => string,
): string {
  const fallen = [...ended, notReady].map(one => one?.name)
  const told = parts.filter(({ name, isBeside }) => !isBeside || fallen.includes(name))
  const all: PartRun[] = [{ name: 'driver', output: driver, errors: '' }, ...(check ? [check] : []), ...told]
  return all
    .flatMap(({ name, output }) =>
      output.trim() === ''
        ? []
        : linesOf(output)
            .split('\n')
            .map(line => `${name} | ${line}`),
    )
    .join('\n')
}
