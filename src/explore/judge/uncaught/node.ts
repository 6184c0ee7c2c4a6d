import { type Frame, isDecoder, type Reader, type UncaughtError } from './error.ts'

/** Classes that JavaScript engines throw about the program's own data. */
const ofData = /^(TypeError|ReferenceError|RangeError|SyntaxError|EvalError|URIError)$/

/** Engines throw a TypeError for a broken connection, too. */
const ofNetwork =
  /(?:fetch failed|terminated|network error|failed to fetch|load failed|error sending request|unable to connect|socket connection was closed|connection (?:refused|closed|reset))/i

/** Whether an error of this class and message is about the program's own data. */
export function isOfScriptData(name: string, message: string): boolean {
  if (ofData.test(name)) return !ofNetwork.test(message)
  return (
    isDecoder(name) || (name === 'AssertionError' && /^(?:Expected|The expression|Input)\b/.test(message))
  )
}

/** `TypeError [ERR_X]: message`, `Uncaught (in promise) Error: message`, `DOMException [AbortError]: message`; `error: message` of Bun is a plain Error. */
const headline =
  /^(?:(?:error: )?Uncaught )?(?:\(in promise\) )?(?<name>[A-Za-z_$][\w$.]*)(?: \[(?<code>[\w$]+)\])?(?:: (?<message>.*))?$/

const stackLine =
  /^\s+at (?:async )?(?:(?<name>.+?) \()?(?<scheme>file:\/\/)?(?<file>[^():\s][^()\n]*?|[A-Za-z]:\\[^()]*?):(?<line>\d+)(?::\d+)?\)?(?: \{)?$/

/** `Node.js v20.20.2` is the last line of a Node program that died of an error. */
const footer = /^(?:Node\.js v\d|Bun v\d).*$/m

/** The uncaught error of a program for Node, Bun or Deno. */
export const node: Reader = ({ text }) => {
  const unsettled = /^Warning: Detected unsettled top-level await.*$/m.exec(text)?.[0]
  if (unsettled !== undefined)
    return { name: 'unsettled await', line: unsettled, isOfData: false, frames: [] }
  if (!footer.test(text) && !/^error: Uncaught/m.test(text)) return printed(text)
  const lines = (text.split(footer)[0] ?? '').split('\n')
  const place = lines.findLastIndex(line =>
    /^(?:node:|file:\/\/|[A-Za-z]:\\|\/|undefined:|<anon).*:\d+$/.test(line.trim()),
  )
  const caret = lines.findIndex((line, index) => index > place && /^\s*\^+\s*$/.test(line))
  // Bun names no place above the source. Below a long line of it, such as that of a bundle, Node prints no caret: then the error stands above its stack.
  const isError = (line: string, index: number) =>
    caret >= 0 ? index > caret : stackLine.test(lines[index + 1] ?? '') || /^\[.*\](?: \{)?$/.test(line)
  return errorAt(
    lines,
    lines.findIndex(
      (line, index) => line.trim() !== '' && ((place < 0 && caret < 0) || isError(line, index)),
    ),
  )
}

/** Lines of a message that takes several lines. */
const mostLines = 4

/** An error of the language that the program printed with its stack before it ended: it was caught, but not understood. */
function printed(text: string): UncaughtError | undefined {
  const lines = text.trimEnd().split('\n')
  const last = lines.findLastIndex(line => !/^\s+\S|^\s*[\]}],?\s*$|^\s*$/.test(line))
  if (!/^\s+at \S/.test(lines[last + 1] ?? '')) return undefined
  const words = lines.slice(Math.max(0, last + 1 - mostLines), last + 1)
  const from = words.findLastIndex(line => statesError.test(line))
  const message = words.slice(from)
  const [, stated] = statesError.exec(words[from] ?? '') ?? []
  if (stated === undefined || message.some(line => /^\s/.test(line))) return undefined
  const error = errorAt([[stated, ...message.slice(1)].join(' '), ...lines.slice(last + 1)], 0)
  return error?.isOfData ? { ...error, isPrinted: true } : undefined
}

const statesError = /(?:^|[\s:])((?:Type|Reference|Range|Syntax|Eval|URI)Error\b.*)$/

