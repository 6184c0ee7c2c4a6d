import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { absent, differences } from '../../src/console/requests/difference.ts'
import { queryOf, readFilters } from '../../src/console/requests/narrowed.ts'
import { rulesIn } from '../../src/console/requests/why.ts'
import { holdReply, openBrowser } from '../support/console.ts'
import { creatorOf, tasksPath as tasks } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

const create = creatorOf(gateway, 'model_a_25')

it('shows prompt, model and task of each request, and folds equal polls with the pauses between', async () => {
  const { body: made } = await create('A heron over the reeds')
  for (let i = 0; i < 12; i++) await gateway.get(`${tasks}/${made.id}`)
  await gateway.advance('1m')
  await gateway.get(`${tasks}/${made.id}`)
  const page = await view.open('requests')
  const rows = page.getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(3)
  for (const row of [rows.nth(0), rows.nth(1), rows.nth(2)])
    for (const fact of ['A heron over the reeds', 'doubao-seedance-2-5', made.id.slice(-12)])
      await expect.poll(() => row.textContent()).toContain(fact)
  expect(await rows.nth(1).textContent()).toMatch(/a\.get queued.*×12.*\d\d:\d\d:\d\d\.\d{3}/)
  await page.getByRole('checkbox', { name: 'fold polls' }).uncheck()
  await expect.poll(() => rows.count()).toBe(14)
  await page.getByRole('checkbox', { name: 'fold polls' }).check()
  await expect.poll(() => rows.count()).toBe(3)

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await create('Made meanwhile')
  await page.getByRole('button', { name: 'Paused, 1 new' }).waitFor()
  expect(await rows.count()).toBe(3)
  await page.getByRole('button', { name: 'Paused, 1 new' }).click()
  await page.getByText('Made meanwhile').waitFor()
})

it('keeps the filters in the address, after a reload and in links', async () => {
  await create('refused', { resolution: '9k' })
  const page = await view.open('requests')
  await page.getByRole('button', { name: 'refused' }).click()
  await page.getByRole('searchbox').fill('model_a_25')
  // The emulator narrows the list: until it has answered, the rows of before are shown.
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  await page.getByRole('listitem').getByRole('link').click()
  expect(page.url()).toMatch(/#\/requests\/\d+\?kind=refused&q=model_a_25$/)
  await page.reload()
  await page.getByText('Why it was refused').waitFor()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  expect(await page.getByRole('searchbox').inputValue()).toBe('model_a_25')
  const narrowed = (item: string) =>
    expect.poll(() => page.url()).toMatch(new RegExp(`#/requests${item}\\?kind=refused&q=model_a_25$`))
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await narrowed('')
  await page.getByRole('button', { name: 'Do not compare' }).click()
  await page.getByRole('listitem').getByRole('link').click()
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'Close' }).click()
  await narrowed('')

  // The focus returns to its place when the details are closed.
  const row = page.getByRole('listitem').getByRole('link')
  await row.click()
  await page.getByRole('link', { name: 'Close the details' }).focus()
  await page.keyboard.press('Enter')
  await narrowed('')
  await expect.poll(() => row.evaluate(element => element === document.activeElement)).toBe(true)
})

it('shows the differences between two requests of one operation', async () => {
  await create('The same', { duration: 5 })
  await create('The same', { duration: 10, watermark: true })
  const page = await view.open('requests')
  const rows = page.getByRole('listitem').filter({ hasText: 'The same' })
  await rows.first().getByRole('link').click()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByText(/Choose the request to compare with/).waitFor()
  await rows.nth(1).getByRole('link').click()
  const request = page.getByRole('region', { name: 'Request', exact: true })
  const cells = (name: string) =>
    request
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name }) })
      .getByRole('cell')
      .allTextContents()
  await request.getByRole('rowheader', { name: 'duration' }).waitFor()
  expect(await cells('duration')).toEqual(['10', '5'])
  expect(await cells('watermark')).toEqual(['true', '–'])
  expect(await request.getByRole('rowheader').count()).toBe(2)
})

it('compares a refused request with the last one of its operation that went well', async () => {
  const world = 'compared'
  const call = (more: object) => create('x', more, `sk-test-${world}`)
  await call({ resolution: '9k' })
  const page = await view.open('requests', { world })
  const compare = page.getByRole('button', { name: 'Compare with the last good one' })
  await page.getByRole('listitem').getByRole('link').click()
  await compare.click()
  await page.getByText('No a.create went well so far').waitFor()
  await call({ resolution: '480p' })
  await call({ resolution: '720p' })
  await call({ resolution: '8k' })
  await expect.poll(() => page.getByRole('listitem').count()).toBe(4)
  await page.getByRole('listitem').first().getByRole('link').click()
  await compare.click()
  await page.getByRole('row', { name: 'resolution 720p 8k' }).waitFor()
})

