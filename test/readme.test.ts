import {
  existsSync,
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlEndpoints } from '../src/control/endpoints.ts'
import { type RunningEmulator, startEmulator } from '../src/index.ts'
import { optionRows } from '../src/options/table.ts'
import { checkScenario } from '../src/scenarios/load.ts'
import { takeTags } from '../src/scenarios/prompt-tags.ts'
import { runCommand } from './support/emulator-process.ts'
import { freshBuild, root } from './support/fresh-build.ts'
import { type Ended, run } from './support/run.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** A project that has the package and what its kits are for. */
const folder = mkdtempSync(join(tmpdir(), 'gateway-readme-'))
let emulator: RunningEmulator

beforeAll(async () => {
  await freshBuild()
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of ['vitest', '@playwright'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
  symlinkSync(root, join(folder, 'node_modules/generation-gateway-emulator'), 'dir')
  emulator = await startEmulator({ clock: 'manual', seed: 7 })
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Block {
  language: string
  text: string
  title: string
}

const blocks: Block[] = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = ''], index) => ({
    language,
    text,
    title: `${index + 1}: ${text.split('\n')[0]}`,
  }),
)

/** What is done with a block; the first that fits. A block that fits none has no business in the README. */
const uses: readonly { fits: (block: Block) => boolean; use: (block: Block) => Promise<void> | void }[] = [
  { fits: ({ language, text }) => language === 'sh' && text.startsWith('curl'), use: runTranscript },
  { fits: ({ language, text }) => language === 'sh' && /^(npm|npx|docker) /.test(text), use: checkCommands },
  { fits: ({ text }) => text.includes('emulator/vitest'), use: runInVitest },
  { fits: ({ text }) => text.includes('emulator/playwright'), use: listInPlaywright },
  { fits: ({ language }) => language === 'ts', use: runAsModule },
  { fits: ({ language }) => language === 'yaml', use: activateScenario },
  { fits: ({ language, text }) => language === '' && text.startsWith('src/'), use: checkLayout },
  { fits: ({ text }) => text.startsWith('$ gateway-emulator explore'), use: checkMatrix },
]

