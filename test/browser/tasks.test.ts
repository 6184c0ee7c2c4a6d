import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { holdReply, openBrowser, press } from '../support/console.ts'
import { creatorOf, tasksPath as tasks } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const console_ = await openBrowser(gateway)

const create = creatorOf(gateway)

it('creates a task in the playground, moves its bar as the clock is stepped, and plays its video', async () => {
  const page = await console_.open('playground/a.create')
  await page.getByRole('textbox', { name: 'text', exact: true }).fill('A lighthouse at dawn')
  await page.getByRole('radiogroup', { name: 'resolution' }).getByText('480p').click()
  await page.getByRole('button', { name: 'Send' }).click()
  const reply = page.getByRole('region', { name: 'Reply', exact: true })
  await reply.getByText('200', { exact: true }).waitFor()
  await reply.getByText('queued', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Tasks' }).first().click()
  const row = page.getByRole('listitem').filter({ hasText: 'A lighthouse at dawn' })
  await row.getByText('queued', { exact: true }).waitFor()
  const waited = () => row.locator('[data-piece="queued"]:not(.coming)').count()
  expect(await waited()).toBe(0)

  await page.getByRole('button', { name: 'Next change' }).click()
  await row.getByText('running', { exact: true }).waitFor()
  expect(await waited()).toBe(1)
  expect(await row.locator('.end-mark.coming').count()).toBe(1)
  await page.getByRole('button', { name: 'Next change' }).click()
  await row.getByText('succeeded', { exact: true }).waitFor()
  expect(await row.locator('.end-mark:not(.coming)').count()).toBe(1)

  await row.getByRole('link').click()
  const video = page.locator('video')
  await video.waitFor()
  await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true
    await element.play()
  })
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.3)
  expect(await video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBeGreaterThan(0)
  expect(await video.evaluate((element: HTMLVideoElement) => element.error)).toBeNull()
  await page.getByText('running → succeeded').waitFor()
  // A-downloads: looking at a file in the console uses up no link.
  const { body } = await gateway.control('GET', '/tasks')
  expect(body.items[0].media[0].downloads).toBe(0)
})

it('names refused creates where tasks would be, and leads from a chip to the reason', async () => {
  const world = 'refused'
  const body = { model: 'model_a_25', content: [{ type: 'text', text: 'x' }], resolution: '9k' }
  await gateway.call('POST', tasks, body, { key: `sk-test-${world}` })
  const page = await console_.open('tasks', { world })
  await page.getByText('1 create was refused').waitFor()
  await page.getByText('"9k" is not allowed, must be one of 480p, 720p, 1080p').waitFor()
  // The chip counts what the search and the other filters leave; a model has several names.
  await gateway.call('POST', tasks, { ...body, model: 'model_a_20' }, { key: `sk-test-${world}` })
  const chip = page.getByRole('link', { name: /^refused/ })
  await expect.poll(() => chip.innerText()).toBe('refused 2')
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('doubao-seedance-2-5')
  await expect.poll(() => chip.innerText()).toBe('refused 1')
  await chip.click()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  await page.getByRole('listitem').getByRole('link').click()
  await page.getByText('A field has a value that this model or mode does not take.').waitFor()
})

