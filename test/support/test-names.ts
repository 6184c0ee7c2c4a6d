import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from './fresh-build.ts'

/** The names of the tests and groups of one file below `test`, as its source has them, `${…}` and `%s` unfilled. */
export function testNamesOf(file: string): string[] {
  const source = readFileSync(join(root, 'test', file), 'utf8')
  return namesBelow(parseSync(file, source).program, source)
}

/** A node of the syntax tree (ESTree), or a value or list inside one. */
function namesBelow(node: unknown, source: string): string[] {
  if (Array.isArray(node)) return node.flatMap(child => namesBelow(child, source))
  if (!isNode(node)) return []
  const own = node.type === 'CallExpression' && declares(node.callee) ? nameIn(node.arguments, source) : []
  return [...own, ...Object.values(node).flatMap(child => namesBelow(child, source))]
}

/** `it(`, `it.each(…)(`, `describe.each(…)(` and so on. */
function declares(callee: unknown): boolean {
  if (!isNode(callee)) return false
  if (callee.type === 'Identifier') return ['it', 'test', 'describe'].includes(String(callee.name))
  return declares(callee.object ?? callee.callee)
}

function nameIn(given: unknown, source: string): string[] {
  const first: unknown = Array.isArray(given) ? given[0] : undefined
  if (!isNode(first)) return []
  if (first.type === 'Literal') return [String(first.value)]
  return first.type === 'TemplateLiteral'
    ? [source.slice(Number(first.start) + 1, Number(first.end) - 1)]
    : []
}

function isNode(value: unknown): value is Record<string, unknown> & { type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
