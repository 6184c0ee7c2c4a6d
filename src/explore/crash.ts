/**
 * The line of a program's output that shows that an uncaught error ended it; undefined when none did. The rule: an error of the
 * language, of its runtime or of a library that ended the program is a crash. An error that the program's own
 * file threw, with a message of its own, is a report of the program, even when a stack is printed below it.
 */
export function crashLineIn(output: string): string | undefined {
  for (const read of languages) {
    const line = read(output)
    if (line !== undefined) return line.trim()
  }
  return undefined
}

type Reader = (output: string) => string | undefined

/** Error classes that JavaScript engines and fetch throw by themselves. */
const ofJavaScript =
  /^(?:Uncaught )?(TypeError|ReferenceError|RangeError|SyntaxError|EvalError|URIError|AggregateError|AssertionError|DOMException|AbortError|TimeoutError|InternalError)\b/

/** `Node.js v20.20.2` is the last line of a Node program that died of an error. */
function node(output: string): string | undefined {
  const unsettled = /^Warning: Detected unsettled top-level await.*$/m.exec(output)?.[0]
  if (unsettled !== undefined) return unsettled
  if (!/^(?:Node\.js v\d|Bun v\d)/m.test(output) && !/^error: Uncaught/m.test(output)) return undefined
  const lines = output.split('\n')
  const at = lines.findIndex(line => /^(?:node:|file:\/\/|[A-Za-z]:\\|\/).*:\d+$/.test(line.trim()))
  const after = lines.slice(at + 1)
  const error = after.find(line => isErrorLine(line)) ?? lines.find(line => isErrorLine(line))
  if (error === undefined) return lines.find(line => line.trim() !== '')
  if (ofJavaScript.test(error.replace(/^error: /, '').trim()) || /^\[?UnhandledPromiseRejection/.test(error))
    return error
  const place = lines[at] ?? ''
  const isOwn = !/^node:|node_modules/.test(place.trim()) && /\bthrow\b/.test(after[0] ?? '')
  const code = / code: '(E[A-Z_]+|UND_ERR\w+)'/.exec(output)
  return isOwn && !code ? undefined : error
}

function isErrorLine(line: string): boolean {
  return /^(?:error: )?(?:Uncaught )?(?:\(in promise\) )?\[?[\w$.]*(?:Error|Exception|Rejection)(?::|\]| \[|$)/.test(
    line,
  )
}

/** The last frame shows whether the program itself raised the error, or something that it called. */
function python(output: string): string | undefined {
  const at = output.lastIndexOf('Traceback (most recent call last):')
  if (at < 0) return undefined
  const lines = output.slice(at).split('\n')
  const end = lines.findIndex((line, index) => index > 0 && /^[\w.]+(?::|$)/.test(line))
  const error = lines[end]
  if (end < 0 || error === undefined || error === '') return 'Traceback (most recent call last):'
  const frames = lines.slice(0, end)
  const place = frames.findLast(line => /^ {2}File "/.test(line)) ?? ''
  const source = frames[frames.lastIndexOf(place) + 1] ?? ''
  const isOwn = !/site-packages|dist-packages|\/lib(?:64)?\/python\d|<frozen|\\Lib\\/.test(place)
  return isOwn && /^\s+raise\s+\w/.test(source) && !isReraised(source) ? undefined : error
}

/** `raise error from cause` and `raise name` raise an error again that other code has raised. */
function isReraised(source: string): boolean {
  return /^\s+raise\s+[a-z_]\w*\s*$/.test(source)
}

const plain: Readonly<Record<string, RegExp>> = {
  go: /^(?:panic: .*|fatal error: .*|unexpected fault address .*)$/m,
  rust: /^thread '.*' panicked at .*$/m,
  swift: /^.*Fatal error: .*$/m,
  elixir: /^\*\* \((?!RuntimeError|Mix)[A-Z][\w.]*\) .*$/m,
  native: /^(?:terminate called after throwing.*|Segmentation fault.*|free\(\): .*|.*AddressSanitizer.*)$/m,
  haskell: /^.*: Prelude\..*$/m,
}

/** Languages that print the class of the error. `own` are the classes that programs throw to report a failure. */
const classed: readonly { line: RegExp; own: RegExp }[] = [
  // Ruby: `app.rb:3:in 'block': undefined method (NoMethodError)`
  {
    line: /^\S+\.rb:\d+:in .*\((?<name>[A-Z][\w:]*)\)$/m,
    own: /^(?:RuntimeError|StandardError|(?!.*Error$).*)$/,
  },
  // Java, Kotlin, Scala
  {
    line: /^Exception in thread ".*" (?<name>[\w.$]+).*$/m,
    own: /^(?:java\.lang\.(?:RuntimeException|Exception|IllegalStateException)|(?!java|kotlin|scala|jdk|sun|com\.fasterxml|okhttp|org\.apache).*)$/,
  },
  // .NET
  {
    line: /^Unhandled [Ee]xception[.:] (?<name>[\w.]+).*$/m,
    own: /^(?:System\.(?:Exception|ApplicationException|InvalidOperationException)|(?!System\.|Newtonsoft\.).*)$/,
  },
  // PHP
  {
    line: /^(?:PHP )?Fatal error: +Uncaught (?<name>[\w\\]+).*$/m,
    own: /^(?:Exception|RuntimeException|(?!.*Error$|GuzzleHttp|JsonException).*)$/,
  },
  // Dart
  { line: /^Unhandled exception:\n(?<name>\w+).*$/m, own: /^Exception$/ },
]

const languages: readonly Reader[] = [
  node,
  python,
  ...Object.values(plain).map(
    (pattern): Reader =>
      output =>
        pattern.exec(output)?.[0],
  ),
  ...classed.map(
    ({ line, own }): Reader =>
      output => {
        const found = line.exec(output)
        return found?.groups && !own.test(found.groups.name ?? '') ? found[0] : undefined
      },
  ),
]
