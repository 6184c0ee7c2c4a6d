import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { readOptions } from '../../src/emulator/options/config.ts'
import { colourRules, loadAxe, type Violation, violationsOf } from '../support/axe.ts'
import { openBrowser } from '../support/console.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { blocksOf, fileNameOf, guideFiles } from '../support/guide-files.ts'

const gateway = await openGateway()
const quick = await openGateway({ clock: { mode: 'auto', rate: 1 } })
const desk = await openBrowser(gateway)
const phone = await openBrowser(gateway, { width: 390, height: 844 })

describe('the guide in a browser', () => {
  const found: Record<'light' | 'dark', Violation[]> = { light: [], dark: [] }

  beforeAll(async () => {
    const page = await desk.context.newPage()
    for (const name of ['', '/script-a-failure', '/integration-tests', '/figures']) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${gateway.url}/__emulator/guide${name}`)
      await loadAxe(page)
      found.light.push(...(await violationsOf(page, { part: 'html' })))
      await page.emulateMedia({ colorScheme: 'dark' })
      found.dark.push(...(await violationsOf(page, { part: 'html', rules: colourRules })))
    }
  })

  it.each(['light', 'dark'] as const)(
    'has no fault of accessibility that axe finds, in %s colours',
    colorScheme => {
      expect(found[colorScheme]).toEqual([])
      expect(desk.outside).toEqual([])
    },
  )

  it('opens from the menu of the console in the colours chosen there', async () => {
    const page = await desk.open('tasks')
    await page.evaluate(() => localStorage.setItem('emulator-theme', 'dark'))
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Guide' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/__emulator/guide')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.evaluate(() => localStorage.removeItem('emulator-theme'))
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  })

  it('fits a phone: no page is wider than it', async () => {
    const page = await phone.context.newPage()
    for (const name of ['worlds-and-clock', 'command-line', 'integration-tests']) {
      await page.goto(`${gateway.url}/__emulator/guide/${name}`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, name).toBeLessThanOrEqual(390)
    }
  })
})

describe('the web page in the guide, saved and opened as the guide says', async () => {
  const blocks = guideFiles.filter(({ path }) => path.endsWith('front-end.md')).flatMap(blocksOf)
  const [, command = ''] = /gateway-emulator (.*)/.exec(blocks[0]?.text ?? '') ?? []
  const { options } = readOptions(command.split(' '), {}, {})
  const started = await openGateway({ cors: options.cors, clock: options.clock })
  const html = blocks.find(block => fileNameOf(block) === 'page.html')?.text ?? ''
  const file = join(ownFolder('front-end'), 'page.html')
  writeFileSync(file, html.replaceAll('http://127.0.0.1:8585', started.url))

  const made = async (prompt: string) => {
    const page = await desk.context.newPage()
    await page.goto(pathToFileURL(file).href)
    if (prompt !== '') await page.locator('input').fill(prompt)
    await page.getByRole('button').click()
    return page
  }
  const says = (page: Page) => expect.poll(() => page.locator('output').innerText(), { timeout: 30_000 })

  it('shows a video after a click', async () => {
    const page = await made('')
    await page.locator('video').waitFor({ state: 'visible' })
    expect(await page.locator('output').innerText()).toBe('succeeded')
    expect(await page.locator('video').getAttribute('src')).toMatch(/^http:/)
  })

  it.each([
    ['[[fail:InternalServiceError]] a cat', /internal/i],
    ['[[refuse:moderated]] a cat', /sensitive|policy/i],
    ['[[link:expired]] a cat', 'the video cannot be loaded'],
  ])('shows what %s does', async (prompt, said) => {
    await says(await made(prompt)).toMatch(said)
  })

  it('shows a task that expired when the wait is skipped', async () => {
    const page = await made('[[expire]] a cat')
    await says(page).toBe('running')
    await started.advance({ until: 'idle' })
    await says(page).toBe('expired')
  })
})

it.each([
  ['manual', gateway, true],
  ['auto', quick, false],
])(
  'the demo shows a video under a clock that is %s, on the port of the emulator',
  async (mode, { url }, isStill) => {
    const page = await desk.context.newPage()
    await page.goto(`${url}/__emulator/demo?key=sk-test-demo`)
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText(`World demo, clock ${mode}`).waitFor()
    if (isStill) {
      await expect.poll(() => page.getByRole('status').innerText()).toBe('queued')
      await page.getByRole('button', { name: 'Skip the wait' }).click()
    }
    await page.locator('video').waitFor({ state: 'visible' })
    expect(await page.getByRole('status').innerText()).toBe('succeeded')
  },
)
