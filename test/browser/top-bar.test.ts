// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { injectionChips, lastCreate } from '../../src/console/breaking/breakage.ts'
import { matching } from '../../src/console/palette/match.ts'
import { failuresOf } from '../../src/explore/plan/catalogue.ts'
import type { RequestView } from '../../src/kits/client/types.ts'
import { openBrowser, press } from '../support/console.ts'
import { creatorOf, tasksPath as tasks } from '../support/family-a.ts'
import { root } from '../support/fresh-build.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

const create = creatorOf(gateway)

/** The browser hides a dialog and gives the focus back before it tells the page, which then takes the dialog away. */
const dialogGone = (page: Page) => expect.poll(() => page.locator('dialog').count()).toBe(0)

/** Opens the palette, and writes words for which it then offers this. */
async function findInPalette(page: Page, words: string, offered: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a page' }).fill(words)
  await page.getByRole('option', { name: offered }).waitFor()
}

it('breaks the next create with two clicks, once, and shows it until then', async () => {
  const page = await view.open('tasks')
  await page.getByRole('button', { name: 'Break the next one' }).click()
  await page.getByRole('button', { name: 'too many requests, with Retry-After' }).click()
  const chips = page.getByRole('group', { name: 'Status of this world' })
  await chips.getByText('too many requests, with Retry-After (429 AccountRateLimitExceeded)').waitFor()
  expect((await gateway.control('GET', '/inject')).body.items).toHaveLength(1)
  // The pointer holds the message: it goes when it is no longer true.
  const message = page.locator('.notice', { hasText: 'The next a.create' })
  await message.hover()
  const refused = await create('refused once')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2'])
  expect((await create('taken')).status).toBe(200)
  await expect.poll(() => chips.getByText('next a.create').count()).toBe(0)
  await expect.poll(() => message.count()).toBe(0)

  // The keyboard alone: the key b, and a search by another word for the failure; then the chip is dismissed before the rule acts.
  await page.keyboard.press('b')
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('a.get')
  const found = page.getByRole('dialog').getByRole('listitem').getByRole('button').first()
  for (const word of ['hang', 'timeout']) {
    await page.getByRole('textbox', { name: 'Search failures' }).fill(word)
    await expect.poll(() => found.textContent()).toContain('the connection stays open without a reply')
  }
  await page.keyboard.press('ArrowDown')
  expect(await found.evaluate(button => button === document.activeElement)).toBe(true)
  await page.getByRole('textbox', { name: 'Search failures' }).press('Enter')
  await chips.getByText('next a.get: the connection stays open without a reply').waitFor()
  await chips.getByRole('button', { name: 'Dismiss: next a.get' }).click()
  await expect.poll(async () => (await gateway.control('GET', '/inject')).body.items).toEqual([])
})

it('breaks calls after others that go well, with the Retry-After that was asked for', async () => {
  const page = await view.open('tasks')
  await page.keyboard.press('b')
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('a.create')
  const skip = page.getByRole('spinbutton', { name: 'Calls that go well before' })
  const times = page.getByRole('spinbutton', { name: 'How many calls' })
  await page.getByRole('textbox', { name: 'Search failures' }).fill('429')
  // What cannot be is refused where it is typed, and breaks nothing.
  await skip.fill('-3')
  await page.getByText('a whole number from 0', { exact: true }).waitFor()
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click()
  expect(await skip.evaluate(field => field === document.activeElement)).toBe(true)
  await skip.fill('1')
  await times.fill('0')
  await page.getByText('a whole number from 1 to 20').waitFor()
  await times.press('Enter')
  expect((await gateway.control('GET', '/inject')).body.items).toEqual([])
  await times.fill('1')
  const retryAfter = page.getByRole('spinbutton', { name: 'Retry-After of refusals' })
  await retryAfter.fill('7')
  await retryAfter.press('Enter')
  const chips = page.getByRole('group', { name: 'Status of this world' })
  const words = 'a.create, 2 calls from now: too many requests, Retry-After 7s (429 AccountRateLimitExceeded)'
  await chips.getByText(words).waitFor()
  const replies = [await create('goes well'), await create('is refused'), await create('goes well again')]
  expect(replies.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
    [200, undefined],
    [429, '7'],
    [200, undefined],
  ])
})

