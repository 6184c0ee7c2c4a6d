import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** Comments and texts, which are not code. */
const noise =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\$]|\$(?!\{))*`/g

/** One source file: its path below `src` or `test`, with slashes, and its text. */
export interface SourceFile {
  path: string
  text: string
  /** The text without comments and without the contents of strings and templates. */
  code: string
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
      return { path: path.replaceAll('\\', '/'), text, code: codeOf(text) }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function codeOf(text: string): string {
  return text.replace(noise, match => (match.startsWith('/') ? '' : `${match[0]}${match.at(-1)}`))
}

/** What a file imports when it runs, as paths below `src`: `import type` and lists of types alone are left out. */
export function runtimeImports({ path, text }: SourceFile): string[] {
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(?!type\b)([^'"]*?)from\s+'(\.[^']+)'/gm),
  ].filter(([, names = '']) => !isTypesOnly(names))
  const bare = [...text.matchAll(/^import\s+()'(\.[^']+)'/gm)]
  const late = [...text.matchAll(/(?<!typeof )\bimport\(()\s*'(\.[^']+)'\s*\)/g)]
  return [...statements, ...bare, ...late].map(([, , target = '']) => posix.join(dirname(path), target))
}

/** The paths below `src` that a file imports, types included. */
export function allImports({ path, text }: SourceFile): string[] {
  const found = [...text.matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)'(\.[^']+)'/gm)]
  return found.map(([, target = '']) => posix.join(dirname(path), target))
}

function isTypesOnly(names: string): boolean {
  const listed = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1]
  if (listed === undefined) return false
  const each = listed.split(',').filter(name => name.trim() !== '')
  return each.length > 0 && each.every(name => /^\s*type\s/.test(name))
}
