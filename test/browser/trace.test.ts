import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { installedCommand } from '../../src/emulator/words.ts'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { loadAxe, violationsOf } from '../support/axe.ts'
import { openBrowser, press } from '../support/console.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)
const { world } = connectEmulator(gateway.url)
const folder = ownFolder('traces')

const tasks = '/api/v3/contents/generations/tasks'
const body = { model: 'model_a_25', content: [{ type: 'text', text: 'A kite' }] }

it('shows a run on one line of time; arrows move from moment to moment, and the panel tells each', async () => {
  await world.inject('a.create', 1, { refuse: { fault: 'rate_limited', retry_after: '2s' } })
  await gateway.post(tasks, body)
  await gateway.advance('2s')
  const { id } = (await gateway.post(tasks, body)).body
  await gateway.get(`${tasks}/${id}`)
  await gateway.post(tasks, { ...body, resolution: '9k' })
  const page = await view.open('trace')
  const panel = page.getByRole('region', { name: 'This moment' })
  await panel.getByRole('heading', { name: 'a.create 429' }).waitFor()
  // One word, whether a rule or the service itself refused.
  await page.getByText('4 calls · 2 failed · 1 task').waitFor()
  const cursor = page.getByRole('slider', { name: 'Moment', exact: true })
  await cursor.focus()
  await page.keyboard.press('End')
  await panel.getByRole('heading', { name: 'a.create 400' }).waitFor()
  await loadAxe(page)
  expect(await violationsOf(page, { part: 'main' })).toEqual([])

  // A key goes to the failure before and after; the list shows what failed, or what has the words.
  await page.keyboard.press('Shift+F')
  await panel.getByRole('heading', { name: 'a.create 429' }).waitFor()
  expect(await page.getByRole('button', { name: 'Previous failure' }).isDisabled()).toBe(true)
  const lines = () => page.locator('.trace-label strong').allTextContents()
  await page.getByRole('checkbox', { name: 'Only what failed' }).check()
  await expect.poll(lines).toEqual(['a.create', 'a.create'])
  await page.getByRole('checkbox', { name: 'Only what failed' }).uncheck()
  await page.getByRole('searchbox', { name: 'Search the trace' }).fill('KITE')
  await expect.poll(lines).toEqual([`…${id.slice(-12)}`])
  await page.getByRole('searchbox', { name: 'Search the trace' }).fill('')
  await cursor.focus()

  // The row of the moment is in view, wherever it is in the list.
  await page.setViewportSize({ width: 1280, height: 460 })
  await page.keyboard.press('Home')
  const row = page.locator('.trace-line.current')
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(() =>
        row.evaluate(line => {
          const list = line.closest('.virtual')?.getBoundingClientRect()
          const { top, bottom } = line.getBoundingClientRect()
          return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1
        }),
      )
      .toBe(true)
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  // It follows the world while it is open.
  await gateway.get(`${tasks}/${id}`)
  await page.getByText('5 calls · 2 failed · 1 task').waitFor()
  // The service itself refused the last create; the clock that was moved before is no scenario.
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+F')
  await panel.getByRole('heading', { name: 'a.create 400' }).waitFor()
  await press(page, 'Copy as scenario', 'No rule acted on this, so there is no scenario to copy')
  await page.keyboard.press('Shift+F')
  await panel.getByRole('heading', { name: 'a.create 429' }).waitFor()
  await press(page, 'Copy as scenario', 'Copied as a scenario')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('fault: rate_limited')

  // The second create can be broken, and not only the next one.
  await page.getByRole('button', { name: 'Calls: a.create' }).first().click()
  await cursor.focus()
  for (let i = 0; i < 9 && !(await panel.getByRole('heading', { name: 'a.create 200' }).count()); i++)
    await page.keyboard.press('ArrowRight')
  await panel.getByRole('button', { name: 'Break it here' }).click()
  const dialog = page.getByRole('dialog', { name: 'Break the next one' })
  expect(await dialog.getByRole('spinbutton', { name: 'Calls that go well before' }).inputValue()).toBe('1')
  expect(await dialog.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('a.create')
})

it('counts findings as the lane of the trace and the top of the page do, not how often each was seen', async () => {
  const key = 'sk-test-found'
  const ids = [await gateway.post(tasks, body, key), await gateway.post(tasks, body, key)].map(
    made => made.body.id,
  )
  await gateway.control('POST', '/worlds/found/clock/advance', { until: 'idle' })
  for (const id of ids) for (let i = 0; i < 9; i++) await gateway.get(`${tasks}/${id}`, key)
  const { items } = (await gateway.control('GET', '/worlds/found/findings')).body
  expect(Math.max(...items.map(({ count }: { count: number }) => count))).toBeGreaterThan(1)
  const words = `${items.length} finding${items.length === 1 ? '' : 's'}`
  const page = await view.open('trace', { world: 'found' })
  await page.locator('.trace-sum').getByText(`2 tasks · ${words}`).waitFor()
  await page.getByRole('link', { name: words, exact: true }).waitFor()
})

it('leads from a task to its trace and back, and says when there is no such task', async () => {
  const { id } = (await gateway.post(tasks, body)).body
  const page = await view.open(`tasks/${id}`)
  await page.getByRole('link', { name: 'Trace' }).click()
  await page.getByRole('heading', { name: 'Trace of a task' }).waitFor()
  await page.getByText('1 call · 1 task').waitFor()
  await page.getByRole('button', { name: 'Calls: a.create' }).click()
  await page.getByRole('link', { name: 'Open the request' }).click()
  await page.getByRole('heading', { name: '200 a.create' }).waitFor()
  await page.goto(`${gateway.url}/__emulator/#/trace/nothing`)
  await page.getByRole('heading', { name: 'The task nothing does not exist' }).waitFor()
})

it('a file has the same page and needs no network; five thousand calls draw few rows', async () => {
  const trace = await world.trace()
  const [attempt] = trace.attempts
  const [call] = attempt?.calls ?? []
  if (!attempt || !call) throw new Error('There is no call')
  const many = Array.from({ length: 5000 }, (_, i) => ({
    ...attempt,
    calls: [{ ...call, id: i + 1, request_id: `r-${i}`, wall_ms: call.wall_ms + i }],
  }))
  const { writeTrace } = await import('../../src/kits/client/trace-file.ts')
  const file = join(folder, 'run.html')
  await writeTrace({ ...trace, attempts: many }, file)
  const page = await view.context.newPage()
  await view.context.setOffline(true)
  await page.goto(`file://${file}`)
  await page.getByText('5,000 calls').waitFor()
  expect(await page.locator('.trace-line').count()).toBeLessThan(80)
  await loadAxe(page)
  expect(await violationsOf(page, { part: 'main' })).toEqual([])
  await view.context.setOffline(false)
})

it('a call in the trace of an explored run is broken by the command that explored it, and one in another trace by a command to fill in', async () => {
  const { tracePage } = await import('../../src/kits/client/trace-file.ts')
  const trace = await world.trace()
  const explored = { before: 'npx gateway explore --system shop.yaml --only ', after: '' }
  const file = join(folder, 'copied.html')
  const page = await view.context.newPage()
  for (const [kept, command] of [
    [{ ...trace, explored }, "npx gateway explore --system shop.yaml --only 'a.create#1'"],
    [trace, `${installedCommand} explore --only 'a.create#1' -- YOUR COMMAND`],
  ] as const) {
    await writeFile(file, await tracePage(kept))
    await page.goto(`file://${file}`)
    await page.getByRole('button', { name: 'Calls: a.create' }).first().click()
    await press(page, 'Break it here', 'Copied the command that breaks a.create#1 in every way it can break')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command)
  }
})

it('nothing turns on the trace, and the sign of a running task turns only while time passes', async () => {
  await gateway.post(tasks, { ...body, content: [{ type: 'text', text: 'A kite [[run:24h]]' }] })
  await gateway.advance('10m')
  const open = async (name: string) => {
    const page = await view.open(name)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    return page
  }
  const turning = (page: Page) =>
    page.evaluate(() => {
      const isTurn = (one: Animation) => one instanceof CSSAnimation && one.animationName === 'turn'
      return document.getAnimations().filter(isTurn).length
    })
  const list = await open('tasks')
  await list.locator('.pill.tone-running').first().waitFor()
  expect(await turning(list)).toBe(0)
  await gateway.control('PATCH', '/clock', { mode: 'realtime', rate: 1 })
  await expect.poll(() => turning(list)).toBeGreaterThan(0)
  const trace = await open('trace')
  await trace.getByRole('slider', { name: 'Moment', exact: true }).waitFor()
  expect(await turning(trace)).toBe(0)
  await gateway.control('PATCH', '/clock', { mode: 'manual' })
})