it('shows active scenarios, a paused clock and findings as chips', async () => {
  await gateway.control('PUT', '/scenarios/active', { names: ['slow-queue'] })
  await create('x', { colour: 'red' })
  const page = await view.open('tasks')
  const chips = page.getByRole('group', { name: 'Status of this world' })
  await chips.getByRole('link', { name: 'Scenario slow-queue active' }).waitFor()
  await chips.getByRole('button', { name: 'clock paused' }).waitFor()
  await chips.getByRole('link', { name: /finding/ }).click()
  await page.getByText('sent fields that are ignored: colour').waitFor()
  await chips.getByRole('button', { name: 'clock paused' }).click()
  await page.getByRole('button', { name: 'Pause the clock' }).click()
  await gateway.control('PUT', '/scenarios/active', { names: [] })
})

it('finds and runs commands in the palette on Ctrl+K, and lists the keys on ?', async () => {
  const made = await create('A heron over the reeds')
  const page = await view.open('tasks')
  await page.getByText('A heron over the reeds').waitFor()
  const before = (await gateway.control('GET', '/clock')).body.now_ms
  await findInPalette(page, 'advance 10m', 'Advance by 10m')
  await page.keyboard.press('Enter')
  await page.getByText(/Advanced by 10m/).waitFor()
  expect((await gateway.control('GET', '/clock')).body.now_ms).toBe(before + 600_000)

  await findInPalette(page, 'heron', /A heron/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'A heron over the reeds' }).waitFor()
  expect(page.url()).toContain(made.body.id)
  expect(await page.title()).toContain('A heron over the reeds')

  await findInPalette(page, 'timeout', 'the connection stays open without a reply')
  await page.keyboard.press('Escape')
  await dialogGone(page)

  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Break the next one').waitFor()
  // Not every font has arrows.
  expect(await keys.innerText()).not.toMatch(/[←-↓]/)
  await page.keyboard.press('Escape')
  await dialogGone(page)

  // Escape gives the focus back to what opened the dialog.
  const opener = page.getByRole('button', { name: 'Break the next one' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Search failures' }).waitFor()
  await page.keyboard.press('Escape')
  await dialogGone(page)
  await expect.poll(() => opener.evaluate(element => element === document.activeElement)).toBe(true)

  // A dialog that the browser closes by itself, without asking, is closed for the page, too.
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Search failures' }).waitFor()
  await page.locator('dialog').evaluate((box: HTMLDialogElement) => box.close())
  await dialogGone(page)
  await expect.poll(() => opener.evaluate(element => element === document.activeElement)).toBe(true)

  // So does a palette that was opened over another dialog.
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Search failures' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a page' }).waitFor()
  await page.keyboard.press('Escape')
  await dialogGone(page)
  await expect.poll(() => opener.evaluate(element => element === document.activeElement)).toBe(true)
  for (const [key, name] of [
    ['2', 'Requests'],
    ['8', 'Reports'],
  ] as const) {
    await page.keyboard.press(key)
    const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]')
    await current.getByText(name).first().waitFor()
  }
})

it('switches a scenario on and off from the palette, and the others keep their order and counters', async () => {
  const second = { operation: 'b.create', call: 2 }
  for (const name of ['first', 'counting'])
    await gateway.control('POST', '/scenarios', {
      name,
      rules: [{ when: second, then: { refuse: { fault: name === 'first' ? 'unavailable' : 'internal' } } }],
    })
  const createB = () =>
    gateway.post('/api/v1/services/aigc/video-generation/video-synthesis', {
      model: 'model_b',
      input: { prompt: 'x' },
    })
  const active = async () => (await gateway.control('GET', '/scenarios')).body.active
  const page = await view.open('scenarios')
  await page.getByRole('switch', { name: 'first is active' }).waitFor()
  const choose = async (words: string) => {
    await findInPalette(page, words, words)
    await page.keyboard.press('Enter')
  }
  expect((await createB()).status).toBe(200)
  // Another client changes what is active after the page has read it.
  await gateway.control('PATCH', '/scenarios/active', { names: ['counting', 'first'] })
  await choose('Switch on: expiry')
  await page.getByText('expiry is active now').waitFor()
  expect(await active()).toEqual(['counting', 'first', 'expiry'])
  await expect.poll(() => page.getByRole('switch', { name: 'expiry is active' }).isChecked()).toBe(true)
  expect((await createB()).status).toBe(500)
  await choose('Switch off: first')
  await page.getByText('first is off now').waitFor()
  expect(await active()).toEqual(['counting', 'expiry'])
  await gateway.control('PUT', '/scenarios/active', { names: [] })
})