/** The matrix is that of the plain client, in the cases that it shows. */
async function checkMatrix({ text }: Block): Promise<void> {
  const ids = [...text.matchAll(/┌ (\w+)/g)].flatMap(([, id = '']) => ['--only', id])
  const options = ['--limit', '10s', '--skip', 'a.get#3', ...ids]
  const command = ['--', 'node', 'fixtures/examples/explore/plain-client.mjs']
  const { stdout } = await runCommand(['explore', ...options, ...command])
  const rows = [...text.matchAll(/^[a-z]+\.[a-z]+#1 .*$/gm)].map(([row]) => row.replace(/ {6,}[✓H].*$/, ''))
  expect(rows).toHaveLength(3)
  for (const row of rows) expect(stdout).toContain(row)
}

describe('every snippet of the README works', () => {
  it.each(blocks)('$title', { timeout: 120_000 }, async block => {
    const found = uses.find(({ fits }) => fits(block))
    expect(found, `nothing is known of this block:\n${block.text}`).toBeDefined()
    await found?.use(block)
  })

  it('and there are some of each kind', () => {
    for (const { fits } of uses) expect(blocks.filter(fits).length).toBeGreaterThan(0)
  })
})

/** Commands, each followed by the answer as a comment, in which `…` stands for anything. Ids go on to the next command. */
async function runTranscript({ text }: Block): Promise<void> {
  const steps = [...text.replaceAll('\\\n', ' ').matchAll(/^(curl [^\n]*)\n((?:#[^\n]*\n?)*)/gm)]
  expect(steps.length).toBeGreaterThan(1)
  let id = ''
  for (const [, command = '', comment = ''] of steps) {
    const line = command.replaceAll('http://127.0.0.1:8585', emulator.url).replaceAll('cgt-…', id)
    const { stdout } = await run('sh', ['-c', line])
    const wanted = comment
      .replace(/^# ?/gm, '')
      .trim()
      .split('…')
      .map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(', ', ',\\s*'))
    expect(stdout).toMatch(new RegExp(`^${wanted.join('[\\s\\S]*?')}$`))
    id = /cgt-[\w-]+/.exec(stdout)?.[0] ?? id
  }
}

/** npm scripts, subcommands and flags are what they are said to be. What starts or builds is run by tests of its own. */
async function checkCommands({ text }: Block): Promise<void> {
  const { scripts, bin, repository, name, version } = manifest
  const sources = [`./${name}-${version}.tgz`, repository.url]
  for (const line of text.trim().split('\n')) {
    const [program, command = '', ...rest] = line.split(' ')
    if (program === 'npm' && command === 'install') expect(sources).toContain(rest.at(-1))
    else if (program === 'npm' && command !== 'ci') expect(Object.keys(scripts)).toContain(command)
    if (program === 'npx') {
      const [executable = '', subcommand = ''] = rest
      // Without it, npx would fetch a stranger's package of that name.
      expect(command).toBe('--no-install')
      expect(Object.keys(bin)).toContain(executable)
      await knowsFlags(subcommand, flagsIn(rest.join(' ')))
    }
    if (program === 'docker') expect(flagsIn(line).filter(flag => !/rm|clock/.test(flag))).toEqual([])
  }
}

function flagsIn(text: string): string[] {
  return [...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag)
}

let help: Promise<Ended> | undefined

async function knowsFlags(subcommand: string, flags: readonly string[]): Promise<void> {
  help ??= run('node', [join(root, 'dist/main.js'), '--help'])
  const { stdout } = await help
  expect(stdout).toContain(`gateway-emulator ${subcommand}`)
  for (const flag of flags) expect(stdout).toContain(`--${flag}`)
}

async function runAsModule({ text }: Block): Promise<void> {
  const file = join(folder, 'snippet.mjs')
  writeFileSync(file, `${text}\nconsole.log('came to its end')`)
  const { stdout, stderr } = await run('node', [file])
  expect(stdout, stderr).toContain('came to its end')
}

async function runInVitest({ text }: Block): Promise<void> {
  const file = join(folder, 'snippet.test.mjs')
  const calling = `await fetch(world.baseUrl + '/api/v3/contents/generations/tasks', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + world.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'model_a_20', content: [{ type: 'text', text: 'a cat' }] }),
  })`
  expect(text).toMatch(/\/\/ … the code under test[^\n]*/)
  writeFileSync(file, text.replace(/\/\/ … the code under test[^\n]*/, calling))
  const config = join(folder, 'vitest.config.mjs')
  const settings = { cacheDir: join(folder, 'vite'), test: { include: ['*.test.mjs'], exclude: [] } }
  writeFileSync(config, `export default ${JSON.stringify(settings)}`)
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--config', config]
  const { stdout, stderr } = await run('node', args, { env: { PATH: process.env.PATH, NO_COLOR: '1' } })
  expect(stdout, stderr).toContain('Tests  1 passed')
}

/** Its page is the reader’s; the like of it runs in a browser in the test of the examples. Here it must load. */
async function listInPlaywright({ text }: Block): Promise<void> {
  writeFileSync(join(folder, 'snippet.spec.mjs'), text)
  const config = join(folder, 'playwright.config.mjs')
  writeFileSync(config, `export default ${JSON.stringify({ testDir: folder, testMatch: '*.spec.mjs' })}`)
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--list', '--config', config]
  const { stdout, stderr } = await run('node', args)
  expect(stdout, stderr).toContain('Total: 1 test')
}

async function activateScenario({ text }: Block): Promise<void> {
  const file = join(folder, 'scenario.yaml')
  writeFileSync(file, text)
  const checked = await run('node', [join(root, 'dist/main.js'), 'scenarios', 'check', '--dry-run', file])
  expect(checked.code, checked.stderr).toBe(0)
  const { parse } = await import('yaml')
  const world = await emulator.openWorld()
  const document = checkScenario(parse(text))
  expect(await world.scenarios.use(document)).toEqual([document.name])
}

function checkLayout({ text }: Block): void {
  const names = text
    .split('\n')
    .flatMap(line => (line.startsWith('  ') ? line.slice(2, 34).trim().split(/\s+/) : []))
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) expect(existsSync(join(root, 'src', name)), name).toBe(true)
  const there = readdirSync(join(root, 'src'), { withFileTypes: true }).map(entry =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  )
  expect(there.filter(name => !names.includes(name))).toEqual([])
}

describe('what the README names is there', () => {
  it('files and chapters that it links to', () => {
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(
      ([, title = '']) => `#${title.toLowerCase().replaceAll(' ', '-')}`,
    )
    expect(links.length).toBeGreaterThan(10)
    for (const link of links)
      expect(link.startsWith('#') ? headings.includes(link) : existsSync(join(root, link)), link).toBe(true)
  })

  it('files that it names', () => {
    const named = [...readme.matchAll(/`((?:src|test|fixtures|scenarios|dist)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.length).toBeGreaterThan(4)
    for (const path of named) expect(existsSync(join(root, path)), path).toBe(true)
  })

  it('each in the package too, outside the chapter about the repository (issue: what the README shows is in the package)', () => {
    const [before = '', ...after] = readme.split(/^## /m)
    const chapters = [before, ...after.filter(chapter => !chapter.startsWith('How it is built'))].join('')
    const named = [
      ...[...chapters.matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target = '']) => target),
      ...[...chapters.matchAll(/`((?:src|test|fixtures|scenarios|dist)\/[\w./-]*)`/g)].map(
        ([, path = '']) => path,
      ),
    ]
    const packed: string[] = manifest.files
    expect(named.length).toBeGreaterThan(4)
    for (const path of named)
      expect(
        packed.some(entry => `${path}/`.startsWith(`${entry}/`)),
        path,
      ).toBe(true)
  })

  it('options', async () => {
    const prose = readme.replaceAll(/```[\s\S]*?```/g, '')
    const known = [
      ...optionRows.map(({ flag }) => flag as string),
      'config',
      'help',
      'omit',
      'test',
      'no-install',
    ]
    const others = flagsIn(prose).filter(flag => !known.includes(flag))
    await knowsFlags(
      '',
      others.filter(flag => flag !== 'rm'),
    )
    expect(flagsIn(prose).length).toBeGreaterThan(10)
  })

  it('prompt tags', () => {
    const tags = [...readme.matchAll(/`(\[\[[^\]]+\]\])`/g)].map(([, tag = '']) => tag)
    expect(tags.length).toBeGreaterThan(5)
    for (const tag of tags) expect(takeTags(`${tag} a cat`)?.text, tag).toBe('a cat')
  })

  it('calls of the control API', () => {
    const paths = [...readme.matchAll(/`(?:GET|POST|PUT|PATCH|DELETE) \/__emulator(\/[^`\s]*)/g)].map(
      ([, path = '']) => path.replace(/\{(\w+)\}/g, ':$1').replace(/:\w+/g, ':'),
    )
    const known = controlEndpoints.flatMap(({ paths: all }) => all.map(path => path.replace(/:\w+/g, ':')))
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) expect(known).toContain(path)
  })
})
