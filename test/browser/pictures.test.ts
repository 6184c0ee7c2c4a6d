import { expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway, { width: 1280, height: 2400 })

const tasks = '/api/v3/contents/generations/tasks'

it('asks for two pictures at a time, so that a click is answered while eighty tasks wait for theirs', async () => {
  for (let i = 0; i < 80; i++)
    await gateway.post(tasks, {
      model: 'model_a_20',
      content: [{ type: 'text', text: `kite ${i}` }],
      ratio: '16:9',
    })
  await gateway.advance('1h')
  const page = await view.context.newPage()
  const asked = new Set<string>()
  const held: (() => void)[] = []
  let open = (_: unknown) => {}
  const opened = new Promise(resolve => (open = resolve))
  await page.route(/\/poster$/, async route => {
    asked.add(route.request().url())
    const turn = new Promise<void>(release => held.push(release))
    if (asked.size === 2) open(undefined)
    await turn
    await route.continue()
  })
  await page.goto(`${gateway.url}/__emulator/#/tasks`)
  await opened
  const button = page.getByRole('button', { name: '+10 s' })
  const answered = page.waitForResponse(/\/clock\/advance$/)
  await button.click()
  expect((await answered).status()).toBe(200)
  expect(asked.size).toBe(2)
  held.shift()?.()
  await expect.poll(() => asked.size).toBe(3)
  await page.close()
})

it('marks a button that was clicked until its action has ended', async () => {
  const page = await view.open('tasks')
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(/\/clock\/advance$/, async route => {
    await released
    await route.continue()
  })
  const button = page.getByRole('button', { name: '+10 s' })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true')
  release()
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('false')
  await page.close()
})

it('shows the status, the body and the headers of a refusal below each other, wherever the form is scrolled', async () => {
  const page = await view.context.newPage()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${gateway.url}/__emulator/#/playground/a.create`)
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('textbox', { name: /body/i }).first().fill('{"model":"model_a_20"}')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const reply = page.getByRole('region', { name: 'Reply' })
  await reply.getByText('400').waitFor()
  await page.getByRole('tab', { name: 'Form' }).click()
  await reply.getByText('Headers', { exact: true }).click()
  for (const top of [0, 400]) {
    const edges = await page.locator('main').evaluate((main, top) => {
      main.scrollTop = top
      return [...main.querySelectorAll('.reply > *')]
        .map(part => part.getBoundingClientRect())
        .map(box => [box.top, box.bottom] as const)
    }, top)
    for (const [i, [begin]] of edges.entries())
      expect(begin).toBeGreaterThanOrEqual((edges[i - 1]?.[1] ?? begin) - 1)
  }
  await page.close()
})
