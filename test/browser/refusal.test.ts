// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { expect, it } from 'vitest'
import { openBrowser, sendJson } from '../support/console.ts'
import { image, text } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { videoC } from '../support/journey.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

const bad = { model: 'model_a_20', content: [text('x')], resolution: '9k' }

it.each([
  ['a.create', bad, 'resolution', /one of 480p, 720p/],
  [
    'b.create',
    { model: 'model_b', input: { prompt: 'x' }, parameters: { duration: 99 } },
    'duration',
    /duration/,
  ],
  ['a.create', { model: 'model_a_20', content: [image('nothing', 'first_frame')] }, 'url', /image_url/],
  ['c.create', { ...videoC('x'), resolution: '9K' }, 'resolution', /768P/],
] as const)(
  '%s: a refusal marks its field with its own reason, and no other hint contradicts it',
  async (operation, body, field, rule) => {
    const page = await view.open(`playground/${operation}`)
    await sendJson(page, JSON.stringify(body))
    await page.getByRole('region', { name: 'Reply', exact: true }).getByText('400', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Form' }).click()
    const lit = page.locator('.refused')
    await lit.waitFor()
    expect(await lit.locator('.field-name').textContent()).toBe(field)
    await lit.locator('.refusal').getByText(rule).first().waitFor()
    expect(await page.getByText(/Allowed/).count()).toBe(0)
    await page.close()
  },
)

it('shows the assumption behind a refusal until the value is changed', async () => {
  const page = await view.open('playground/a.create')
  await sendJson(page, JSON.stringify(bad))
  await page.getByRole('tab', { name: 'Form' }).click()
  const lit = page.locator('.refused')
  await lit
    .getByText(/^Assumption A-/)
    .first()
    .waitFor()
  await page.getByRole('radiogroup', { name: 'resolution' }).getByText('720p').click()
  await expect.poll(() => lit.count()).toBe(0)

  // A rule that acts once belongs to no scenario, so its name is no link; a scenario's rule is one.
  const refuse = { refuse: { fault: 'invalid_parameter', param: 'resolution' } }
  await gateway.control('POST', '/inject', { operation: 'a.create', then: refuse })
  await page.getByRole('button', { name: 'Send' }).click()
  await lit.getByText(/Refused by the rule inject-\d+\./).waitFor()
  expect(await lit.getByRole('link', { name: 'inject' }).count()).toBe(0)
  await gateway.control('POST', '/scenarios', { name: 'strict', rules: [{ then: refuse }] })
  await page.getByRole('button', { name: 'Send' }).click()
  await lit.getByRole('link', { name: 'strict/1' }).click()
  await page.getByRole('heading', { name: 'strict' }).waitFor()
  await gateway.control('DELETE', '/scenarios/strict')
})

it('puts the prompt first, folds rarely changed fields, and offers samples and assets with pictures', async () => {
  await gateway.control('POST', '/assets', {
    kind: 'image',
    url: `${gateway.url}/__emulator/samples/square.png`,
  })
  const page = await view.open('playground/a.create')
  const form = page.getByRole('form', { name: 'Request' })
  await page.getByRole('button', { name: 'first last frame' }).click()
  expect(await form.locator('.form .field-name').first().textContent()).toBe('content')
  await form.locator('.folded summary').getByText('type: "image_url"').first().waitFor()
  const asset = form.getByRole('button', { name: /Use the asset asset:/ }).first()
  await expect
    .poll(() => asset.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  await asset.click()
  expect(await asset.getAttribute('aria-pressed')).toBe('true')

  // A number that is emptied stays in the form while another is typed; empty counts as not sent.
  await page.getByRole('button', { name: 'text', exact: true }).click()
  const duration = form.getByRole('spinbutton', { name: 'duration' })
  await duration.fill('')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Reply', exact: true }).getByText('200', { exact: true }).waitFor()
  await duration.fill('7')
  await page.getByRole('button', { name: 'Send' }).click()
  const newest = async () => (await gateway.control('GET', '/tasks?limit=1')).body.items[0].request.duration
  await expect.poll(newest).toBe(7)
})

it('the pages request nothing from other hosts', () => {
  expect(view.outside).toEqual([])
})
