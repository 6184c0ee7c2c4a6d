import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshBuild, root } from '../support/fresh-build.ts'
import { run } from '../support/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'playwright-explore-'))
beforeAll(async () => void (await freshBuild()))
afterAll(() => rmSync(folder, { recursive: true }))

/** Lists the tasks twice, and once more when that is refused; a reply that is not JSON ends it with a SyntaxError. */
const spec = `
import { exploreTests } from '${pathToFileURL(join(root, 'dist/playwright.js')).href}'
await exploreTests('lists its tasks', async ({ world }) => {
  const list = () => fetch(world.baseUrl + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + world.apiKey } })
  const first = await list()
  const reply = first.status === 503 ? await list() : first
  const { items } = await reply.json()
  await list()
  if (items.length > 0) throw new Error('a new world has no task')
}, { only: ['unavailable', 'internal', 'garbled_answer'] })
`

/** Playwright's own command. No test asks for a page, so no browser is started. */
it('exploreTests under Playwright\'s own command: each case is a test, a failed test prints its story, and cases that are not tried are skipped (explore, "In code")', async () => {
  writeFileSync(join(folder, 'explored.spec.mjs'), spec)
  // As for a package in node_modules, Playwright need not translate the program.
  const config = { workers: 1, reporter: 'list', build: { external: [join(root, 'dist/**')] } }
  writeFileSync(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(config)}`)
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const { code, stdout, stderr } = await run('node', [cli, 'test', '--config', folder], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
  })
  expect(code, stdout + stderr).toBe(1)
  expect(stdout).toMatch(/✓ .*lists its tasks › a\.list#1 unavailable/)
  expect(stdout).toMatch(/✓ .*lists its tasks › a\.list#1 garbled_answer/)
  expect(stdout).toMatch(/✘ .*lists its tasks › a\.list#1 internal/)
  expect(stdout).toMatch(/crashed: .*TypeError/)
  expect(stdout).toMatch(/- .*lists its tasks › later calls of a\.list: repeats a\.list#1/)
  expect(stdout).toMatch(/1 failed[\s\S]*1 skipped[\s\S]*2 passed/)
})
