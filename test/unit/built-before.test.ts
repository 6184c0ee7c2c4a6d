import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
// @ts-expect-error: a script without types
import { digestOf, keep, restore } from '../../built-before.mjs'

/** A project with a source, and a built part of it. */
function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'built-before-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['src', 'node_modules', 'dist/console'])
    mkdirSync(join(root, folder), { recursive: true })
  write(root, 'src/a.ts', 'one')
  write(root, 'dist/main.js', 'built from one')
  write(root, 'dist/index.d.ts', 'types')
  return root
}

const write = (root: string, name: string, text: string) => writeFileSync(join(root, name), text)
const digest = (root: string): string => digestOf(root, ['src', 'package.json'])
const code = (root: string) => ({ part: 'code', made: 'dist/main.js', digest: digest(root) })

describe('what was built from the same sources is copied (issue: processor time)', () => {
  it('a part comes back as it was, and other parts stay', () => {
    const root = project()
    keep(root, code(root))
    write(root, 'dist/main.js', 'something else')
    write(root, 'dist/more.js', 'of another build')
    expect(restore(root, code(root))).toBe(true)
    expect(readFileSync(join(root, 'dist/main.js'), 'utf8')).toBe('built from one')
    expect(readdirSync(join(root, 'dist')).sort()).toEqual(['console', 'index.d.ts', 'main.js'])
  })

  it.each([
    ['another content', 'src/a.ts'],
    ['a new file', 'src/b.ts'],
    ['another package.json', 'package.json'],
    ['other installed packages', 'node_modules/.package-lock.json'],
  ])('%s is another state, for which nothing was kept', (_, name) => {
    const root = project()
    keep(root, code(root))
    write(root, name, 'two')
    expect(restore(root, code(root))).toBe(false)
  })

  it('keeps the builds of three states', () => {
    const root = project()
    for (const text of ['1', '2', '3', '4']) {
      write(root, 'src/a.ts', text)
      keep(root, code(root))
    }
    expect(readdirSync(join(root, 'node_modules/.cache/built'))).toHaveLength(3)
    expect(restore(root, code(root))).toBe(true)
  })

  it('keeps nothing of a clone that borrows its packages, because paths of the owner are in what it builds', () => {
    const root = project()
    const owner = project()
    rmSync(join(root, 'node_modules'), { recursive: true })
    symlinkSync(join(owner, 'node_modules'), join(root, 'node_modules'), 'dir')
    keep(root, code(root))
    expect(restore(root, code(root))).toBe(false)
    keep(owner, code(owner))
    expect(restore(root, code(root))).toBe(true)
  })
})
