import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/fresh-build.ts'
import { blocksOf } from '../support/guide-files.ts'
import { sourceFiles } from '../support/source-files.ts'

const page = readFileSync(join(root, 'docs/how-it-is-built.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('the page on how it is built', () => {
  it('names every file and folder of src in its picture, and no others', () => {
    const picture = /^```\n(src\/\n[\s\S]*?)^```$/m.exec(page)?.[1] ?? ''
    const names = picture
      .split('\n')
      .flatMap(line => (line.startsWith('  ') ? line.slice(2, 34).trim().split(/\s+/) : []))
    expect(names.length).toBeGreaterThan(7)
    const there = readdirSync(join(root, 'src'), { withFileTypes: true }).map(entry =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    )
    expect(names.sort()).toEqual(there.sort())
  })

  it('names files that exist', () => {
    const named = [...page.matchAll(/`((?:src|server|test|downloads|control|dist)\/[\w./-]*|[A-Z]+\.md)`/g)]
    expect(named.length).toBeGreaterThan(6)
    for (const [, path = ''] of named) expect(isThere(path), path).toBe(true)
  })

  it('names files that exist in its two drawings', () => {
    const drawings = blocksOf({ path: 'how-it-is-built.md', text: page })
      .map(({ text }) => text)
      .filter(text => / {3}\|\n/.test(text))
    expect(drawings).toHaveLength(2)
    const named = drawings.flatMap(text => text.match(/(?<![\w/*])[\w-]+(?:\/[\w-]+)*\.ts\b/g) ?? [])
    expect(named.length).toBeGreaterThan(15)
    for (const path of named) expect(isThere(path), path).toBe(true)
  })

  it.each([
    ['a kind of fault', /(?<!Partial<)Record<Fault,/],
    [
      'a fault of media',
      /Record<LinkFaultKind,|Record<NonNullable<TaskView\['media_fault'\]>\['kind'\],|: RequestEffect\): Arrival/,
    ],
    ['a verdict of `explore`', /Record<Verdict,/],
    ['a page of the console', /Record<PageName,/],
  ])('names for %s each file that has to know all of them', (change, table) => {
    const files = sourceFiles.filter(({ text }) => table.test(text)).map(({ path }) => path)
    expect(files.length).toBeGreaterThan(0)
    const row = page.split('\n').find(line => line.startsWith(`| ${change} |`)) ?? ''
    const isNamed = (path: string) =>
      row.includes(path.replace('emulator/', '')) || row.includes(dirname(path).replace('emulator/', ''))
    expect(files.filter(path => !isNamed(path))).toEqual([])
  })

  it('lists the run-time dependencies of package.json', () => {
    expect(packagesOf('at run time').sort()).toEqual(
      Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).sort(),
    )
  })

  it('lists as bundled only packages that package.json has for development', () => {
    const bundled = packagesOf('bundled')
    expect(bundled.length).toBeGreaterThan(4)
    for (const name of bundled) expect(Object.keys(manifest.devDependencies)).toContain(name)
  })
})

/** Whether a path leads to something, from the root, from `src`, or from the building that the page speaks of there. */
function isThere(path: string): boolean {
  return ['', 'src', 'src/emulator', 'src/media'].some(folder => existsSync(join(root, folder, path)))
}

/** The packages in a row of the table of dependencies. */
function packagesOf(when: string): string[] {
  const row = page.split('\n').find(line => line.startsWith(`| ${when} |`)) ?? ''
  return [...row.matchAll(/`([@\w./-]+)`/g)]
    .map(([, name = '']) => name)
    .filter(name => !/^dist\/|^-/.test(name))
}
