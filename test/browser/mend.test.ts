// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { assembleInMemory } from '../../src/emulator/server/emulator.ts'
import { openBrowser, press } from '../support/console.ts'
import { creatorOf, tasksPath as tasks } from '../support/family-a.ts'
import { fetchJson } from '../support/fetch-json.ts'
import { freePort } from '../support/free-port.ts'
import { openGateway, openingTime } from '../support/gateway.ts'
import { listening } from '../support/input-server.ts'
import { videoC } from '../support/journey.ts'
import { poolForTest } from '../support/shared-pool.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)
/** An emulator that can be stopped, and started again at the same address with an empty state. */
async function startedAt(port: number) {
  const now = Date.parse(openingTime)
  const emulator = assembleInMemory({ clock: { mode: 'realtime', rate: 1 }, now, pool: poolForTest() })
  emulator.services.library.ahead = () => undefined
  const { url, close } = await listening(emulator.dispatch, port)
  return { url, stop: () => close().then(emulator.close) }
}
const port = await freePort()
let restartable = await startedAt(port)
afterAll(() => restartable.stop())

const create = creatorOf(gateway)

it('sends broken JSON as it is on the screen, and keeps it when the page is left or reloaded', async () => {
  const page = await view.open('playground/a.create')
  await page.getByRole('tab', { name: 'JSON' }).click()
  const text = page.getByRole('textbox', { name: 'Request body' })
  const broken = '{"model": "model_a_20", "content": [}'
  await text.fill(broken)
  await page.getByText('Not valid JSON, and sent as it is').waitFor()
  await press(page, 'curl', 'Copied as curl')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(broken)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('region', { name: 'Reply', exact: true }).getByText('400', { exact: true }).waitFor()
  const { body } = await gateway.control('GET', '/requests?limit=1')
  expect(body.items[0].request.body).toBe(broken)

  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.goBack()
  expect(await text.inputValue()).toBe(broken)
  await page.reload()
  expect(await text.inputValue()).toBe(broken)
  await page.getByRole('tab', { name: 'Form' }).click()
  await page.getByText('so there is no form for it').waitFor()
  await page.getByRole('button', { name: 'text', exact: true }).click()
  await page.getByRole('textbox', { name: 'text', exact: true }).waitFor()
})

it('says when the emulator stops, stops the shown clock, and says what has changed after a restart', async () => {
  const before = { model: 'model_a_20', content: [{ type: 'text', text: 'Here before' }] }
  expect((await fetchJson(restartable.url + tasks, 'POST', before, 'sk-emulator')).status).toBe(200)
  const page = await view.context.newPage()
  await page.goto(`${restartable.url}/__emulator/`)
  await page.getByRole('link', { name: /Here before/ }).click()
  await page.getByRole('tab', { name: 'Story' }).waitFor()
  await page.goBack()
  await page.getByText('Here before').waitFor()
  await restartable.stop()
  const banner = page.getByRole('alert')
  await banner.getByText('The emulator does not answer.').waitFor()
  const shown = page.locator('.clock-time time')
  const stopped = await shown.textContent()
  await page.getByRole('button', { name: 'Next change' }).click()
  await page.getByRole('status').getByText('Is it still running?').waitFor()
  expect(await page.getByText('Nothing is going to change').count()).toBe(0)
  expect(await shown.textContent()).toBe(stopped)
  // Content that cannot be read is not reported as missing.
  await page.evaluate(() => location.assign('#/tasks/another'))
  await page.getByRole('heading', { name: 'The task cannot be read now' }).waitFor()
  await page.goBack()

  restartable = await startedAt(port)
  await banner.getByText(/The emulator was started again: 1 task and 1 request .* are gone/).waitFor()
  await page.getByText('No tasks yet').waitFor()
  await banner.getByRole('button', { name: 'Close' }).click()
  expect(await banner.count()).toBe(0)

  // A page whose script could not be loaded is shown when the emulator is back.
  await restartable.stop()
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('link', { name: 'Reports', exact: true }).click()
  await page.getByText('The page is loaded again as soon as it does.').waitFor()
  restartable = await startedAt(port)
  await page.getByRole('heading', { name: 'Reports', exact: true }).waitFor()
  await page.close()
  view.forget(restartable.url)
})

it('calls no request gone that is older than those it reads again after a break', async () => {
  const key = 'sk-test-long'
  const page = await view.open('requests', { world: 'long' })
  await press(page, 'Open it', 'No requests yet')
  for (let i = 0; i < 520; i++) await gateway.get(`${tasks}/none`, key)
  await page.getByText('×520').waitFor()
  const readAgain = page.waitForResponse(/\/requests\?limit=500$/)
  gateway.server.closeAllConnections()
  await (await readAgain).finished()
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor()
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(await page.getByRole('alert').count()).toBe(0)
})

