import { expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

it('shows each reference under its own address, which keeps world and place on reload (interface: GET /docs)', async () => {
  const page = await view.context.newPage()
  await page.goto(`${gateway.url}/__emulator/docs?world=shop`)
  await page.getByText('Generation Gateway (emulated)').waitFor()
  await page.getByText('sk-test-<world>').waitFor()
  await page.getByText('Bearer sk-test-shop').waitFor()
  await page.getByRole('link', { name: 'Control API' }).click()
  await page.getByText('Emulator control API').waitFor()
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('clock/advance')
  await page.getByRole('navigation', { name: 'Operations' }).locator('li a').click()
  const form = page.getByRole('form', { name: 'Try it' })
  await form.waitFor()
  await page.reload()
  await form.waitFor()
  expect(page.url()).toContain('?world=shop#/docs/control')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('200', { exact: true }).waitFor()
  expect((await gateway.control('GET', '/worlds/shop/clock')).body.now).toBe('2026-03-01T08:00:30.000Z')
  expect((await gateway.control('GET', '/clock')).body.now).toBe('2026-03-01T08:00:00.000Z')
  await page.route('**/clock/advance', route => route.abort())
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByText('No reply came').waitFor()
  await page.close()
})

/** The effects of example scenarios and one-time rules must not affect the operations that are tried after them. */
async function calm(): Promise<void> {
  await gateway.control('PUT', '/scenarios/active', { names: [] })
  for (const { id } of (await gateway.control('GET', '/inject')).body.items)
    await gateway.control('DELETE', `/inject/${id}`)
}

it('every operation can be tried with the values that are filled in, and none is refused for a value (issue: try it works at once)', async () => {
  const page = await view.open('docs')
  const keys: string[] = []
  for (const api of ['public', 'control']) {
    await page.evaluate(hash => location.assign(hash), `#/docs/${api}`)
    await page
      .getByRole('heading', { level: 1 })
      .getByText(api === 'public' ? 'Generation' : 'Emulator')
      .waitFor()
    const links = page.getByRole('navigation', { name: 'Operations' }).locator('li a')
    keys.push(...(await links.evaluateAll(all => all.map(link => (link as HTMLAnchorElement).hash))))
  }
  expect(keys.length).toBeGreaterThan(60)
  // Operations that drop or replace the world would remove the data of the others; a stream has no reply.
  const last = keys.filter(key => /POST%20%2Freset|PUT%20%2Fstate|DELETE%20%2Fworlds/.test(key))
  const refused: string[] = []
  for (const key of [...keys.filter(each => !last.includes(each)), ...last]) {
    // The id of an undo is part of another reply.
    if (key.includes('%2Fundo')) continue
    // Bodies are sent by the test of the documents' examples; here it is about what a path needs, and what makes it.
    const makes = /POST%20%2F(scenarios|snapshots)$/.test(key)
    if (key.includes('control') && !makes && !/%7B|\{/.test(key)) continue
    await calm()
    await page.evaluate(hash => location.assign(hash), key)
    await page.locator(`.docs-list a[aria-current=page][href="${key}"]`).waitFor({ state: 'attached' })
    const form = page.getByRole('form', { name: 'Try it' })
    await form.waitFor()
    const make = form.getByRole('button', { name: 'Make one' })
    // A task that was just created may appear in the meantime; then nothing needs to be created.
    if ((await make.count()) > 0) {
      await make.click({ timeout: 3000 }).catch(() => undefined)
      await make.waitFor({ state: 'detached' })
    }
    const empty = form.locator('input[required]').filter({ hasNot: page.locator('[value]') })
    const missing = await empty.evaluateAll(all =>
      all.some(field => (field as HTMLInputElement).value === ''),
    )
    if (missing) {
      refused.push(`${decodeURIComponent(key)}: nothing filled in`)
      continue
    }
    await form.getByRole('button', { name: 'Send' }).click()
    const status = await form.getByRole('region', { name: 'Reply' }).locator('.pill').first().textContent()
    if (Number(status) >= 400) refused.push(`${decodeURIComponent(key)}: ${status}`)
  }
  expect(refused).toEqual([])
  await page.close()
})

it('the pages throw no error and request nothing from other hosts', () => {
  expect([view.faults, view.outside]).toEqual([[], []])
})
