import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const empty = await openGateway()
const desk = await openBrowser(gateway)
const phone = await openBrowser(gateway, { width: 390, height: 844 })
// The page's own policy lets in no script that is not the emulator's: axe comes through the debugger.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const panels = ['clock', 'worlds', 'accounts', 'ledger', 'assets', 'snapshots', 'findings', 'assumptions']
const pages = [
  'tasks',
  'requests',
  'requests/1',
  'requests/verify',
  'scenarios',
  'scenarios/chaos',
  'scenarios/new',
  'playground',
  'playground/c.create',
  'docs',
  'docs/a.create',
  'docs/control:POST%20%2Fclock%2Fadvance',
  'requests/1..2',
  'connect',
  'connect/ai-sdk',
  'reports',
  ...panels.map(panel => `world/${panel}`),
]
let open: readonly string[] = pages

beforeAll(async () => {
  const create = (text: string, more: object = {}) =>
    gateway.post('/api/v3/contents/generations/tasks', {
      model: 'model_a_20',
      content: [{ type: 'text', text }],
      ratio: '16:9',
      ...more,
    })
  await create('refused', { resolution: '9k' })
  const made = await create('A very long prompt '.repeat(20))
  await create('failing [[fail:InternalServiceError]]')
  await create('never ending [[never]]', { colour: 'red' })
  await gateway.post('/v2/video_generation', {
    model: 'model_c',
    content: [{ type: 'text', text: 'another family' }],
    resolution: '768P',
    duration: 5,
    ratio: '16:9',
  })
  await gateway.control('POST', '/snapshots', { name: 'ready' })
  await gateway.control('POST', '/assets', {
    kind: 'image',
    url: `${gateway.url}/__emulator/samples/square.png`,
  })
  await gateway.advance('3m')
  open = [...pages, `tasks/${made.body.id}`]
})

/** Goes there within the same load of the page, and waits until it has drawn what it reads. */
async function show(page: Page, name: string): Promise<void> {
  await page.evaluate(hash => location.assign(hash), `#/${name}`)
  await page.locator('main h1, main h2').first().waitFor({ state: 'attached' })
  const reading = page.getByRole('heading', { name: /^(Reading|Looking)/ })
  await expect.poll(() => reading.allTextContents(), { message: name }).toEqual([])
}

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
    )
}

for (const colours of ['light', 'dark'] as const) {
  it(`has no serious fault of accessibility in ${colours} colours (axe)`, async () => {
    const faults: string[] = []
    const page = await desk.open('tasks')
    await page.emulateMedia({ colorScheme: colours })
    await page.evaluate(axe)
    for (const name of open) {
      await show(page, name)
      faults.push(...(await faultsOf(page)).map(fault => `${name}: ${fault}`))
    }
    await page.close()
    expect(faults).toEqual([])
  })
}

it('fits a phone without scrolling sideways, and is accessible there too (axe)', async () => {
  const faults: string[] = []
  const page = await phone.open('tasks')
  await page.evaluate(axe)
  for (const name of open) {
    await show(page, name)
    const width = await page.evaluate(() =>
      Math.max(document.documentElement.scrollWidth, document.querySelector('main')?.scrollWidth ?? 0),
    )
    if (width > 390) faults.push(`${name}: ${width} px wide`)
    faults.push(...(await faultsOf(page)).map(fault => `${name}: ${fault}`))
  }
  await page.close()
  expect(faults).toEqual([])
})

it('tells the next step where nothing is yet', async () => {
  const page = await desk.context.newPage()
  const steps: Record<string, string> = {
    tasks: 'Make one in the playground',
    requests: 'Send one from the playground',
    'world/accounts': 'An account opens with its first request',
    'world/ledger': 'A create reserves its price',
    'world/assets': 'Add a file',
    'world/snapshots': 'Keep the world as it is now',
    'world/findings': 'Polling too fast',
  }
  for (const [name, step] of Object.entries(steps)) {
    await page.goto(`${empty.url}/__emulator/#/${name}`)
    await page.getByText(step).first().waitFor()
  }
  await page.close()
  // Another gateway than the one that the browser was opened for.
  desk.outside.splice(
    0,
    desk.outside.length,
    ...desk.outside.filter(address => !address.startsWith(empty.url)),
  )
})

it('remembers the colours that were chosen', async () => {
  const page = await desk.open('tasks')
  await page.getByRole('button', { name: 'Colours: as the system' }).click()
  await page.getByRole('button', { name: 'Colours: light' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(15, 17, 22)')
  await page.getByRole('button', { name: 'Colours: dark' }).click()
  await page.close()
})

it('sends a stranger’s page away: nothing may frame the console, and it may ask nobody else', async () => {
  const reply = await fetch(`${gateway.url}/__emulator/`)
  const policy = reply.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect((await fetch(`${gateway.url}/__emulator`, { redirect: 'manual' })).headers.get('location')).toBe(
    '/__emulator/',
  )
  const page = await reply.text()
  const script = /src="\.\/(static\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
  const asset = await fetch(`${gateway.url}/__emulator/${script}`)
  expect(asset.status).toBe(200)
  expect(asset.headers.get('cache-control')).toContain('immutable')
})

it('asks for nothing outside, on whatever page', () => {
  expect([...desk.outside, ...phone.outside]).toEqual([])
})

it('raises no fault in the pages', () => {
  expect([...desk.faults, ...phone.faults]).toEqual([])
})
