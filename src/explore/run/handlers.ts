/** A place in a program of the user that handles what went wrong, or that decides on a status. */
export interface Handler {
  /** The line at which it stands, from 1. */
  line: number
  /** Of Python `except`; a callback for errors is a `catch`. */
  kind: 'catch' | 'except' | 'finally' | 'branch'
  /** Its line in the source. */
  text: string
}

/** A handler, and where its code begins. */
export interface PlacedHandler extends Handler {
  at: number
  end: number
}

/** Words of a condition that is about the status of a reply or of a task. */
const aboutStatus = /(?:status|state)|\b(?:ok|code|errno)\b/i
const marks =
  /\bcatch\b|\bfinally\b(?=\s*\{)|(?<![.\w])if\b|(?<![.\w])switch\b|\.(?:on|once|addEventListener)\s*\(\s*(?=["'])/g

/** The handlers of a JavaScript or TypeScript source, in order. */
export function handlersIn(source: string): PlacedHandler[] {
  const code = codeOf(source)
  const found: PlacedHandler[] = []
  const lines = source.split('\n')
  const starts = startsOf(lines)
  const add = (kind: Handler['kind'], mark: number, at: number) => {
    const from = skipSpace(code, code[at] === '{' ? at + 1 : at)
    const line = starts.findLastIndex(start => start <= mark) + 1
    const text = (lines[line - 1] ?? '').trim()
    found.push({ kind, line, text, at: code[from] === '}' ? at : from, end: endOf(code, at) })
  }
  for (const { 0: word, index: at } of code.matchAll(marks)) {
    const next = skipSpace(code, at + word.length)
    if (word === 'finally') add('finally', at, next)
    else if (word === 'catch') {
      const isMethod = code[at - 1] === '.'
      const after = code[next] === '(' ? afterBrackets(code, next) : next
      const body = isMethod ? bodyOfCallback(code, next + 1) : skipSpace(code, after)
      if (isMethod ? code[next] === '(' && body !== undefined : code[body ?? 0] === '{')
        add('catch', at, body ?? next)
    } else if (word.startsWith('.')) {
      const [, event] = /^(["'])error\1/.exec(source.slice(next)) ?? []
      const body = event === undefined ? undefined : bodyOfCallback(code, code.indexOf(',', next) + 1)
      if (body !== undefined) add('catch', at, body)
    } else if (code[next] === '(') {
      const after = afterBrackets(code, next)
      if (!aboutStatus.test(code.slice(next, after))) continue
      if (word === 'if') addBranches(code, after, at, add)
      else addCases(code, skipSpace(code, after), add)
    }
  }
  return found.sort((one, other) => one.at - other.at)
}

/** Where each of these lines begins. */
export function startsOf(lines: readonly string[]): number[] {
  let end = 0
  return lines.map(text => {
    const start = end
    end += text.length + 1
    return start
  })
}

type Add = (kind: Handler['kind'], mark: number, at: number) => void

function addBranches(code: string, after: number, mark: number, add: Add): void {
  const then = skipSpace(code, after)
  add('branch', mark, then)
  const end = skipSpace(code, endOf(code, then))
  const otherwise = /^else\b\s*/.exec(code.slice(end))?.[0]
  if (otherwise === undefined || /^if\b/.test(code.slice(end + otherwise.length))) return
  add('branch', end, end + otherwise.length)
}

/** The cases of a switch; one without code of its own belongs to the next one. */
function addCases(code: string, open: number, add: Add): void {
  const close = afterBrackets(code, open)
  for (let at = open + 1; at < close; at++) {
    if ('([{'.includes(code[at] ?? '')) at = afterBrackets(code, at) - 1
    const [word] = /^(?:case\b|default\b(?=\s*:))/.exec(code.slice(at, at + 8)) ?? []
    if (word === undefined || /[\w$.]/.test(code[at - 1] ?? '')) continue
    const colon = colonAfter(code, at + word.length)
    const body = skipSpace(code, colon + 1)
    if (!/^(?:case\b|default\b\s*:|\})/.test(code.slice(body))) add('branch', at, body)
    at = colon
  }
}

function colonAfter(code: string, at: number): number {
  let place = at
  let questions = 0
  for (; place < code.length && (code[place] !== ':' || questions > 0); place++) {
    if ('([{'.includes(code[place] ?? '')) place = afterBrackets(code, place) - 1
    else if (code[place] === '?') questions++
    else if (code[place] === ':') questions--
  }
  return place
}

/** Where the body of a function that is an argument begins; undefined for a name of one, whose body stands elsewhere. */
function bodyOfCallback(code: string, at: number): number | undefined {
  const rest = code.slice(at)
  const [arrow] = /^\s*(?:async\s*)?(?:\([^()]*\)|[\w$]+)\s*(?::\s*[\w.<>|\s[\]]+)?=>\s*/.exec(rest) ?? []
  const [head] = /^\s*(?:async\s+)?function\b\s*[\w$]*\s*\([^()]*\)\s*/.exec(rest) ?? []
  const found = arrow ?? head
  return found === undefined ? undefined : at + found.length
}

/** Where a statement or block ends. */
function endOf(code: string, at: number): number {
  if (code[at] === '{') return afterBrackets(code, at)
  for (let place = at; place < code.length; place++) {
    const sign = code[place] ?? ''
    if ('([{'.includes(sign)) place = afterBrackets(code, place) - 1
    else if (sign === ';') return place + 1
    else if (')]}'.includes(sign)) return place
    else if (sign === '\n' && isOver(code, at, place)) return place
  }
  return code.length
}

/** Whether a line end is the end of a statement: neither what stands before nor what comes after goes on. */
function isOver(code: string, at: number, place: number): boolean {
  const before = code.slice(at, place).trimEnd()
  const after = code.slice(skipSpace(code, place))
  return (
    before !== '' &&
    !/(?:[-+*/%=<>&|^!~?:.,(]|=>)$/.test(before) &&
    !/^(?:[-+*/%=<>&|^?:.,([]|\bin\b)/.test(after)
  )
}

function afterBrackets(code: string, at: number): number {
  if (!'([{'.includes(code[at] ?? ' ')) return at
  let depth = 0
  for (let place = at; place < code.length; place++) {
    if ('([{'.includes(code[place] ?? '')) depth++
    else if (')]}'.includes(code[place] ?? '') && --depth === 0) return place + 1
  }
  return code.length
}

function skipSpace(code: string, at: number): number {
  return at + (/^\s*/.exec(code.slice(at))?.[0].length ?? 0)
}

/** A slash after one of these begins a pattern and divides nothing. */
const beforePattern =
  /(?:^|[-+*%=<>&|^!~?:.,;([{}]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield))\s*$/
const quoted = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y

const plain = /[^'"`/{}]+/y

/** A source of the same length with spaces in the place of comments, texts and patterns; the quotes of a text stay. */
export function codeOf(source: string): string {
  const pieces: string[] = []
  let at = 0
  /** The end of the code up to here. */
  let tail = ''
  /** For each template that is open: how many braces are open in its code. */
  const open: number[] = []
  const take = (found: RegExp) => {
    found.lastIndex = at
    return found.exec(source)?.[0]
  }
  const add = (text: string) => {
    pieces.push(text)
    at += text.length
    tail = (tail + text).slice(-80)
  }
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')
  const addTemplate = () => {
    add(blank(take(templateText) ?? ''))
    if (source.startsWith('${', at)) {
      add('${')
      open.push(0)
    } else add(source[at] ?? '')
  }
  while (at < source.length) {
    const sign = source[at] ?? ''
    const text = sign === '/' ? take(comment) : sign === '"' || sign === "'" ? take(quoted) : take(plain)
    if (text !== undefined && sign === '/') add(blank(text))
    else if (text !== undefined && /["']/.test(sign)) add(sign + blank(text.slice(2)) + sign)
    else if (text !== undefined) add(text)
    else if (sign === '/' && beforePattern.test(tail)) add(blank(take(pattern) ?? sign))
    else if (sign === '`') {
      add(sign)
      addTemplate()
    } else if (sign === '}' && open.at(-1) === 0) {
      open.pop()
      add(sign)
      addTemplate()
    } else {
      add(sign)
      const depth = open.length - 1
      if (depth >= 0 && sign === '{') open[depth] = (open[depth] ?? 0) + 1
      if (depth >= 0 && sign === '}') open[depth] = (open[depth] ?? 0) - 1
    }
  }
  return pieces.join('')
}
