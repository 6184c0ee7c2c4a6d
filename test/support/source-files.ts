import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** One source file: its path below `src` or `test`, with slashes, and its text. */
export interface SourceFile {
  path: string
  text: string
  /** The text without comments and without the contents of strings, templates and regular expressions; what `${…}` holds is code. */
  readonly code: string
}

/** Every TypeScript file below `src`. */
export const sourceFiles = filesIn('src').filter(({ path }) => !path.endsWith('.d.ts'))

/** Every file of tests. */
export const testFiles = filesIn('test').filter(({ path }) => path.endsWith('.test.ts'))

function filesIn(name: string): readonly SourceFile[] {
  return readdirSync(folderOf(name), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path))
    .map(path => {
      const text = readFileSync(join(folderOf(name), path), 'utf8')
      let code: string | undefined
      return {
        path: path.replaceAll('\\', '/'),
        text,
        get code() {
          code ??= codeOf(path, text)
          return code
        },
      }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

export function codeOf(path: string, text: string): string {
  const { program, comments } = parseSync(path, text)
  const silent = [...comments, ...textsBelow(program)].sort((a, b) => a.start - b.start)
  const code = silent.map(({ start }, i) => text.slice(silent[i - 1]?.end ?? 0, start))
  return [...code, text.slice(silent.at(-1)?.end ?? 0)].join('')
}

interface Node {
  type: string
  start: number
  end: number
}

/** The texts below a node of the syntax tree (ESTree), or below a value or list inside one. */
function textsBelow(node: unknown): Pick<Node, 'start' | 'end'>[] {
  if (Array.isArray(node)) return node.flatMap(textsBelow)
  if (typeof node !== 'object' || node === null) return []
  const { type, start, end, value } = node as Node & { value?: unknown }
  if (type === 'TemplateElement' || type === 'JSXText') return [{ start, end }]
  if (type === 'Literal' && (typeof value === 'string' || 'regex' in node))
    return [{ start: start + 1, end: end - 1 }]
  return Object.values(node).flatMap(textsBelow)
}

/** What a file imports when it runs, as paths below `src`: `import type` and lists of types alone are left out. */
export function runtimeImports({ path, text }: SourceFile): string[] {
  const bare = [...text.matchAll(/^import\s+()'(\.[^']+)'/gm)]
  const late = [...text.matchAll(/(?<!typeof )\bimport\(()\s*'(\.[^']+)'\s*\)/g)]
  return [...valueStatements(text), ...bare, ...late].map(([, , target = '']) =>
    posix.join(dirname(path), target),
  )
}

/** The paths below `src` that a file imports, types included. */
export function allImports({ path, text }: SourceFile): string[] {
  const found = [...text.matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)'(\.[^']+)'/gm)]
  return found.map(([, target = '']) => posix.join(dirname(path), target))
}

/** The files that are loaded with a file. The bundler takes what is named of a door, and leaves out the rest. */
export function loadedWith({ path, text }: SourceFile): string[] {
  return valueStatements(text).flatMap(([, names = '', target = '']) => {
    const found = posix.join(dirname(path), target)
    const door = sourceFiles.find(one => one.path === found && found.split('/').length === 2)
    if (!door || path.split('/')[0] === found.split('/')[0]) return [found]
    const wanted = listOf(names)
    return [...door.text.matchAll(/^export\s+(?!type\b)\{([^}]*)\}\s+from\s+'(\.[^']+)'/gm)]
      .filter(([, offered = '']) => listOf(offered).some(name => wanted.includes(name)))
      .map(([, , inside = '']) => posix.join(dirname(found), inside))
  })
}

/** The statements that import or export values of another file: all, their names, and the file. */
function valueStatements(text: string) {
  const all = text.matchAll(/^(?:import|export)\s+(?!type\b)([^'"]*?)from\s+'(\.[^']+)'/gm)
  return [...all].filter(([, names = '']) => !isTypesOnly(names))
}

/** The values in a list of names, as the other side calls them. */
function listOf(names: string): string[] {
  return names
    .replace(/[{}]/g, '')
    .split(',')
    .map(name => name.trim().split(/\s+as\s+/)[0] ?? '')
    .filter(name => name !== '' && !name.startsWith('type '))
}

function isTypesOnly(names: string): boolean {
  const listed = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1]
  if (listed === undefined) return false
  const each = listed.split(',').filter(name => name.trim() !== '')
  return each.length > 0 && each.every(name => /^\s*type\s/.test(name))
}
