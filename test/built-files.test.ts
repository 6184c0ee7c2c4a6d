import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { freshProgram, root } from './support/fresh-build.ts'

beforeAll(freshProgram)

const dist = `${root}/dist`
const textOf = (file: string) => readFileSync(`${dist}/${file}`, 'utf8')

/** The files that are read with these, and when `later`, also those that they import while they run. */
function readWith(files: readonly string[], later: boolean): Set<string> {
  const found = new Set<string>()
  const pattern = later ? /(?:from|import)\(?"\.\/([\w.-]+\.js)"/g : /(?:from|import)"\.\/([\w.-]+\.js)"/g
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const [, next = ''] of textOf(file).matchAll(pattern)) add(next)
  }
  files.forEach(add)
  return found
}

it('a start reads at most thirty files', () => {
  const parts = ['command-line', 'serve'].map(name =>
    readdirSync(dist).find(file => new RegExp(`^${name}-\\w+\\.js$`).test(file)),
  )
  const files = readWith(['main.js', ...parts.map(String)], false)
  expect(files.size).toBeGreaterThan(5)
  expect(files.size).toBeLessThanOrEqual(30)
})

it('workers and preloads read nothing of the server', () => {
  const isServer = (file: string) => textOf(file).includes('loosePath')
  expect([...readWith(['main.js'], true)].filter(isServer)).toHaveLength(1)
  for (const entry of [
    'render-worker.js',
    'track-worker.js',
    'virtual-time.js',
    'as-host.js',
    'loaded-files.js',
  ])
    expect([...readWith([entry], true)].filter(isServer), entry).toEqual([])
})