it('leads back from two requests that cannot be compared', async () => {
  await create('One of two')
  const page = await view.open('requests')
  await page.getByRole('listitem').filter({ hasText: 'One of two' }).getByRole('link').click()
  const [id] = /\d+$/.exec(page.url()) ?? []
  await gateway.get(tasks)
  const other = page.getByRole('listitem').filter({ hasText: 'a.list' })
  await other.first().waitFor()
  await page.evaluate(address => (location.hash = address), `#/requests/${id}..${Number(id) + 1}`)
  await page.getByText('These are requests of two operations').waitFor()
  await page.getByRole('link', { name: 'All requests' }).click()
  await expect.poll(() => page.url()).toMatch(/#\/requests$/)
})

it('opens a request in the playground, where it can be edited', async () => {
  await create('To be edited', { duration: 7 })
  const page = await view.open('requests')
  await page.getByRole('listitem').filter({ hasText: 'To be edited' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Edit in the playground' }).click()
  const text = page.getByRole('textbox', { name: 'text', exact: true })
  await text.waitFor()
  expect(await text.inputValue()).toBe('To be edited')
  await text.fill('Edited')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: 'Reply', exact: true }).getByText('200', { exact: true }).waitFor()
  const { body } = await gateway.control('GET', '/tasks?limit=1')
  expect(body.items[0].request).toMatchObject({ content: [{ text: 'Edited' }], duration: 7 })
})

it('downloads the journal as HAR', async () => {
  const page = await view.open('requests')
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'HAR' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe('requests.har')
  const har = (await json(await download.createReadStream())) as {
    log: { version: string; entries: unknown[] }
  }
  expect(har.log.version).toBe('1.2')
  expect(har.log.entries.length).toBeGreaterThan(3)
})

it('reads filters from an address, and writes only those that differ from the default', () => {
  const filters = readFilters(new URLSearchParams('kind=refused&q=a+b&polls=all'))
  expect(filters).toEqual({ kind: 'refused', search: 'a b', polls: 'all' })
  expect(queryOf(filters)).toEqual({ kind: 'refused', q: 'a b', polls: 'all' })
  expect(queryOf(readFilters(new URLSearchParams('kind=constructor')))).toEqual({})
})

it('links rules to their scenario, but not prompt tags and one-time rules', () => {
  expect(rulesIn('slow-queue/1,prompt/fail,inject-3')).toEqual([
    { name: 'slow-queue/1', scenario: 'slow-queue' },
    { name: 'prompt/fail', scenario: undefined },
    { name: 'inject-3', scenario: undefined },
  ])
})

it('finds differences at any depth, and values that only one request has', () => {
  expect(differences({ a: [1, { b: 2 }], c: 1 }, { a: [1, { b: 3 }, 4], d: null })).toEqual([
    { path: 'a[1].b', left: 2, right: 3 },
    { path: 'a[2]', left: absent, right: 4 },
    { path: 'c', left: 1, right: absent },
    { path: 'd', left: absent, right: null },
  ])
  expect(differences({ a: [] }, { a: {} })).toEqual([{ path: 'a', left: [], right: {} }])
  expect(differences(null, null)).toEqual([])
  expect(differences('x', null)).toEqual([{ path: 'body', left: 'x', right: null }])
})

it('says how many of all requests it shows, counts polls of the whole journal, and reads older ones on scrolling', async () => {
  const world = 'many'
  const headers = { Authorization: `Bearer sk-test-${world}` }
  const send = (path: string) => fetch(`${gateway.url}${path}`, { headers })
  const made = await create('The oldest', {}, `sk-test-${world}`)
  await gateway.control('PATCH', `/worlds/${world}/clock`, { mode: 'manual' })
  for (let i = 0; i < 620; i++)
    await send(i % 2 ? `${tasks}/${made.body.id}` : `${tasks}?page_num=${(i % 100) + 1}`)
  const page = await view.open('requests', { world })
  await page.getByText('×310', { exact: false }).waitFor()
  await page.getByRole('checkbox', { name: 'fold polls' }).uncheck()
  await page.getByText('500 of 621').waitFor()
  const list = page.locator('.virtual')
  await list.evaluate(element => (element.scrollTop = element.scrollHeight))
  await page.getByRole('list', { name: '621 requests, newest first' }).waitFor()
  await page.getByText('500 of 621').waitFor({ state: 'detached' })
  await list.evaluate(element => (element.scrollTop = element.scrollHeight))
  await page.getByText('The oldest').first().waitFor()

  const search = page.getByRole('searchbox')
  await search.fill('400')
  await page.getByText('No request matches').waitFor()
  await send(`${tasks}?page_num=0`)
  await page.getByRole('list', { name: '1 request, newest first' }).waitFor()
  await search.fill('op:a.create doubao-seedance-2-5')
  await page.getByText('The oldest').waitFor()
  await search.fill('after:soon')
  await page.getByText('after:soon is not a time').waitFor()
})

it('says that it reads, and counts nothing, while its rows are those of former filters', async () => {
  const page = await view.open('requests')
  const list = page.locator('.requests-list')
  await expect.poll(() => list.getAttribute('aria-busy')).toBe('false')
  const held = await holdReply(page, /\/requests\?.*search=status%3A400/)
  await page.getByRole('searchbox').fill('status:400')
  await held.asked
  await page
    .getByRole('status')
    .filter({ hasText: /^reading …$/ })
    .waitFor()
  expect(await list.getAttribute('aria-busy')).toBe('true')
  await held.release()
  await expect.poll(() => list.getAttribute('aria-busy')).toBe('false')
  expect(await page.getByText('reading …').count()).toBe(0)
})
