import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchOptions } from '../support/browser-launch.ts'
import { root } from '../support/fresh-build.ts'
import { withoutRedis } from '../support/redis.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })
const { folder, written: file } = writtenFiles('browser-driver-')
const { env = {}, ...launch } = await launchOptions()
const { FONTCONFIG_FILE, LD_LIBRARY_PATH } = env

/** Its page asks every five seconds, and gives up after four minutes. */
file(
  'web.mjs',
  `import { createServer } from 'node:http'
const { PORT, TASKS, KEY } = process.env
const headers = { Authorization: 'Bearer ' + KEY, 'Content-Type': 'application/json' }
const body = JSON.stringify({ model: 'model_a_25', content: [{ type: 'text', text: 'a kite' }], duration: 4 })
const page = \`<!doctype html><p role="status">waits</p><script type="module">
  const { id } = await (await fetch('/make')).json()
  const until = Date.now() + 240_000
  const look = async () => {
    const { status } = await (await fetch('/' + id)).json()
    const text = status === 'succeeded' ? 'ready' : Date.now() > until ? 'gave up' : 'waits'
    document.querySelector('p').textContent = text
    if (text === 'waits') setTimeout(look, 5000)
  }
  await look()
</script>\`
createServer(async ({ url }, response) => {
  if (url === '/') return response.setHeader('Content-Type', 'text/html').end(page)
  if (url === '/favicon.ico') return response.writeHead(404).end()
  const made = url === '/make' ? fetch(TASKS, { method: 'POST', headers, body }) : fetch(TASKS + url, { headers })
  response.end(await (await made).text())
}).listen(Number(PORT), '127.0.0.1')
`,
)
file(
  'drive.spec.mjs',
  `import { expect, test } from ${JSON.stringify(join(root, 'dist/playwright.js'))}
test('a user sees a video', async ({ page, world }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).not.toHaveText('waits', { timeout: 20 * 60_000 })
  await expect(page.getByRole('status')).toHaveText('ready')
  await world.requests.mustHave({ match: { operation: 'a.create' }, count: { exactly: 1 } })
})
`,
)
/** The configuration of a project whose test is this one. */
const configOf = (spec: string) => `export default {
  testMatch: '${spec}', reporter: 'line', timeout: 30 * 60_000, outputDir: process.env.GATEWAY_EMULATOR_STATE + '/results',
  build: { external: [${JSON.stringify(join(root, 'dist/**'))}] },
  use: {
    baseURL: process.env.WEB_URL,
    launchOptions: { ...${JSON.stringify(launch)}, env: { ...process.env, ...${JSON.stringify({ FONTCONFIG_FILE, LD_LIBRARY_PATH })} } },
  },
}
`
file('playwright.config.mjs', configOf('drive.spec.mjs'))
file(
  'system.yaml',
  `services:
  web:
    command: node web.mjs
    environment: { PORT: "{port.web}", TASKS: "{url}/api/v3/contents/generations/tasks", KEY: "{key}" }
    ready: tcp
driver:
  command: node ${join(root, 'node_modules/@playwright/test/cli.js')} test
  environment: { WEB_URL: "http://127.0.0.1:{port.web}" }
`,
)

it('a driver may be a test of the kit for Playwright: its page is in the time of the run, and its world that of the case', async () => {
  const report = await emulator.explore(
    { system: join(folder, 'system.yaml') },
    { only: ['a.create task_slow'] },
  )
  expect(report.time.used).toBe('virtual')
  const [slow] = report.cases
  expect(slow).toMatchObject({ end: 'told', evidence: expect.stringContaining('Received: "gave up"') })
}, 300_000)

for (const { language, command, only, missing } of [
  { language: 'python', command: 'python3 ../drive.py', only: 'k.create#1 task_failed', missing: '' },
  { language: 'node', command: 'node ../drive.mjs', only: 'a.create#1 task_failed', missing: withoutRedis },
])
  it(`the driver of the example system in ${language} that uses its page is served, or says what the page told (docs/systems.md)${missing}`, async () => {
    if (missing) return
    const examples = join(folder, `systems-${language}`)
    cpSync(join(root, 'docs/examples/systems'), examples, { recursive: true })
    writeFileSync(join(examples, 'playwright.config.mjs'), configOf('browser.spec.mjs'))
    // As a project that has installed all of it.
    mkdirSync(join(examples, 'node_modules'))
    symlinkSync(root, join(examples, 'node_modules/generation-gateway-emulator'))
    for (const name of ['@playwright', 'express', 'ioredis'])
      symlinkSync(join(root, 'node_modules', name), join(examples, 'node_modules', name))
    const path = join(examples, language, 'sturdy/system.yaml')
    const cli = join(root, 'node_modules/@playwright/test/cli.js')
    const driver = `node ${cli} test --config ../../playwright.config.mjs`
    writeFileSync(path, readFileSync(path, 'utf8').replace(command, driver))
    // Its undisturbed run must serve both users, else there is no report.
    const report = await emulator.explore({ system: path }, { only: [only] })
    expect(report.time.used).toBe('virtual')
    expect(report.cases).toMatchObject([
      { id: 'task_failed', verdict: 'told', log: expect.stringContaining('No video') },
    ])
  }, 300_000)