it('deletes and resets in one click, and undoes it', async () => {
  await create('Gone and back')
  await gateway.control('POST', '/snapshots', { name: 'ready' })
  await gateway.control('POST', '/scenarios', {
    name: 'mine',
    rules: [{ when: { operation: 'b.create' }, then: { refuse: { fault: 'internal' } } }],
  })
  const page = await view.open('requests')
  const undo = page.getByRole('button', { name: 'Undo' })
  const back = page.getByText('Undone', { exact: true })
  await press(page, 'Clear', 'No requests yet')
  await undo.click()
  await back.waitFor()
  await page.getByRole('listitem').first().waitFor()

  const steps = [
    ['world/worlds', 'Reset the world default', '/tasks'],
    ['world/snapshots', 'Delete', '/snapshots'],
    ['scenarios/mine', 'Delete', '/scenarios'],
  ] as const
  for (const [address, name, path] of steps) {
    await page.evaluate(hash => location.assign(hash), `#/${address}`)
    if (address === 'world/worlds') await opensTheDialogForWorlds(page)
    const before = (await gateway.control('GET', path)).body
    await page.getByRole('button', { name }).click()
    await undo.waitFor()
    expect((await gateway.control('GET', path)).body, name).not.toEqual(before)
    // The button that was pressed is gone with its row, and the notice is far away for the keyboard: a key does the same.
    if (address === 'world/snapshots') await page.keyboard.press('u')
    else await undo.click()
    await expect
      .poll(async () => (await gateway.control('GET', path)).body, { message: name })
      .toEqual(before)
  }
  await gateway.control('DELETE', '/scenarios/mine')
})

it('names what clients did since a reset before its undo discards it', async () => {
  const key = 'sk-test-reset'
  const make = (text: string) => create(text, {}, key)
  await make('before')
  const page = await view.open('requests', { world: 'reset' })
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('The journal was cleared').hover()
  await page.evaluate(hash => location.assign(hash), '#/world/worlds')
  const ids = async () => (await gateway.control('GET', '/worlds/reset/tasks')).body.items.length
  await press(page, 'Reset the world reset', 'The world reset was reset')
  // The journal that was cleared is that of the world before.
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
  await make('since')
  await make('since')
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await expect.poll(() => page.locator('.task-row').count()).toBe(2)
  await press(page, 'Undo', 'Undo also discards what came since: 2 requests and 2 tasks')
  expect(await ids()).toBe(2)
  await page.getByRole('button', { name: 'Undo all the same' }).click()
  await expect.poll(ids).toBe(1)
})

/** A world is named in one place, which says what its key will be. */
async function opensTheDialogForWorlds(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Open a new world' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('a-name')
  await page.getByText('sk-test-a-name').waitFor()
  await page.keyboard.press('Escape')
}

it('offers the states to which a task can be forced, counts down, and shows an enhanced prompt as the result', async () => {
  const { body: enhance } = await gateway.post('/v2/h3_context_ir', videoC('A cat on a roof'))
  const { body: made } = await create('To be counted down')
  const page = await view.open(`tasks/${made.id}`)
  const outcomes = page.getByRole('combobox', { name: 'Outcome' }).locator('option')
  await expect
    .poll(() => outcomes.allTextContents())
    .toEqual(['running', 'succeeded', 'failed', 'cancelled', 'expired'])
  await gateway.advance({ until: { task: made.id, status: 'running' } })
  await expect.poll(() => outcomes.allTextContents()).toEqual(['succeeded', 'failed', 'expired'])
  const next = page.locator('.task-next')
  await next.getByText('succeeded in').waitFor()
  await gateway.control('PATCH', '/clock', { mode: 'realtime', rate: 1 })
  const first = await next.textContent()
  await expect.poll(() => next.textContent()).not.toBe(first)
  await gateway.control('PATCH', '/clock', { mode: 'manual' })

  await gateway.advance({ until: { task: enhance.task_id, status: 'succeeded' } })
  const { body: polled } = await gateway.get(`/v2/query/video_generation/${enhance.task_id}`)
  await page.evaluate(hash => location.assign(hash), `#/tasks/${enhance.task_id}`)
  await page.getByRole('region', { name: 'Result' }).getByText(polled.task.content.prompt).waitFor()
  expect(await page.getByText('Expire its links').count()).toBe(0)
  await expect.poll(() => next.textContent()).not.toContain('link')

  // It has no picture, and none is asked for in the list.
  await gateway.advance({ until: { task: made.id, status: 'succeeded' } })
  const posters: string[] = []
  page.on('request', request => posters.push(...(/([^/]+)\/poster$/.exec(request.url())?.slice(1) ?? [])))
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  const shownIn = (id: string) => page.locator(`[data-task="${id}"] .poster`)
  await expect.poll(() => shownIn(made.id).getAttribute('src')).toContain('/poster')
  await shownIn(enhance.task_id).and(page.locator('.none')).waitFor()
  expect(posters).toContain(made.id)
  expect(posters).not.toContain(enhance.task_id)
})

