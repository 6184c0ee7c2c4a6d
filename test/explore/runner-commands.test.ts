import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { root } from '../support/fresh-build.ts'
import { run } from '../support/run.ts'
import { writtenFiles } from '../support/written-files.ts'

const { folder, written } = writtenFiles('runner-commands')

/**
 * Lists the tasks twice, and once more at once when that is refused with 429 or 503, whatever Retry-After says; a reply that is not
 * JSON ends it with a SyntaxError.
 */
const explored = (kit: string) => `
import { exploreTests } from '${pathToFileURL(join(root, `dist/${kit}.js`)).href}'
await exploreTests('lists its tasks', async ({ world }) => {
  const list = () => fetch(world.baseUrl + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + world.apiKey } })
  const first = await list()
  const reply = [429, 503].includes(first.status) ? await list() : first
  const { items } = await reply.json()
  await list()
  if (items.length > 0) throw new Error('a new world has no task')
}, { only: ['rate_limited', 'unavailable', 'internal', 'garbled_answer'] })
`
const finding = /a\.list#1 rate_limited: rude: ended with 0, .*; a\.list came again after \d+ms, although/

/** A command of the repository's own packages, in the folder of the test. */
const started = (program: string, ...args: string[]) =>
  run('node', [join(root, 'node_modules', program), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
  })

/** No test asks for a page, so no browser is started. */
it('exploreTests under the command of Playwright: each case is a test, a failed test prints its story, a rude one its finding, and cases that are not tried are skipped (docs/explore.md)', async () => {
  written('explored.spec.mjs', explored('playwright'))
  // As for a package in node_modules, Playwright need not translate the program.
  const config = { workers: 1, reporter: 'list', build: { external: [join(root, 'dist/**')] } }
  written('playwright.config.mjs', `export default ${JSON.stringify(config)}`)
  const { code, stdout, stderr } = await started('@playwright/test/cli.js', 'test', '--config', folder)
  expect(code, stdout + stderr).toBe(1)
  expect(stdout).toMatch(/✓ .*lists its tasks › a\.list#1 unavailable/)
  expect(stdout).toMatch(/✓ .*lists its tasks › a\.list#1 garbled_answer/)
  expect(stdout).toMatch(/✓ .*lists its tasks › a\.list#1 rate_limited/)
  expect(stderr).toMatch(finding)
  expect(stdout).toMatch(/✘ .*lists its tasks › a\.list#1 internal/)
  expect(stdout).toMatch(/crashed: .*TypeError/)
  expect(stdout).toMatch(/- .*lists its tasks › later calls of a\.list: repeats a\.list#1/)
  expect(stdout).toMatch(/1 failed[\s\S]*1 skipped[\s\S]*3 passed/)
})

it('a pattern that matches no case is shown at the line of the test file, not in the program', async () => {
  const text = explored('playwright').replace("'rate_limited'", "'a.list rate_limitd'")
  written('wrong.spec.mjs', text)
  const options = ['test', 'wrong.spec', '--config', folder]
  const { stdout, stderr } = await started('@playwright/test/cli.js', ...options)
  expect(stdout + stderr).toMatch(/matches no case of this program[\s\S]*\n> 3 \| await exploreTests/)
})

it('exploreTests under the command of vitest: the same, and the finding names its test', async () => {
  written('explored.test.mjs', explored('vitest'))
  const { code, stdout, stderr } = await started('vitest/vitest.mjs', 'run', '--root', folder)
  expect(code, stdout + stderr).toBe(1)
  expect(stderr).toMatch(
    /^stderr \| explored\.test\.mjs > lists its tasks > a\.list#1 rate_limited: .*\n.*$/m,
  )
  expect(stderr).toMatch(finding)
  expect(stderr).toMatch(/FAIL .*lists its tasks > a\.list#1 internal/)
  expect(stderr).toMatch(/crashed: .*TypeError/)
  expect(stdout).toMatch(/Tests +1 failed \| 3 passed \| 1 skipped/)
})
