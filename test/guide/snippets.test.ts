import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readOptions } from '../../src/emulator/options/config.ts'
import { checkScenario } from '../../src/emulator/scenarios/load.ts'
import { readAcceptFile } from '../../src/explore/report/accept-file.ts'
import { readSystemFile } from '../../src/explore/system/read-system.ts'
import { runCommand } from '../support/emulator-process.ts'
import { freePort } from '../support/free-port.ts'
import { root } from '../support/fresh-build.ts'
import { type Block, blocksOf, fileNameOf, guideFiles } from '../support/guide-files.ts'
import { run } from '../support/run.ts'
import { checkCommands, openSnippets, runTranscript, type Snippets } from '../support/snippets.ts'
import { readmeBlocks } from '../support/stranger.ts'

const blocks = guideFiles.flatMap(blocksOf).filter(block => fileNameOf(block) === undefined)
const strangersBlocks = ['See it', 'Find what a client does badly', 'In your project'].flatMap(readmeBlocks)
const [installing] = readmeBlocks('In your project')
let snippets: Snippets

beforeAll(async () => {
  snippets = await openSnippets()
})
afterAll(() => snippets.close())

interface Use {
  /** How such a block is checked. */
  name: string
  fits(block: Block): boolean
  use(block: Block): Promise<void> | void
}

/** How a block is checked: by the first entry that matches. A block that matches none must not be in the guide. */
// biome-ignore format: a table, one row a line
const uses: readonly Use[] = [
  {
    name: 'run in their order, as a stranger pastes them: test/package.test.ts',
    fits: ({ path, text }) => path === 'README.md' || text === installing,
    use: ({ path, text }) => {
      if (path === 'README.md') expect(strangersBlocks).toContain(text)
    },
  },
  {
    name: 'run by a test of their own: test/explore/docs.test.ts and test/recordings/docs.test.ts',
    fits: ({ path, language }) => language === 'sh' && /\/(explore|recordings)\.md$/.test(path),
    use: ({ text }) => expect(text).toMatch(/^npx --no-install gateway-emulator /m),
  },
  {
    name: 'all that test/guide/systems.test.ts runs, and its drawing',
    fits: ({ path }) => path === 'docs/systems.md',
    use: ({ language }) => expect(['', 'sh', 'diff', 'js', 'python']).toContain(language),
  },
  { name: 'transcripts', fits: ({ text }) => text.startsWith('curl'), use: block => runTranscript(block, snippets) },
  { name: 'scripts of a job', fits: ({ language, text }) => language === 'sh' && text.startsWith('node_modules/.bin/'), use: runScript },
  { name: 'commands', fits: ({ language }) => language === 'sh', use: block => checkCommands(block, snippets) },
  { name: 'modules', fits: ({ language }) => language === 'js', use: runAsModule },
  { name: 'scenarios', fits: ({ text }) => /^name: .*\nrules:/.test(text), use: activateScenario },
  {
    name: 'known problems of explore',
    fits: ({ language, text }) => language === 'yaml' && /^ *reason: |, reason: /m.test(text),
    use: checkKnownProblems,
  },
  { name: 'systems', fits: ({ text }) => text.startsWith('services:\n'), use: readSystem },
  { name: 'config files', fits: ({ language }) => language === 'yaml', use: readConfig },
  {
    name: 'the folders, which test/guide/built.test.ts looks at',
    fits: ({ text }) => text.startsWith('src/\n'),
    use: ({ path }) => expect(path).toContain('how-it-is-built.md'),
  },
  {
    name: 'the drawings, whose files test/guide/built.test.ts looks for',
    fits: ({ path, language, text }) =>
      path.endsWith('how-it-is-built.md') && language === '' && / {3}\|\n/.test(text),
    use: ({ path }) => expect(path).toContain('how-it-is-built.md'),
  },
  {
    name: 'the usage',
    fits: ({ text }) => text === 'gateway-emulator [serve] [options]\n',
    use: async ({ text }) => expect((await runCommand(['--help'])).stdout.startsWith(text.trim())).toBe(true),
  },
]

describe('every snippet of the README and the guide works', () => {
  it.each(blocks.map(block => [block.path, block.nth, block.text.split('\n')[0], block] as const))(
    '%s, %d: %s',
    async (_path, _nth, _line, block) => {
      const found = uses.find(({ fits }) => fits(block))
      expect(found, `nothing is known of this block:\n${block.text}`).toBeDefined()
      await found?.use(block)
    },
  )

  it.each(uses)('and there are some of: $name', ({ fits }) => {
    expect(blocks.filter(fits).length).toBeGreaterThan(0)
  })
})

/** A job's script, at a free port: its exit code is that of its tests, and it leaves no emulator running. */
async function runScript({ text }: Block): Promise<void> {
  const bin = join(snippets.folder, 'node_modules/.bin')
  mkdirSync(bin)
  symlinkSync(join(root, 'dist/main.js'), join(bin, 'gateway-emulator'))
  const port = String(await freePort())
  for (const code of [0, 3]) {
    const tests = `curl -fs http://127.0.0.1:${port}/__emulator/health && exit ${code}`
    writeFileSync(
      join(snippets.folder, 'package.json'),
      JSON.stringify({ type: 'module', scripts: { test: tests } }),
    )
    const env = { PATH: process.env.PATH, GATEWAY_EMULATOR_PORT: port }
    const ended = await run('sh', ['-c', text], { cwd: snippets.folder, env })
    expect(ended.code, ended.stdout + ended.stderr).toBe(code)
    expect(ended.stdout).toContain('"status":"ok"')
    await expect.poll(() => fetch(`http://127.0.0.1:${port}`).catch(() => 'gone')).toBe('gone')
  }
}

/** A program that ends by itself. It finds the other files of its page beside it. */
async function runAsModule({ text }: Block): Promise<void> {
  const file = join(snippets.folder, 'snippet.mjs')
  writeFileSync(file, `${text}\nconsole.log('came to its end')`)
  const { stdout, stderr } = await run('node', [file])
  expect(stdout, stderr).toContain('came to its end')
}

async function activateScenario({ text }: Block): Promise<void> {
  const file = join(snippets.folder, 'third-time-lucky.yaml')
  writeFileSync(file, text)
  const checked = await run('node', [join(root, 'dist/main.js'), 'scenarios', 'check', '--dry-run', file])
  expect(checked.code, checked.stderr).toBe(0)
  const world = await snippets.emulator.openWorld()
  const document = checkScenario(parse(text))
  expect(await world.scenarios.use(document)).toEqual([document.name])
}

function readConfig({ text }: Block): void {
  const file = join(snippets.folder, 'config.yaml')
  writeFileSync(file, text)
  const keys = Object.keys(parse(text)).filter(key => key !== 'prices')
  const { options } = readOptions(['--config', file], {}, {})
  expect(keys.length).toBeGreaterThan(0)
  expect(options).toMatchObject({ seed: parse(text).seed, models: parse(text).models })
}

function readSystem({ text }: Block): void {
  const file = join(snippets.folder, 'system.yaml')
  writeFileSync(file, text)
  const { services } = readSystemFile(file)
  expect(services.map(({ name }) => name)).toEqual(Object.keys(parse(text).services))
}

function checkKnownProblems({ text }: Block): void {
  const file = join(snippets.folder, 'known.yaml')
  writeFileSync(file, text)
  expect(readAcceptFile(file)).toHaveLength(parse(text).length)
}
