import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from '../../test/support/fresh-build.ts'

/** A test that shows a row of the specification: it calls `shows` with the row's id. */
export interface Showing {
  id: string
  /** The file, below `test`. */
  file: string
  /** The test's name as its source has it, `${…}` and `%s` unfilled. */
  name: string
}

/** Every call of `shows` in the tests, in the order of the files. */
export function showings(): Showing[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .sort()
    .flatMap(file => {
      const source = readFileSync(join(root, 'test', file), 'utf8')
      if (!source.includes('support/shows.ts')) return []
      return callsIn(parseSync(file, source).program, source).map(one => ({ ...one, file }))
    })
}

/** The calls below a node of the syntax tree (ESTree), or below a value or list inside one. */
function callsIn(node: unknown, source: string, name = ''): Omit<Showing, 'file'>[] {
  if (Array.isArray(node)) return node.flatMap(child => callsIn(child, source, name))
  if (!isNode(node)) return []
  const isCall = node.type === 'CallExpression'
  if (isCall && isNode(node.callee) && node.callee.name === 'shows')
    return idsIn(node.arguments).map(id => ({ id, name }))
  const inner = isCall && declares(node.callee) ? nameIn(node.arguments, source) : name
  return Object.values(node).flatMap(child => callsIn(child, source, inner))
}

function idsIn(given: unknown): string[] {
  return Array.isArray(given)
    ? given.flatMap(one => (isNode(one) && one.type === 'Literal' ? [String(one.value)] : []))
    : []
}

/** `it(`, `it.each(…)(` and so on. */
function declares(callee: unknown): boolean {
  if (!isNode(callee)) return false
  if (callee.type === 'Identifier') return ['it', 'test'].includes(String(callee.name))
  return declares(callee.object ?? callee.callee)
}

function nameIn(given: unknown, source: string): string {
  const first: unknown = Array.isArray(given) ? given[0] : undefined
  if (!isNode(first)) return ''
  if (first.type === 'Literal') return String(first.value)
  return first.type === 'TemplateLiteral' ? source.slice(Number(first.start) + 1, Number(first.end) - 1) : ''
}

function isNode(value: unknown): value is Record<string, unknown> & { type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
