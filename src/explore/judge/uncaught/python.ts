import { framesIn, isDecoder, type Reader, shortName, type UncaughtError } from './error.ts'

/** Classes that Python and its decoders raise about the program's own data. */
const ofData = new Set(
  `TypeError KeyError IndexError AttributeError NameError UnboundLocalError ZeroDivisionError ArithmeticError FloatingPointError
OverflowError LookupError UnicodeError UnicodeDecodeError UnicodeEncodeError RecursionError MemoryError ImportError
ModuleNotFoundError IndentationError StopIteration StopAsyncIteration NotImplementedError BufferError EOFError SystemError
ReferenceError`.split(/\s+/),
)

/** Modules whose exceptions are called `error` or `ValidationError` and are about data. */
const decoders = /^(?:struct|binascii|zlib|lzma|csv|pydantic[\w.]*|marshmallow[\w.]*|yaml[\w.]*)\./

/** Lines of a message that takes several lines. */
const continued =
  /^(?:\s|[<>"'()[\]{}]|Reason:|HTTP response|Call log|For (?:more|further)|See |Status|Body|Details?:|Request|\(Background|note:|$)/i

/** A place in a traceback, whose innermost one is the last. */
const place = /^\s*File "(?<file>.+)", line (?<line>\d+)(?:, in (?<name>.+))?$/gm

const start = 'Traceback (most recent call last):'

/** The uncaught exception of a Python program: the last traceback, with nothing after it. */
export const python: Reader = ({ text: whole, code }) => {
  const [text = '', ofUnittest] = whole.split(/^-{70}\n(?=Ran \d+ tests? in )/m)
  const error = ofProgram({ text, code })
  return ofUnittest !== undefined && error && !isMoreThanWords(error) ? undefined : error
}

/** Whether an error counts that pytest or unittest caught: only one about the program's data does. The others are its own words. */
function isMoreThanWords({ name, isOfData }: UncaughtError): boolean {
  return isOfData && name !== 'AssertionError'
}

const ofProgram: Reader = ({ text, code }) => {
  const [printed = ''] = text.split(/\n(?=Exception ignored )/)
  const plain = printed.includes('Exception Group Traceback') ? withoutMargin(printed) : printed
  const [first = '', ...tracebacks] = `\n${plain}`.split(
    /^\s*(?=(?:Exception Group )?Traceback \(most recent call last\):)/m,
  )
  const errors = tracebacks.map(errorOf)
  const last = errors.at(-1)
  if (!last) return ofPytest(text)
  // The program asked for its end, within a task of asyncio.
  if (last.name === 'SystemExit') return undefined
  const group = plain === printed ? undefined : errors.filter(error => !/Group$/.test(error.name))
  const leaf = group?.find(({ isOfData }) => isOfData) ?? group?.at(-1) ?? statedBy(errors) ?? last
  // Python itself ends with 1. After a traceback that the program printed, it ended in its own way.
  if (last.isFollowed || (code !== 1 && !leaf.isOfData)) return undefined
  const chain = errors.findLastIndex(({ isChained }, index) => index < errors.length - 1 && !isChained) + 1
  const isPrinted = isLogged([first, ...tracebacks][chain] ?? '')
  if (isPrinted && !leaf.isOfData) return undefined
  const { name, line, isOfData, frames } = leaf
  const earlier = errors.toReversed().flatMap(error => (error === leaf ? [] : error.frames))
  return { name, line, isOfData, ...(isPrinted && { isPrinted }), frames: [...frames, ...earlier] }
}

/** The last error; when it only carries the one before it, as the RetryError of tenacity does, that one. */
function statedBy(errors: readonly Read[]): Read | undefined {
  const [before, last] = errors.slice(-2)
  return before?.isChained && /\[<\w+ at 0x[^>]*>\]$/.test(last?.line ?? '') ? before : errors.at(-1)
}

/** Whether the text before a traceback ends with the line with which `logging` or asyncio reports an error that the program survived. */
function isLogged(before: string): boolean {
  const line = before.trimEnd().split('\n').at(-1) ?? ''
  return /\b(?:ERROR|CRITICAL|FATAL)\b|^(?:Task|Future) exception was never retrieved|^future: </.test(line)
}

/** Exception groups are drawn as a tree, with a margin of `|` and `+`. */
function withoutMargin(text: string): string {
  return text
    .split('\n')
    .filter(line => !/^[\s|]*\+[-+].*$/.test(line))
    .map(line => line.replace(/^\s*(?:\+ |(?:\| ?)+)/, ''))
    .map(line => line.replace(/^ {2,}(?=Traceback|\S+: )/, ''))
    .join('\n')
}

/** `isChained`: the next traceback goes on about the same error. */
type Read = UncaughtError & { isFollowed: boolean; isChained: boolean }

function errorOf(traceback: string): Read {
  const lines = traceback.split('\n')
  const at = lines.findIndex((line, index) => index > 0 && /^[A-Za-z_][\w.]*(?::|$)/.test(line))
  const line = lines[at] === undefined ? start : statement(lines.slice(at))
  const [, name = '', message = ''] = /^([\w.]+)(?:: ?(.*))?$/.exec(line) ?? []
  const stack = lines.slice(0, at < 0 ? undefined : at)
  const source = sourceOfLast(stack)
  return {
    name: shortName(name) || 'an exception',
    line,
    isOfData: at < 0 || isOfPythonData(name, { message, isRaised: /\braise\b/.test(source) }),
    frames: framesIn(stack.join('\n'), place).reverse(),
    isChained: at >= 0 && lines.slice(at + 1).some(isChain),
    isFollowed: at >= 0 && lines.slice(at + 1).some(after => !continued.test(after) && !isChain(after)),
  }
}

/** The line that states an error; one that only opens a value, or announces more, with the lines below it. */
function statement([line = '', ...below]: readonly string[]): string {
  const end = below.findIndex(after => after.trim() === '' || isChain(after))
  const more = below.slice(0, end < 0 ? undefined : end).filter(after => continued.test(after))
  return /[{[(:]$/.test(line) ? [line, ...more.map(part => part.trim())].join(' ') : line
}

/** The sentence between two tracebacks of a chain. */
function isChain(line: string): boolean {
  return /^(?:During handling of the above exception|The above exception was the direct cause)/.test(line)
}

/**
 * Whether Python itself raised the error, about the program's data. Programs raise ValueError too: then the traceback ends at a `raise`.
 * An AssertionError without a message states nothing, so it counts.
 */
function isOfPythonData(
  name: string,
  { message, isRaised }: { message: string; isRaised: boolean },
): boolean {
  const own = shortName(name)
  if (own === 'ValueError') return !isRaised
  if (own === 'AssertionError') return message === ''
  return ofData.has(own) || isDecoder(own) || decoders.test(name)
}

/** The line of source below the innermost frame. */
function sourceOfLast(lines: readonly string[]): string {
  const at = lines.findLastIndex(line => /^\s*File "/.test(line))
  return lines[at + 1]?.trim() ?? ''
}

function ofPytest(text: string): UncaughtError | undefined {
  const found = [
    ...text.matchAll(/^E {3,}(?<name>[A-Za-z_][\w.]*(?:Error|Exception))(?:: (?<message>.*))?$/gm),
  ].at(-1)
  if (!found?.groups) return undefined
  const { name = '', message = '' } = found.groups
  const isOfData = isOfPythonData(name, { message, isRaised: true })
  const frames = framesIn(text, /^(?<file>\S+\.py):(?<line>\d+): /gm).reverse()
  const error = { name: shortName(name), line: found[0].replace(/^E +/, ''), isOfData, frames }
  return isMoreThanWords(error) ? error : undefined
}