/** What a ZodError states, in a message that is a list in JSON. */
const issue = /^\s+"message": "(.*)",?$/

function errorAt(lines: readonly string[], at: number): UncaughtError | undefined {
  // An error without a stack of its own stands in brackets, and one that refers to itself has a number.
  const line = lines[at]
    ?.trim()
    .replace(/ \{$/, '')
    .replace(/^<ref \*\d+> /, '')
    .replace(/^\[(.*)\]$/, '$1')
  if (line === undefined) return undefined
  const rest = lines.slice(at + 1)
  const frames = framesIn(rest)
  if (/^\w+$/.test(line) && frames.length > 0) {
    // Its cause says what it does not say.
    const cause = rest.findIndex(below => /^\s+\[cause\]: \w+: /.test(below))
    const inner = cause < 0 ? undefined : errorAt([rest[cause]?.replace('[cause]: ', '') ?? ''], 0)
    if (inner) return { ...inner, frames }
  }
  const { name = '', code, message = '' } = headline.exec(line)?.groups ?? {}
  const own = name === 'DOMException' ? (code ?? name) : name
  const inJson = message === '[' ? rest.find(below => issue.test(below)) : undefined
  return {
    name: frames.length === 0 && !line.includes(':') ? 'an error' : own || 'an error',
    line: inJson === undefined ? line : `${name}: ${inJson.replace(issue, '$1')}`,
    isOfData: own === 'AggregateError' ? someOfData(rest) : isOfScriptData(own, message),
    frames,
  }
}

/** Of several errors in one, an error about data counts. */
function someOfData(lines: readonly string[]): boolean {
  return lines.some(line => {
    const { name = '', message = '' } = headline.exec(line.trim())?.groups ?? {}
    return name !== '' && isOfScriptData(name, message)
  })
}

/** The stack of the error and, below it, those of its causes. */
function framesIn(lines: readonly string[]): Frame[] {
  return lines.flatMap(line => {
    const { name, scheme, file = '', line: number } = stackLine.exec(line)?.groups ?? {}
    const path = scheme === undefined ? file : unescaped(file)
    return number === undefined ? [] : [{ file: path, line: Number(number), ...(name && { name }) }]
  })
}

/** The path of a URL: a space is `%20` there. */
function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function framesOfStack(stack: string): Frame[] {
  return framesIn(stack.split('\n'))
}

/** Lines with which vitest, jest, mocha, Playwright and node:test report a test that failed. */
const mark = /^(?: FAIL {2}\S.*| {2}● .*| {2}\d+ failing| {2}\d+ failed|not ok \d+ - .*)$/m

const stated = /^\s*(?<name>[A-Z]\w*Error)(?: \[\w+\])?: (?<message>.*)$/
/** In TAP the message stands above the name. */
const statedInTap = /^ +name: '(?<name>[A-Z]\w*Error)'$/
const messageInTap = /^ +error: (?:'(.*)'|"(.*)")$/

/** So many lines below its statement have the stack of an error, with the lines of source between. */
const mostStackLines = 30

/**
 * The error of a test that a suite ran. The suite caught it, so only an error of the language about its own data counts, such as a
 * TypeError. An expectation that was not met is the program's own words, and so is an error that states what happened.
 */
export const suites: Reader = ({ text }) => {
  if (!mark.test(text)) return undefined
  const lines = text.split('\n')
  return lines.flatMap((_, index) => errorOfTest(lines, index)).at(-1)
}

function errorOfTest(lines: readonly string[], index: number): UncaughtError[] {
  const line = lines[index] ?? ''
  const tap = statedInTap.exec(line)?.groups
  const above = lines.slice(0, index).findLast(one => messageInTap.test(one)) ?? ''
  const [, quoted, doubly] = messageInTap.exec(above) ?? []
  const { name = '', message = '' } = tap
    ? { ...tap, message: quoted ?? doubly }
    : (stated.exec(line)?.groups ?? {})
  if (name === '' || name === 'AssertionError' || !isOfScriptData(name, message)) return []
  const below = lines.slice(index + 1, index + 1 + mostStackLines)
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
