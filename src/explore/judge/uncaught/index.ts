import type { Run } from '../../run/run.ts'
import { framesIn, isDecoder, type Reader, shortName, type UncaughtError } from './error.ts'
import { framesOfStack, isOfScriptData, node, suites } from './node.ts'
import { perl } from './perl.ts'
import { python } from './python.ts'

/** How a language prints an uncaught error. */
interface Language {
  /** Finds the line; the groups `name` and `message` where the language prints them. */
  line: RegExp
  /** Finds the places of the stack below that line, innermost first: groups `file`, `line` and `name`. */
  frame?: RegExp
  /** Classes about the program's own data, beside decoders; absent: all are. */
  ofData?: RegExp
  /** Messages about the program's own data, of classes that have both kinds. */
  dataWords?: RegExp
  /** Classes that only carry another error, whose line has the group `name` too. */
  carrier?: { name: RegExp; inner: RegExp }
}

const javaName = '(?<name>[\\w.$]+)(?:: (?<message>.*))?'

const languages: readonly Language[] = [
  {
    // Go
    line: /^(?:panic: .*|fatal error: .*|unexpected fault address .*)$/m,
    frame: /^(?<name>[\w./*()]+)\(.*\)\n\t(?<file>\S+\.go):(?<line>\d+)/gm,
  },
  {
    // Rust; the message is on the next line.
    line: /^thread '.*'.* panicked at (?:.*\n.*|.*)$/m,
    frame: /panicked at (?:'.*', )?(?<file>\S+?):(?<line>\d+):\d+/g,
  },
  {
    // Rust: an Err that `main` returns, as a structure
    line: /^Error: (?<name>[A-Za-z]\w*(?:::\w+)*)(?: \{|\().*$/m,
    ofData: /^(?:ParseIntError|Utf8Error|FromUtf8Error)$/,
  },
  { line: /^.*Fatal error: (?!Uncaught).*: file .*$/m }, // Swift
  {
    // Elixir
    line: /^\*\* \((?<name>(?!Mix)[A-Z][\w.]*)\) .*$/m,
    ofData: /^(?:\w*(?:Clause|Match|Key|Argument|Arithmetic|BadMap|UndefinedFunction|Undefined)Error)$/,
    frame: /^\s+(?:\(.*?\) )?(?<file>\S+\.exs?):(?<line>\d+): (?<name>.*)$/gm,
  },
  { line: /^(?:terminate called after throwing.*|Segmentation fault.*|free\(\): .*|.*AddressSanitizer.*)$/m },
  { line: /^.*: Prelude\..*$/m }, // Haskell
  {
    // Lua
    line: /^lua[\d.]*: (?<message>.*)$/m,
    dataWords: /attempt to|bad argument/,
    ofData: /^$/,
    frame: /^lua[\d.]*: (?<file>[^:\s]+):(?<line>\d+): /gm,
  },
  {
    // Ruby: `app.rb:3:in 'block': undefined method (NoMethodError)`
    line: /^\S[^\n]*?:\d+:in [`'][^\n]*(?:\((?<name>[A-Z][\w:]*)\)|: unhandled exception)$/m,
    ofData:
      /^(?:NoMethodError|NameError|TypeError|ArgumentError|KeyError|IndexError|RangeError|ZeroDivisionError|FrozenError|NoMatchingPatternError|StopIteration|FloatDomainError|SystemStackError|NotImplementedError)$/,
    // A method that is written in C has the place of its caller, which is the next one.
    frame:
      /^(?:\tfrom )?(?<file>\S.*?):(?<line>\d+):in [`'](?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )*(?<name>[^']*)'(?![^\t]*\tfrom \k<file>:\k<line>:in )/gm,
  },
  {
    // Java, Kotlin, Scala
    line: new RegExp(`^Exception in thread ".*" ${javaName}$`, 'm'),
    ofData:
      /^(?:NullPointer|ClassCast|(?:Array|String)?IndexOutOfBounds|NumberFormat|Arithmetic|NoSuchElement|NegativeArraySize|ArrayStore|DateTime|JSON|Json\w*|UnrecognizedProperty|InvalidFormat|UnsupportedOperation|ConcurrentModification|UninitializedPropertyAccess|MatchError)(?:Exception)?$|^(?:StackOverflow|OutOfMemory|NoClassDefFound|ExceptionInInitializer|Assertion|NotImplemented)Error$/,
    // A Matcher without a match.
    dataWords: /^No match (?:found|available)$/,
    carrier: {
      name: /^(?:CompletionException|ExecutionException|InvocationTargetException|UndeclaredThrowableException)$/,
      inner: new RegExp(`^Caused by: ${javaName}$`, 'gm'),
    },
    frame: /^\tat (?:\S+\/)?(?<name>[\w.$<>]+)\((?<file>[\w$]+\.(?:java|kt|scala)):(?<line>\d+)\)/gm,
  },
  {
    // .NET
    line: /^Unhandled [Ee]xception[.:] (?<name>[\w.]+)(?:: (?<message>.*))?$/m,
    ofData:
      /^(?:NullReference|IndexOutOfRange|Argument(?:Null|OutOfRange)?|KeyNotFound|InvalidCast|Format|DivideByZero|Overflow|Json\w*|StackOverflow|NotImplemented|RuntimeBinder)Exception$/,
    dataWords: /operation requires an element|Sequence contains|Collection was modified|Nullable object must/,
    carrier: {
      name: /^(?:AggregateException|TargetInvocationException|TypeInitializationException)$/,
      inner: /^ ---> (?:\(Inner Exception.*?\) )?(?<name>[\w.]+)(?:: (?<message>.*))?$/gm,
    },
    frame: /^ +at (?<name>[^\n]+?)\([^\n]*\) in (?<file>[^\n]+):line (?<line>\d+)/gm,
  },
  {
    // PHP: below an exception that carries another one stands `Next`; the last one was not caught.
    line: /(?:^(?:PHP )?Fatal error: +Uncaught |(?<=^Next ))(?<name>[\w\\]+)(?:: (?<message>.*))?$(?![\s\S]*\n\nNext [\w\\]+: )/m,
    ofData:
      /^(?:TypeError|Error|ValueError|ArgumentCountError|ArithmeticError|DivisionByZeroError|UnhandledMatchError|JsonException)$/,
    frame: /(?: in |^#\d+ )(?<file>\/\S+?\.php)(?::|\()(?<line>\d+)\)?(?:: (?<name>[\w\\:>-]+)\()?/gm,
  },
  { line: /^(?:PHP )?(?:Fatal|Parse) error: +(?!Uncaught).*$/m },
  {
    // Dart
    line: /^Unhandled exception:\n(?<name>\w+)?.*$/m,
    ofData: /^(?:FormatException|NoSuchMethodError|RangeError|TypeError|StateError|type)$/,
    frame: /^#\d+ +(?<name>\S+) \((?:file:\/\/)?(?<file>[^():]+):(?<line>\d+)/gm,
  },
]

const others: readonly Reader[] = languages.map(
  (language): Reader =>
    ({ text }) => {
      const found = language.line.exec(text)
      if (!found) return undefined
      const stack = text.slice(found.index)
      const { name, message } = statedBy(language, found, stack)
      const own = shortName(name)
      return {
        name: own || (found[0].split(':')[0] ?? 'an error'),
        line: found[0].replace(/\s*\n\s*/g, ' ').trim(),
        isOfData: isOfData(language, { name: own, message }),
        frames: language.frame ? framesIn(stack, language.frame) : [],
      }
    },
)