it('moves the clock with one click: by a duration, until idle, until the shown task is finished', async () => {
  const first = await create('The first')
  await create('The second [[run:20m]]')
  const page = await view.open(`tasks/${first.body.id}`)
  const now = async () => (await gateway.control('GET', '/clock')).body.now_ms
  const statusOf = async (id: string) => (await gateway.get(`${tasks}/${id}`)).body.status
  const before = await now()
  await press(page, '+10 s', /Advanced by 10s/)
  expect(await now()).toBe(before + 10_000)
  await press(page, 'Go to its end', 'The task is succeeded')
  expect(await statusOf(first.body.id)).toBe('succeeded')
  await press(page, 'Until idle', 'Every task has finished')
  expect(await now()).toBeGreaterThan(before + 1_200_000)
})

it('loads the sheet of all pages first: the own sheet of a page adds to it', () => {
  const folder = join(root, 'dist/console')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const [, sheet = ''] = /href="\.\/(static\/[^"]+\.css)"/.exec(page) ?? []
  expect(readFileSync(join(folder, sheet), 'utf8')).toContain(':root')
})

it('describes waiting rules with status and text of the catalogue, or with their effect when the catalogue lacks it', () => {
  const catalogue = failuresOf({ operation: 'a.create' }).map(one => ({
    ...one,
    ...(one.id === 'rate_limited' && { status: 429, code: 'AccountRateLimitExceeded' }),
  }))
  const texts = (...rules: { calls_left: number; then: Record<string, unknown> }[]) =>
    injectionChips(
      rules.map((rule, i) => ({ id: `inject-${i}`, operation: 'a.create', ...rule })),
      catalogue,
    ).map(({ text }) => text)
  const limited = { refuse: { fault: 'rate_limited', retry_after: '2s' } }
  expect(texts({ calls_left: 1, then: { refuse: { fault: 'moderated' } } })).toEqual([
    'next a.create: refused by content moderation',
  ])
  expect(texts({ calls_left: 1, then: limited }, { calls_left: 2, then: limited })).toEqual([
    'next 2 a.create: too many requests, with Retry-After (429 AccountRateLimitExceeded)',
  ])
  expect(texts({ calls_left: 3, then: { refuse: { fault: 'rate_limited', retry_after: '30s' } } })).toEqual([
    'a.create, 3 calls from now: too many requests, Retry-After 30s (429 AccountRateLimitExceeded)',
  ])
})

it('offers the failures of the latest create', () => {
  const entry = (operation: string) => ({ operation }) as RequestView
  expect(lastCreate([entry('b.get'), entry('k.avatar.create'), entry('a.create')])).toBe('k.avatar.create')
  expect(lastCreate([entry('c.regenerate')])).toBe('c.regenerate')
  expect(lastCreate([])).toBe('a.create')
})

it('puts entries that begin with the words first', () => {
  const named = (title: string) => ({ group: 'x', title, act: () => undefined })
  const list = ['The tasks of others', 'Tasks', 'Mistasks'].map(named)
  expect(matching(list, 'tasks', 9).map(({ title }) => title)).toEqual([
    'Tasks',
    'The tasks of others',
    'Mistasks',
  ])
  expect(matching(list, 'nothing', 9)).toEqual([])
  expect(matching(list, '', 2)).toHaveLength(2)
})
