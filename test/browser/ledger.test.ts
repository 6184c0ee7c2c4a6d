import { expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway({ strict: false })
const view = await openBrowser(gateway)

it('reads only the lines of the ledger that it shows, and older ones when asked', async () => {
  for (let i = 0; i < 310; i++) await gateway.control('POST', '/tasks', { family: 'a', kind: 'a' })
  const page = await view.context.newPage()
  const read: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname.endsWith('/ledger')) read.push(search)
  })
  await page.goto(`${gateway.url}/__emulator/#/world/ledger`)
  const lines = page.getByRole('region', { name: 'Charges, newest first' }).locator('tbody tr')
  await expect.poll(() => lines.count()).toBe(300)
  const { totals } = (await gateway.control('GET', '/ledger')).body
  const reserved = page.locator('.totals div', { hasText: 'reserved' })
  expect(await reserved.innerText()).toContain(String(Math.floor(totals.reserved)))
  expect([...new Set(read)]).toEqual(['?limit=300'])

  await page.getByRole('button', { name: 'Show 300 older lines' }).click()
  await expect.poll(() => lines.count()).toBe(310)
  expect(await page.getByRole('button', { name: /older lines/ }).count()).toBe(0)
})