/** The class and the message. When the class only carries another error, those of the innermost one. */
function statedBy(
  { carrier }: Language,
  found: RegExpExecArray,
  stack: string,
): { name: string; message: string } {
  const { name = '', message = '' } = found.groups ?? {}
  const isCarrier = carrier !== undefined && (carrier.name.test(shortName(name)) || isNamedIn(message, stack))
  const inner = isCarrier ? [...stack.matchAll(carrier.inner)].at(-1)?.groups : undefined
  return { name: inner?.name ?? name, message: inner?.message ?? message }
}

/** `new RuntimeException(error)` of Java has the text of its cause as its message. */
function isNamedIn(message: string, stack: string): boolean {
  return message !== '' && stack.includes(`\nCaused by: ${message}`)
}

function isOfData(
  { ofData, dataWords }: Language,
  { name, message }: { name: string; message: string },
): boolean {
  if (ofData === undefined) return true
  return ofData.test(name) || isDecoder(name) || (dataWords?.test(message) ?? false)
}

/** Tools that shell scripts call: when the last line is theirs, their error ended the script. */
const shell: Reader = ({ text, code }) => {
  const line = text.trimEnd().split('\n').at(-1)?.trim() ?? ''
  const place = /^(?:\S*(?:ba|z|da|k)?sh: )?(?<file>[^\s:]+): (?:line )?(?<line>\d+): /.exec(line)?.groups
  const frames = place ? [{ file: place.file ?? '', line: Number(place.line) }] : []
  const [, curl] = /^curl: \((\d+)\)/.exec(line) ?? []
  if (curl !== undefined && Number(curl) === code) return { name: 'curl', line, isOfData: false, frames: [] }
  if (/^wget: |\bERROR \d{3}: /.test(line)) return { name: 'wget', line, isOfData: false, frames: [] }
  if (/^(?:jq: (?:parse )?error|parse error: )/.test(line))
    return { name: 'jq', line, isOfData: true, frames: [] }
  if (
    /: (?:unbound variable|parameter not set|bad substitution|division by 0|syntax error\b.*)(?: \(.*\))?$/.test(
      line,
    )
  )
    return { name: 'shell', line, isOfData: true, frames }
  return undefined
}

