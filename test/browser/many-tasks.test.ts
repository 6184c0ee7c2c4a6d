import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'
import { plainClient } from '../support/plain-client.ts'

const gateway = await openGateway({ strict: false })
const view = await openBrowser(gateway)

const count = 10_000
const atOnce = 50

const client = plainClient(gateway.url, atOnce)
afterAll(() => client.close())

async function create(text: string): Promise<void> {
  const { status } = await client.send({
    path: '/api/v3/contents/generations/tasks',
    headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'model_a_20', content: [{ type: 'text', text }], ratio: '16:9' }),
  })
  expect(status).toBe(200)
}

/** Creates as a busy client sends them. */
async function createMany(): Promise<void> {
  for (let i = 0; i < count; i += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, j) => create(`prompt ${i + j}`)))
    if (i % 1000 === 0) await gateway.advance('10s')
  }
}

it('with ten thousand tasks, makes only the rows that come into sight, and finds one by its prompt', async () => {
  await createMany()
  const page = await view.context.newPage()
  // A task that a client makes while the page still reads the others is not lost when the last of them come.
  await page.route(
    /\/tasks\?.*cursor=/,
    async route => {
      await create('Made while the list is read')
      await route.continue()
    },
    { times: 1 },
  )
  await page.goto(`${gateway.url}/__emulator/#/tasks`)
  const list = page.getByRole('list', { name: `${(count + 1).toLocaleString('en')} tasks, newest first` })
  await list.waitFor()
  await page.getByText('Made while the list is read').waitFor()
  expect(await page.getByRole('listitem').count()).toBeLessThan(60)

  // Scrolled through from top to bottom, a frame at a time: how many rows there are, and how many were made for it.
  const { rows, made } = await page.locator('.virtual').evaluate(async element => {
    let made = 0
    const watch = new MutationObserver(changes => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element)
            made += Number(node.matches('[role=listitem]')) + node.querySelectorAll('[role=listitem]').length
    })
    watch.observe(element, { childList: true, subtree: true })
    const rows: number[] = []
    for (let i = 1; i <= 60; i++) {
      element.scrollTop = ((element.scrollHeight - element.clientHeight) * i) / 60
      await new Promise(requestAnimationFrame)
      rows.push(element.querySelectorAll('[role=listitem]').length)
    }
    watch.disconnect()
    return { rows, made }
  })
  await page.getByText('prompt 0', { exact: true }).waitFor()
  expect(Math.min(...rows)).toBeGreaterThan(0)
  expect(Math.max(...rows)).toBeLessThan(60)
  // Some of the frames show what the one before showed.
  expect(made).toBeGreaterThan(60)
  expect(made).toBeLessThan(60 * 60)

  const work = await workOfScroll(page)
  expect(work.rows).toBeGreaterThan(30)
  // Forty rows come into sight; a block of four more may have been drawn ahead.
  expect(work.rows).toBeLessThanOrEqual(44)
  expect(work.batches).toBeLessThanOrEqual(11)
  expect(work.changed).toEqual([])

  await page.keyboard.press('/')
  await page.keyboard.type('prompt 4321')
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
})

/**
 * The work of forty frames, each a row further: rows made, how often any were made, and what was changed in rows that stay. This is the
 * work of a frame, and unlike its milliseconds it is the same on every machine.
 */
async function workOfScroll(page: Page): Promise<{ rows: number; batches: number; changed: string[] }> {
  // A stretch of fixed length, since fitting it to the rows in sight moves bars.
  await page.getByRole('combobox', { name: 'Time shown' }).selectOption({ label: '1 h' })
  return await page.locator('.virtual').evaluate(async element => {
    const list = element.querySelector('[role=list]')
    if (!list) throw new Error('the list is gone')
    element.scrollTop = 40 * 200
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    let rows = 0
    let batches = 0
    const changed: string[] = []
    const watch = new MutationObserver(records => {
      const made = records.filter(({ target, addedNodes }) => target === list && addedNodes.length > 0)
      rows += made.length
      if (made.length > 0) batches++
      for (const { type, target, attributeName } of records)
        if (type === 'attributes') changed.push(`${attributeName} of ${(target as Element).className}`)
    })
    watch.observe(list, { childList: true, subtree: true, attributes: true })
    for (let i = 0; i < 40; i++) {
      element.scrollTop += 40
      await new Promise(requestAnimationFrame)
    }
    watch.disconnect()
    return { rows, batches, changed }
  })
}
