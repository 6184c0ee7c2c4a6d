/**
 * Measures how long a click in the console takes to reach the emulator while 80 tasks in view wait for their pictures, none of which
 * is answered. Run with: node --import tsx build/bench/clicks.ts
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { assembleInMemory } from '../../src/emulator/server/emulator.ts'
import { launchOptions } from '../../test/support/browser-launch.ts'
import { freshConsole } from '../../test/support/fresh-build.ts'

const clicks = 30
const path = '/api/v3/contents/generations/tasks'

await freshConsole()
const { dispatch, close } = assembleInMemory({ clock: { mode: 'manual', rate: 1 } })
let arrived = (_: number) => {}
const server = createServer((request, response) => {
  if (request.url?.endsWith('/clock/advance')) arrived(Date.now())
  if (!request.url?.endsWith('/poster')) dispatch(request, response)
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const send = (path: string, body: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).then(reply => reply.arrayBuffer())
for (let i = 0; i < 80; i++)
  await send(path, { model: 'model_a_20', content: [{ type: 'text', text: `kite ${i}` }] })
await send('/__emulator/clock/advance', { by: '1h' })

const browser = await chromium.launch(await launchOptions())
const page = await browser.newPage({ viewport: { width: 1280, height: 3400 } })
await page.goto(`${url}/__emulator/#/tasks`)
await page.locator('img.poster').nth(79).waitFor()
const times: number[] = []
for (let i = 0; i < clicks; i++) {
  const arrival = new Promise<number>(resolve => {
    arrived = resolve
  })
  const clicked = await page.getByRole('button', { name: '+10 s' }).evaluate(button => {
    const at = Date.now()
    ;(button as unknown as { click(): void }).click()
    return at
  })
  times.push((await arrival) - clicked)
  await page.waitForTimeout(200)
}
times.sort((a, b) => a - b)
console.log(
  `${clicks} clicks with 80 tasks in view: median ${times[clicks / 2]} ms, longest ${times.at(-1)} ms until the emulator has them`,
)
await browser.close()
server.closeAllConnections()
server.close()
await close()
