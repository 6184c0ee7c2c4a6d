import { expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

it('shows each reference under its own address, which keeps world and place on reload', async () => {
  const page = await view.context.newPage()
  await page.goto(`${gateway.url}/__emulator/docs?world=shop`)
  await page.getByText('Generation Gateway (emulated)').waitFor()
  await page.getByText('Bearer sk-test-shop').waitFor()
  await page.getByRole('link', { name: 'Control API' }).click()
  await page.getByText('Emulator control API').waitFor()
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('clock/advance')
  await page.getByRole('navigation', { name: 'Operations' }).locator('li a').click()
  const title = page.getByRole('heading', { level: 1, name: /Move time forward/ })
  await title.waitFor()
  await page.reload()
  await title.waitFor()
  expect(page.url()).toContain('?world=shop#/docs/control')
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/__emulator/clock/advance')
  await page.close()
})

it('shows every operation with its replies, and leads from each create to its form in the playground', async () => {
  const page = await view.open('docs')
  const links = page.getByRole('navigation', { name: 'Operations' }).locator('li a')
  const names = async (api: 'public' | 'control') => {
    await page.evaluate(hash => location.assign(hash), `#/docs/${api}`)
    await page
      .getByRole('heading', { level: 1 })
      .getByText(api === 'public' ? 'Generation' : 'Emulator')
      .waitFor()
    return await links.evaluateAll(all => all.map(link => (link as HTMLAnchorElement).hash))
  }
  const operations = async (file: string) => {
    const { paths } = (await gateway.control('GET', file)).body
    return Object.values(paths as Record<string, object>).flatMap(Object.keys).length
  }
  const [emulated, control] = [await names('public'), await names('control')]
  expect([emulated.length, control.length]).toEqual([
    await operations('/openapi.json'),
    await operations('/openapi.control.json'),
  ])
  for (const key of [...emulated, ...control]) {
    await page.evaluate(hash => location.assign(hash), key)
    await page.locator(`.docs-list a[aria-current=page][href="${key}"]`).waitFor({ state: 'attached' })
    await page.getByRole('region', { name: 'Replies' }).waitFor()
  }
  await page.evaluate(() => location.assign('#/docs/c.create'))
  await page.getByRole('link', { name: 'Send it in the playground' }).click()
  await page.getByRole('form', { name: 'Request' }).waitFor()
  expect(page.url()).toContain('#/playground/c.create')
  await page.close()
})

it('the pages throw no error and request nothing from other hosts', () => {
  expect([view.faults, view.outside]).toEqual([[], []])
})
