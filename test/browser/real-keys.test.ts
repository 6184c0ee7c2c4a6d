import { expect, it } from 'vitest'
import { pageTitles } from '../../src/console/shell/page-names.ts'
import { openBrowser } from '../support/console.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway({ auth: 'open' })
const view = await openBrowser(gateway)
const pageNames = Object.keys(pageTitles)
const key = 'sk-live-9f8e7d6c5b4a3f2e'

it('shows a real key on no page of the console, and loads it into none (--auth open)', async () => {
  const headers = { 'X-Api-Key': key, Cookie: `key=${key}` }
  const body = textBody({ model: 'model_a_20' })
  const made = await gateway.call('POST', `${tasksPath}?api_key=${key}`, body, { key, headers })
  expect(made.status).toBe(200)
  const loaded: Promise<string>[] = []
  view.context.on('response', reply => loaded.push(reply.text().catch(() => '')))
  const { items } = (await gateway.control('GET', '/requests')).body
  for (const name of [...pageNames, `tasks/${made.body.id}`, `requests/${items[0].id}`]) {
    const page = await view.open(name)
    await page.getByRole('main').waitFor()
    await page.waitForLoadState('load')
    const account = page.getByText(/key-[0-9a-f]{16}/).first()
    if (name.startsWith('tasks/')) await account.waitFor()
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage])')
    for (const text of [await page.content(), String(kept)]) expect(text).not.toContain(key.slice(8))
    await page.close()
  }
  const texts = await Promise.all(loaded)
  expect(texts.filter(text => /key-[0-9a-f]{16}/.test(text)).length).toBeGreaterThan(0)
  for (const text of texts) expect(text).not.toContain(key.slice(8))
})