const readers: readonly Reader[] = [suites, node, python, ...others, perl, shell]

/** Lines that runners of scripts add below the error of the program. */
const ofRunners =
  /^(?:npm (?:ERR!|error|notice|warn)\b.*|make(?:\[\d+\])?: \*\*\* .*|exit status \d+|error Command failed.*|info Visit .*|.*ELIFECYCLE.*|error: script ".*" .*|note: run with `RUST_BACKTRACE.*)$/gm

/**
 * The error that ended a program because nobody caught it; undefined when there was none. The class of the error decides whether it is
 * about the program's own data, never the file that raised it: a library may lie anywhere. For a function, it is what it threw,
 * when that is an error of the language.
 */
export function uncaughtErrorOf({ exit, output, errors }: Run): UncaughtError | undefined {
  if (exit.kind === 'threw') return thrownError(exit, errors)
  if (exit.kind !== 'ended' || exit.code === 0) return undefined
  const { code } = exit
  const texts = [...(errors.trim() === '' ? [] : [errors]), ...(isOnOutput(errors, output) ? [output] : [])]
  return texts
    .map(text => text.replaceAll('\r\n', '\n').replaceAll(ofRunners, ''))
    .flatMap(text => readers.map(read => read({ text, code })))
    .find(found => found !== undefined)
}

/** PHP and suites report errors on standard output. */
function isOnOutput(errors: string, output: string): boolean {
  return (
    errors.trim() === '' ||
    /^(?:E {3}|(?:PHP )?Fatal error: |not ok \d| {2}\d+ fail(?:ing|ed)$)/m.test(output)
  )
}

/** Errors that the engine throws for a mistake in the program. */
const ofTheLanguage = ['TypeError', 'ReferenceError', 'RangeError']

function thrownError(
  { name, message }: { name: string; message: string },
  stack: string,
): UncaughtError | undefined {
  if (!ofTheLanguage.includes(name)) return undefined
  const line = `${name}: ${message}`
  return { name, line, isOfData: isOfScriptData(name, message), frames: framesOfStack(stack) }
}