it('keeps the filters of tasks in the address, after a reload and on the way back from a task', async () => {
  const key = 'sk-test-narrowed'
  const failing = '[[fail:InternalServiceError]]'
  for (const text of [`a kite ${failing}`, `a boat ${failing}`, 'a kite']) await create(text, {}, key)
  await gateway.control('POST', '/worlds/narrowed/clock/advance', { by: '10m' })
  const page = await console_.open('tasks', { world: 'narrowed' })
  await page.getByRole('button', { name: 'failed 2' }).click()
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('kite')
  const shown = () => page.locator('.task-row').allInnerTexts()
  await expect.poll(async () => (await shown()).length).toBe(1)
  await expect.poll(() => page.url()).toMatch(/#\/tasks\?q=kite&state=failed$/)
  await page.reload()
  await expect.poll(async () => (await shown()).length).toBe(1)
  expect((await shown())[0]).toContain('a kite')
  await page.locator('.task-row').click()
  await page.locator('.task-head').getByRole('link', { name: 'All tasks' }).click()
  await expect.poll(() => page.url()).toMatch(/#\/tasks\?q=kite&state=failed$/)

  // Also from a task that has not been read yet.
  await page.route(/__emulator\/.*tasks\/cgt-/, () => {})
  await page.locator('.task-row').click()
  await page.locator('.empty').getByRole('link', { name: 'All tasks' }).click()
  await expect.poll(() => page.url()).toMatch(/#\/tasks\?q=kite&state=failed$/)
})

it('shows a task that a client creates, without a reload', async () => {
  const page = await console_.open('tasks')
  await page.getByRole('list').waitFor()
  await create('Made by a client')
  await page.getByText('Made by a client').waitFor()
})

it('forces a task to an outcome, and copies it as curl and as scenario', async () => {
  const made = await create('To be failed')
  const page = await console_.open(`tasks/${made.body.id}`)
  await page.getByLabel('Error code').fill('OutputVideoSensitiveContentDetected')
  await page.getByRole('button', { name: 'Force' }).click()
  await page.getByRole('heading', { name: 'To be failed' }).waitFor()
  await page.getByRole('main').getByText('failed', { exact: true }).first().waitFor()
  const polled = await gateway.get(`${tasks}/${made.body.id}`)
  expect(polled.body).toMatchObject({
    status: 'failed',
    error: { code: 'OutputVideoSensitiveContentDetected' },
  })

  await press(page, 'Copy as scenario', 'Copied as a scenario')
  const scenario = await page.evaluate(() => navigator.clipboard.readText())
  expect(scenario).toContain('operation: a.create')
  expect(scenario).toContain('code: OutputVideoSensitiveContentDetected')
  // With the copied scenario, the next task with this prompt ends in the same way.
  expect((await gateway.control('POST', '/scenarios', parse(scenario))).status).toBe(201)
  const again = await create('To be failed')
  await gateway.advance({ until: { task: again.body.id, status: 'failed' } })
  await gateway.control('PUT', '/scenarios/active', { names: [] })
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${gateway.url}${tasks}`)
})

it('acts on several chosen tasks at once', async () => {
  const several = ['Chosen one', 'Chosen two', 'Left alone'].map(text => create(text))
  const ids = (await Promise.all(several)).map(({ body }) => body.id)
  const statuses = async () =>
    await Promise.all(ids.map(async id => (await gateway.get(`${tasks}/${id}`)).body.status))
  const page = await console_.open('tasks')
  await page.getByRole('checkbox', { name: 'Choose Left alone' }).check()
  await page.getByRole('searchbox').fill('chosen')
  await expect.poll(() => page.getByRole('listitem').count()).toBe(2)
  await press(page, 'All 2', '2 tasks chosen')
  await press(page, 'Force 2', 'Forced 2 tasks to failed')
  expect(await statuses()).toEqual(['failed', 'failed', 'queued'])
  // Then none is chosen, and the filters are back.
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'failed' }).first().waitFor()
})

it('shows the layers of a picture alone and composed', async () => {
  const made = await gateway.post('/api/v3/images/generations', {
    model: 'model_image',
    prompt: 'Take the picture apart',
    image: `${gateway.url}/__emulator/samples/layered.png`,
    layer_decomposition: true,
    size: '1K',
    output_format: 'png',
  })
  expect(made.status).toBe(200)
  const { body } = await gateway.control('GET', '/tasks?family=image')
  const page = await console_.open(`tasks/${body.items[0].id}`)
  const stage = page.locator('.stage img')
  await expect.poll(() => stage.count()).toBe(made.body.data.length)
  await expect
    .poll(() =>
      stage.evaluateAll(images => images.every(image => (image as HTMLImageElement).naturalWidth > 0)),
    )
    .toBe(true)
  await page.getByRole('button', { name: 'Base only' }).click()
  await expect.poll(() => page.locator('.stage img:visible').count()).toBe(1)
  await page.getByRole('button', { name: 'Composed' }).click()
  await expect.poll(() => page.locator('.stage img:visible').count()).toBe(made.body.data.length)
})

it('can be used with the keyboard alone', async () => {
  const page = await console_.open('tasks')
  await page.getByRole('list').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('lighthouse')
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('')
  // Down leads from the search into the list.
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index')),
    )
    .toBe('1')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Story' }).waitFor()
  const before = (await gateway.control('GET', '/clock')).body.now_ms
  await page.getByRole('button', { name: '+10 s' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await gateway.control('GET', '/clock')).body.now_ms).toBeGreaterThan(before)
})

it('plays and pauses the clock at a rate', async () => {
  const page = await console_.open('tasks')
  await page.getByRole('button', { name: '×60' }).click()
  await page.getByRole('button', { name: 'Pause the clock' }).waitFor()
  expect((await gateway.control('GET', '/clock')).body).toMatchObject({ mode: 'realtime', rate: 60 })
  const shown = page.locator('.clock-time time')
  const before = await shown.textContent()
  await expect.poll(() => shown.textContent()).not.toBe(before)
  await page.getByRole('button', { name: 'Pause the clock' }).click()
  await page.getByRole('button', { name: 'Let the clock run' }).waitFor()
  expect((await gateway.control('GET', '/clock')).body.mode).toBe('manual')
})

it('shows the clock as it was last told, also when an older reply comes late', async () => {
  const page = await console_.open('tasks')
  await page.getByRole('button', { name: 'Let the clock run' }).waitFor()
  const clock = await holdReply(page, /\/worlds\/default\/clock$/)
  await page.reload()
  await clock.asked
  await page.getByRole('button', { name: 'Let the clock run' }).waitFor()
  await gateway.control('PATCH', '/clock', { mode: 'realtime', rate: 1 })
  await page.getByRole('button', { name: 'Pause the clock' }).waitFor()
  await clock.release()
  expect(await page.getByRole('button', { name: 'Pause the clock' }).count()).toBe(1)
  await gateway.control('PATCH', '/clock', { mode: 'manual' })
})

it('says so when the emulator no longer answers the page', async () => {
  await create('The last one that is read')
  const page = await console_.open('tasks')
  await page.getByText('The last one that is read').waitFor()
  await page.clock.install()
  const notice = page.getByText('The emulator does not answer.')
  await page.route('**/worlds/default/tasks?*', route => route.abort())
  await create('Never seen')
  await page.clock.runFor(1000)
  await notice.waitFor()
  await page.clock.runFor(10_000)
  await expect.poll(() => notice.count()).toBe(0)

  await page.getByRole('button', { name: 'Let the clock run' }).click()
  await page.getByRole('button', { name: 'Pause the clock' }).waitFor()
  await page.route('**/worlds/default/clock', route => route.abort())
  await page.clock.runFor(15_000)
  await notice.waitFor()
  await gateway.control('PATCH', '/clock', { mode: 'manual' })
})
