import type { Reader, UncaughtError } from './error.ts'
import { framesOfStack, isOfScriptData } from './node.ts'

/** Lines with which vitest, jest, mocha, Playwright and node:test report a test that failed. */
const mark = /^(?: FAIL {2}\S.*| {2}● .*| {2}\d+ failing| {2}\d+ failed|not ok \d+ - .*)$/m

const stated = /^\s*(?<name>[A-Z]\w*Error)(?: \[\w+\])?: (?<message>.*)$/
/** In TAP the message stands above the name. */
const statedInTap = /^ +name: '(?<name>[A-Z]\w*Error)'$/
const messageInTap = /^ +error: (?:'(.*)'|"(.*)")$/

/** So many lines below its statement have the stack of an error, with the lines of source between. */
const mostLines = 30

/**
 * The error of a test that a suite ran. The suite caught it, so only an error of the language about its own data counts, such as a
 * TypeError. An expectation that was not met is the program's own words, and so is an error that states what happened.
 */
export const suites: Reader = ({ text }) => {
  if (!mark.test(text)) return undefined
  const lines = text.split('\n')
  return lines.flatMap((_, index) => errorAt(lines, index)).at(-1)
}

function errorAt(lines: readonly string[], index: number): UncaughtError[] {
  const line = lines[index] ?? ''
  const tap = statedInTap.exec(line)?.groups
  const above = lines.slice(0, index).findLast(one => messageInTap.test(one)) ?? ''
  const [, quoted, doubly] = messageInTap.exec(above) ?? []
  const { name = '', message = '' } = tap
    ? { ...tap, message: quoted ?? doubly }
    : (stated.exec(line)?.groups ?? {})
  if (name === '' || name === 'AssertionError' || !isOfScriptData(name, message)) return []
  const below = lines.slice(index + 1, index + 1 + mostLines)
  const end = below.findIndex(one => stated.test(one) || mark.test(one))
  const stack = below.slice(0, end < 0 ? undefined : end).map(asFrame)
  return [{ name, line: `${name}: ${message}`, isOfData: true, frames: framesOfStack(stack.join('\n')) }]
}

/** A line of a stack, as Node writes it: vitest marks it with `❯`, and TAP has no `at`. */
function asFrame(line: string): string {
  const [, name, place] = /^\s*(?:❯ |at )?(?:(\S.*?) )?\(?(\S+:\d+:\d+)\)?$/.exec(line) ?? []
  if (place === undefined) return ''
  return name === undefined ? `    at ${place}` : `    at ${name} (${place})`
}
