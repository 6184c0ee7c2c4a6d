import { type ParserPlugin, parse } from '@babel/parser'

/** A place in a program of the user that handles what went wrong, or that decides on a status. */
export interface Handler {
  /** The line at which it stands, from 1. */
  line: number
  /** Of Python `except`; a callback for errors is a `catch`. */
  kind: 'catch' | 'except' | 'finally' | 'branch'
  /** Its line in the source. */
  text: string
}

/** A place in a source: lines are counted from 1, columns from 0. */
export interface Spot {
  index: number
  line: number
  column: number
}

/** Code whose first place shows whether it ran. */
interface Code {
  from: Spot
  to: Spot
}

export interface Parts {
  /** In order. */
  handlers: (Code & { handler: Handler })[]
  /** The lines that have code. */
  lines: Code[]
}

type Program = ReturnType<typeof parse>['program']
type Statement = Program['body'][number]
type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']
type Node = Statement | Expression | NonNullable<Extract<Statement, { type: 'TryStatement' }>['handler']>

/** Words of a condition that is about the status of a reply or of a task. */
const aboutStatus = /(?:status|state)|\b(?:ok|code|errno)\b/i

/** The handlers and lines of a source in JavaScript or TypeScript. Throws where it is none. */
export function partsOf(path: string, source: string): Parts {
  const { program, tokens } = parsed(path, source)
  const texts = source.split('\n')
  const handlers: Parts['handlers'] = []
  const add = (kind: Handler['kind'], mark: Spot, code: Node) => {
    const text = (texts[mark.line - 1] ?? '').trim()
    handlers.push({ handler: { kind, line: mark.line, text }, ...codeOf(code) })
  }
  /** The word before a block, which is no node. */
  const wordBefore = ({ start }: Node, word: string): Spot => {
    const index = source.lastIndexOf(word, start ?? 0)
    const before = source.slice(0, index).split('\n')
    return { index, line: before.length, column: before.at(-1)?.length ?? 0 }
  }
  for (const node of nodesIn(program)) {
    if (node.type === 'CatchClause') add('catch', startOf(node), node.body)
    else if (node.type === 'TryStatement') {
      if (node.finalizer) add('finally', wordBefore(node.finalizer, 'finally'), node.finalizer)
    } else if (node.type === 'IfStatement' && isAboutStatus(node.test)) {
      const { consequent, alternate } = node
      add('branch', startOf(node), consequent)
      if (alternate && alternate.type !== 'IfStatement')
        add('branch', wordBefore(alternate, 'else'), alternate)
    } else if (node.type === 'SwitchStatement' && isAboutStatus(node.discriminant)) {
      // A case without code of its own belongs to the next one.
      for (const { consequent, loc } of node.cases)
        if (consequent[0] && loc) add('branch', loc.start, consequent[0])
    } else if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
      const { name, body } = callbackOf(node) ?? {}
      if (name && body) add('catch', startOf(name), body)
    }
  }
  handlers.sort((one, other) => one.from.index - other.from.index)
  return { handlers, lines: linesOf(source, tokens ?? []) }
}

function parsed(path: string, source: string): ReturnType<typeof parse> {
  const isPage = /\.(?:vue|svelte)$/.test(path)
  const language: ParserPlugin[] = /\.(?:vue|svelte|[cm]?ts)$/.test(path)
    ? ['typescript']
    : [path.endsWith('.tsx') ? 'typescript' : 'flow', 'jsx']
  return parse(isPage ? scriptsOf(source) : source, {
    sourceType: 'unambiguous',
    plugins: [...language, 'decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'],
    allowReturnOutsideFunction: true,
    attachComment: false,
    errorRecovery: true,
    tokens: true,
  })
}

/** A page with spaces in place of all but its scripts. */
function scriptsOf(page: string): string {
  return page.replaceAll(/(?:^|<\/script)[\s\S]*?(?:<script\b[^>]*>|$(?![\s\S]))/g, text =>
    text.replaceAll(/[^\n]/g, ' '),
  )
}

/** The nodes of a tree, in no order. */
function nodesIn(root: object): Node[] {
  const found: Node[] = []
  const open: unknown[] = [root]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    if ('type' in one) found.push(one as Node)
    for (const value of Object.values(one)) open.push(value)
  }
  return found
}

function isAboutStatus(condition: Node): boolean {
  const names = nodesIn(condition).flatMap(node => (node.type === 'Identifier' ? [node.name] : []))
  return aboutStatus.test(names.join(' '))
}

/** The body of a function that is called for an error: `.catch(…)`, `.on('error', …)`. That of a name of one stands elsewhere. */
function callbackOf({
  callee,
  arguments: given,
}: Extract<Expression, { type: 'CallExpression' | 'OptionalCallExpression' }>) {
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return undefined
  const { property: name } = callee
  if (name.type !== 'Identifier' || callee.computed) return undefined
  const [event, then] = given
  const isEvent =
    /^(?:on|once|addEventListener)$/.test(name.name) &&
    event?.type === 'StringLiteral' &&
    event.value === 'error'
  const called = name.name === 'catch' ? event : isEvent ? then : undefined
  return called?.type === 'ArrowFunctionExpression' || called?.type === 'FunctionExpression'
    ? { name, body: called.body }
    : undefined
}

/** The code of a node: that in its braces, where it has some. */
function codeOf(node: Node): Code {
  const first = node.type === 'BlockStatement' ? (node.body[0] ?? node.directives[0] ?? node) : node
  return { from: startOf(first as Node), to: node.loc?.end ?? nowhere }
}

const nowhere: Spot = { index: 0, line: 0, column: 0 }

function startOf({ loc }: Pick<Node, 'loc'>): Spot {
  return loc?.start ?? nowhere
}

interface Token {
  type: { label?: string }
  start: number
  loc: { start: Spot }
}

/** The lines with a word of code. Comments, texts and patterns are none. */
function linesOf(source: string, tokens: readonly Token[]): Code[] {
  const lines = new Map<number, Code>()
  for (const { type, start, loc } of tokens) {
    const { line } = loc.start
    if (lines.has(line) || !/[\w$]/.test(source[start] ?? '')) continue
    if (type.label === 'template' || type.label === 'jsxText') continue
    lines.set(line, { from: loc.start, to: { index: start, line: line + 1, column: 0 } })
  }
  return [...lines.values()]
}
