import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningEmulator, startEmulator } from '../src/index.ts'
import { checkScenario } from '../src/scenarios/load.ts'
import { runCommand } from './support/emulator-process.ts'
import { freshBuild, root } from './support/fresh-build.ts'
import { type Block, blocksOf, guideFiles } from './support/guide-files.ts'
import { type Ended, run } from './support/run.ts'

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

const readme = guideFiles.filter(({ path }) => path === 'README.md')
const blocks = readme.flatMap(blocksOf)

/** What is done with a block; the first that fits. A block that fits none has no business in the README. */
const uses: readonly { fits: (block: Block) => boolean; use: (block: Block) => Promise<void> | void }[] = [
  { fits: ({ language, text }) => language === 'sh' && text.startsWith('curl'), use: runTranscript },
  { fits: ({ language, text }) => language === 'sh' && /^(npm|npx|docker) /.test(text), use: checkCommands },
  { fits: ({ text }) => text.includes('emulator/vitest'), use: runInVitest },
  { fits: ({ text }) => text.includes('emulator/playwright'), use: listInPlaywright },
  { fits: ({ language }) => language === 'ts', use: runAsModule },
  { fits: ({ language }) => language === 'yaml', use: activateScenario },
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
  it.each(blocks)('$nth: $text', { timeout: 120_000 }, async block => {
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
