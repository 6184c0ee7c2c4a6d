import { expect, it } from 'vitest'
import { openBrowser, press } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

const tasks = '/api/v3/contents/generations/tasks'
const body = { model: 'model_a_20', content: [{ type: 'text', text: 'a kite' }], ratio: '16:9' }

it('explains why a request was refused, and shows which fields are ignored (A-unknown-keys)', async () => {
  await gateway.post(tasks, { ...body, resolution: '9k', colour: 'red' })
  const page = await view.open('requests')
  await page
    .getByRole('listitem')
    .filter({ has: page.getByText('400', { exact: true }) })
    .getByRole('link')
    .click()
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByText('Why it was refused').waitFor()
  await details.getByText('A field has a value that this model or mode does not take.').waitFor()
  await details.locator('blockquote').filter({ hasText: 'must be one of 480p, 720p' }).waitFor()
  await details.getByText('no scenario acted').waitFor()
  await details.getByText('Ignored: “colour”').waitFor()
  await details.getByRole('button', { name: 'Copy as scenario' }).click()
  await page.getByText('No rule acted on this, so there is no scenario to copy').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('')
})

it('distinguishes refusals by a prompt tag from those of the service', async () => {
  await gateway.post(tasks, { ...body, content: [{ type: 'text', text: 'a kite [[refuse:moderated]]' }] })
  const page = await view.open('requests')
  await page.getByRole('listitem').filter({ hasText: 'moderated' }).getByRole('link').click()
  await page.getByText('Moderation refused the content.').waitFor()
  await page.getByText('prompt/refuse').last().waitFor()
})

it('sends a request again and shows the status', async () => {
  await gateway.post(tasks, body)
  const before = (await gateway.control('GET', '/requests')).body.items.length
  const page = await view.open('requests')
  await page
    .getByRole('listitem')
    .filter({ has: page.getByText('200', { exact: true }) })
    .first()
    .getByRole('link')
    .click()
  await press(page, 'Send again', /Sent again: 200/)
  expect((await gateway.control('GET', '/requests')).body.items.length).toBe(before + 1)
})

it('switches a scenario on and shows which rule acted', async () => {
  const page = await view.open('scenarios')
  await page.getByRole('switch', { name: 'moderation-refusal is active' }).click()
  await page.getByText('moderation-refusal is active now').waitFor()
  expect((await gateway.post(tasks, body)).status).toBe(403)
  await page
    .getByRole('main')
    .getByRole('link', { name: /moderation-refusal/ })
    .click()
  await page.getByRole('link', { name: 'acted 1×' }).click()
  await page.getByText('Why it was refused').waitFor()
  await page
    .getByRole('region', { name: 'Details' })
    .getByRole('link', { name: 'moderation-refusal/1' })
    .click()
  await page.getByRole('switch', { name: 'moderation-refusal is active' }).click()
  await page.getByText('moderation-refusal is off now').waitFor()
  expect((await gateway.post(tasks, body)).status).toBe(200)
})

it('checks a scenario while it is typed, names the wrong line, and activates the corrected scenario', async () => {
  const page = await view.open('scenarios/copy:outage')
  const text = page.getByRole('textbox', { name: 'Scenario, YAML or JSON' })
  await page.getByText('my-outage is valid').waitFor()
  await text.fill(
    'name: mine\nrules:\n  - when: { operation: a.creat }\n    then: { refuse: { fault: internal } }\n',
  )
  await page.getByText('Line 3').waitFor()
  await page
    .getByText(/a\.create/)
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: 'Save and activate' }).isDisabled()).toBe(true)
  await text.fill(
    'name: mine\nrules:\n  - when: { operation: a.create }\n    then: { refuse: { fault: internal } }\n',
  )
  await press(page, 'Save and activate', 'mine is saved and active')
  expect((await gateway.post(tasks, body)).status).toBe(500)
  await gateway.control('DELETE', '/scenarios/mine')
})

