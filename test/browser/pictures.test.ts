import { expect, it } from 'vitest'
import { openBrowser, sendJson } from '../support/console.ts'
import { creatorOf } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway, { width: 1280, height: 2400 })

it('asks for two pictures at a time, so that a click is answered while eighty tasks wait for theirs', async () => {
  for (let i = 0; i < 80; i++) await creatorOf(gateway)(`kite ${i}`)
  await gateway.advance('1h')
  const page = await view.context.newPage()
  // The server holds each of them, so that they keep their connections, of which a browser opens six.
  const [answer] = gateway.server.listeners('request')
  const held: (() => void)[] = []
  let most = 0
  gateway.server.removeAllListeners('request')
  gateway.server.on('request', (request, response) => {
    const goOn = () => answer?.call(gateway.server, request, response)
    if (!request.url?.endsWith('/poster')) return goOn()
    held.push(goOn)
    most = Math.max(most, held.length)
  })
  await page.goto(`${gateway.url}/__emulator/#/tasks`)
  // Each row in view wants its picture.
  await expect.poll(() => page.locator('img.poster').count()).toBeGreaterThan(40)
  await expect.poll(() => held.length).toBe(2)
  expect(await page.locator('img.poster[src]').count()).toBe(2)
  const answered = page.waitForResponse(/\/clock\/advance$/)
  await page.getByRole('button', { name: '+10 s' }).click()
  expect((await answered).status()).toBe(200)
  expect([held.length, most]).toEqual([2, 2])
  for (let i = 0; i < 3; i++) {
    held.shift()?.()
    await expect.poll(() => held.length).toBe(2)
  }
  expect(most).toBe(2)
  gateway.server.removeAllListeners('request')
  gateway.server.on('request', (request, response) => answer?.call(gateway.server, request, response))
  for (const goOn of held) goOn()
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
})

it('shows the status, the body and the headers of a refusal below each other, wherever the form is scrolled', async () => {
  const page = await view.context.newPage()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${gateway.url}/__emulator/#/playground/a.create`)
  await sendJson(page, '{"model":"model_a_20"}')
  const reply = page.getByRole('region', { name: 'Reply' })
  await reply.getByText('400', { exact: true }).waitFor()
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
})

it('brings the status of a reply into sight at 200 %, where the form is above it', async () => {
  const page = await view.context.newPage()
  await page.setViewportSize({ width: 640, height: 400 })
  await page.goto(`${gateway.url}/__emulator/#/playground/a.create`)
  const status = page.getByRole('region', { name: 'Reply' }).getByText('400', { exact: true })
  await sendJson(page, '{"model":"model_a_20"}')
  await status.waitFor()
  const edges = () =>
    status.evaluate(element => {
      const main = element.closest('main')?.getBoundingClientRect()
      const box = element.getBoundingClientRect()
      return main && box.top >= main.top && box.bottom <= main.bottom
    })
  await expect.poll(edges).toBe(true)
})