it('shows and changes the order of scenarios, names the rule that is tried first, and counts again from zero with new rules', async () => {
  const refuse = (fault: string) => [{ when: { operation: 'a.create' }, then: { refuse: { fault } } }]
  for (const name of ['first', 'second'])
    await gateway.control('POST', '/scenarios', { name, rules: refuse('internal') })
  await create('refused')
  const page = await view.open('scenarios/first')
  await page.getByRole('link', { name: 'acted 1×' }).waitFor()
  await page.getByRole('button', { name: 'Try second earlier' }).click()
  await page.getByText('second/1 comes first and matches all of these requests: refuse never acts.').waitFor()
  expect((await gateway.control('GET', '/scenarios')).body.active).toEqual(['second', 'first'])
  await page.getByRole('link', { name: 'acted 1×' }).waitFor()
  await gateway.control('POST', '/scenarios', { name: 'first', rules: refuse('unavailable') })
  await page.reload()
  await page.getByText('has not acted').waitFor()
  await gateway.control('PUT', '/scenarios/active', { names: [] })
})

it('edits a posted scenario in place with its text, and keeps a draft when the page is left or reloaded', async () => {
  const page = await view.open('scenarios/new')
  const text = page.getByRole('textbox', { name: 'Scenario, YAML or JSON' })
  const written =
    '# Why: the shop retries once\nname: shop\nrules:\n  - then: { refuse: { fault: internal } }\n'
  await text.fill(written)
  await page.getByText('shop is valid').waitFor()
  await page.reload()
  expect(await text.inputValue()).toBe(written)
  await page.getByRole('button', { name: 'Save and activate' }).click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect.poll(() => text.inputValue()).toBe(written)
  await text.fill(written.replace('internal', 'unavailable'))
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.goBack()
  expect(await text.inputValue()).toContain('unavailable')
  await page.getByRole('switch', { name: 'shop is active' }).click()
  await page.getByText('shop is off now').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('shop is saved', { exact: true }).waitFor()
  const { body } = await gateway.control('GET', '/scenarios/shop')
  expect([body.text, body.document.rules[0].then.refuse.fault]).toEqual([
    written.replace('internal', 'unavailable'),
    'unavailable',
  ])
  expect((await gateway.control('GET', '/scenarios')).body.active).toEqual([])

  // A scenario that another client has stored in the meantime can be opened too.
  await gateway.control('POST', '/scenarios', {
    name: 'theirs',
    rules: [{ then: { refuse: { fault: 'internal' } } }],
  })
  await page.evaluate(() => location.assign('#/scenarios/edit:theirs'))
  await page.getByRole('heading', { name: 'Edit theirs' }).waitFor()
  await gateway.control('DELETE', '/scenarios/theirs')
})

it.each([
  ['nowhere', 'There is no page “nowhere”'],
  ['world/nothing', 'There is no panel “nothing” of a world'],
  ['scenarios/nothing', 'There is no scenario “nothing”'],
  ['playground/a.creat', 'There is no create operation “a.creat”'],
  ['tasks/%E0%A4', 'This task is not in this world'],
])('the address %s gets a page that names the missing thing', async (address, words) => {
  const page = await view.open(address)
  await page.getByText(words).waitFor()
})

it('says that a world with an invalid name does not exist', async () => {
  const page = await view.open('tasks', { world: 'no%20such%2Fname' })
  await page.getByText('There is no world “no such/name”').waitFor()
})

it('restores refused values, explains names in words, and does not show a refusal as a success', async () => {
  await gateway.control('PATCH', '/accounts/shop', { requests_per_minute: 5 })
  const page = await view.open('world/accounts')
  const limit = page.getByLabel('Requests a minute of shop')
  await limit.fill('-1')
  await limit.blur()
  await expect.poll(() => limit.inputValue()).toBe('5')
  await page.evaluate(hash => location.assign(hash), '#/world/snapshots')
  await page.getByLabel('Name of the snapshot').fill('before lunch')
  await page.getByText('A name has letters, digits, dots, - and _').waitFor()
  expect(await page.getByRole('button', { name: 'Save a snapshot' }).isDisabled()).toBe(true)
  await gateway.post(tasks, { model: 'model_a_20' })
  const { body } = await gateway.control('GET', '/requests?limit=1')
  await page.evaluate(hash => location.assign(hash), `#/requests/${body.items[0].id}`)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.locator('.notice.tone-failed').getByText('Sent again: 400').waitFor()
})

it('searches complete prompts, and keeps place and focus when going back', async () => {
  for (let i = 0; i < 40; i++) await create(`Task ${i}`)
  await create(`${'words and words '.repeat(30)} zeppelin`)
  const page = await view.open('tasks')
  await page.getByRole('searchbox').fill('zeppelin')
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  await page.getByRole('searchbox').fill('')
  await expect.poll(() => page.getByRole('listitem').count()).toBeGreaterThan(10)
  const list = page.locator('.virtual')
  await list.evaluate(element => {
    element.scrollTop = 600
  })
  const row = page.getByRole('listitem').filter({ hasText: 'Task 22' }).getByRole('link')
  await row.click()
  await page.getByRole('tab', { name: 'Story' }).waitFor()
  await page.goBack()
  await row.waitFor()
  expect(await list.evaluate(element => element.scrollTop)).toBe(600)
  await expect.poll(() => row.evaluate(element => element === document.activeElement)).toBe(true)
})

it('the pages request nothing from other hosts', () => {
  expect(view.outside).toEqual([])
})