it('offers a form for every create, made from its schema', async () => {
  const { body: document } = await gateway.control('GET', '/openapi.json')
  const creates = Object.values(
    document.paths as Record<string, { post?: { operationId: string; requestBody?: unknown } }>,
  ).flatMap(({ post }) => (post?.requestBody && !/\.\d+$/.test(post.operationId) ? [post.operationId] : []))
  expect(creates.length).toBeGreaterThan(5)
  const page = await view.open('playground')
  const chooser = page.getByRole('combobox', { name: 'Operation' })
  await chooser.waitFor()
  const offered = await chooser
    .locator('option')
    .evaluateAll(options => options.map(option => (option as HTMLOptionElement).value))
  expect(offered.sort()).toEqual(creates.sort())
  for (const operation of creates) {
    await chooser.selectOption(operation)
    await page.getByRole('form', { name: 'Request' }).getByRole('textbox').first().waitFor()
  }
})

it('fills a form with sample media and prompt tags, and the emulator accepts it', async () => {
  const page = await view.open('playground/a.create')
  await page.getByRole('button', { name: '+ image_url' }).click()
  await page.getByRole('button', { name: 'Use the sample landscape.jpg' }).click()
  await page.getByRole('combobox', { name: 'Add a field to content 1' }).selectOption('role')
  await page.getByLabel('role', { exact: true }).selectOption('first_frame')
  await page.getByRole('radiogroup', { name: 'ratio' }).getByText('adaptive').click()
  const tags = page.getByRole('combobox', { name: 'Add a prompt tag' })
  await tags.selectOption('[[fail:InternalServiceError]]')
  await expect.poll(() => tags.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Reply', exact: true }).getByText('200', { exact: true }).waitFor()
  await press(page, 'Python', 'Copied as Python')
  const program = await page.evaluate(() => navigator.clipboard.readText())
  expect(program).toContain('"role": "first_frame"')
  expect(program).toContain('[[fail:InternalServiceError]]')
  const { body: made } = await gateway.control('GET', '/tasks?limit=1')
  expect(made.items[0]).toMatchObject({ plan: { outcome: { kind: 'failed', code: 'InternalServiceError' } } })
})

it('saves a snapshot and restores it', async () => {
  const page = await view.open('world/snapshots')
  await page.getByLabel('Name of the snapshot').fill('ready')
  await press(page, 'Save a snapshot', 'The snapshot ready is saved')
  const { body: before } = await gateway.control('GET', '/clock')
  await gateway.advance('1h')
  await press(page, 'Restore', 'The snapshot ready is restored')
  expect((await gateway.control('GET', '/clock')).body.now_ms).toBe(before.now_ms)
})

it('keeps a limit when the typed value is not a number', async () => {
  await gateway.control('PATCH', '/accounts/shop', { balance: 50 })
  const page = await view.open('world/accounts')
  const balance = page.getByLabel('Balance of shop')
  await balance.fill('5,5')
  // A task is charged in the meantime and the accounts are read again, which does not change the typed value.
  const balanceIn = ({ items }: { items: { id: string; balance: number }[] }) =>
    items.find(({ id }) => id === 'shop')?.balance ?? 50
  const readAgain = page.waitForResponse(
    async reply => /\/accounts$/.test(reply.url()) && balanceIn(await reply.json()) < 50,
  )
  expect((await gateway.post(tasks, body, 'sk-emulator.shop')).status).toBe(200)
  await (await readAgain).finished()
  const left = balanceIn((await gateway.control('GET', '/accounts')).body)
  expect(left).toBeLessThan(50)
  expect(await balance.inputValue()).toBe('5,5')
  await balance.blur()
  await page.getByText('“5,5” is not a number').waitFor()
  await expect.poll(async () => Number(await balance.inputValue())).toBeCloseTo(left, 2)

  // A number that is stored is shown as it is written there.
  await balance.fill('60.0')
  await balance.blur()
  await expect.poll(() => balance.inputValue()).toBe('60')
})

it('shows another world without values of the first one', async () => {
  await gateway.post(tasks, { ...body, content: [{ type: 'text', text: 'elsewhere' }] }, 'sk-test-other')
  const page = await view.open('tasks', { world: 'other' })
  await page.getByText('elsewhere').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(1)
  await page.getByRole('combobox', { name: 'World' }).selectOption('default')
  await page.getByText('a kite').first().waitFor()
  expect(await page.getByText('elsewhere').count()).toBe(0)
})
