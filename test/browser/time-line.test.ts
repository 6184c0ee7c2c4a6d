// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { buffer } from 'node:stream/consumers'
import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { countBetween, marksIn, momentsOf } from '../../src/console/store/moments.ts'
import { momentAt, zoomed } from '../../src/console/tasks/time-scale.ts'
import { holdReply, openBrowser } from '../support/console.ts'
import { creatorOf, tasksPath as tasks } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

const create = creatorOf(gateway, 'model_a_25')
/** For tasks whose files are looked at. */
const small = { resolution: '480p', duration: 4 }
const now = async () => (await gateway.control('GET', '/clock')).body.now_ms

it('moves the clock when the time line is dragged, and shows the present moment and the changes between', async () => {
  await create('Dragged over')
  const page = await view.open('tasks')
  const line = page.getByRole('slider', { name: 'Time line' })
  await page.getByText('Dragged over').waitFor()
  expect(await page.locator('.axis-track .planned').count()).toBe(2)
  const box = await line.boundingBox()
  if (!box) throw new Error('The time line is not drawn')
  const before = await now()
  await page.mouse.move(box.x + box.width * 0.3, box.y + 12)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.98, box.y + 12)
  await page.getByText(/^\+\d+s to .*, 2 changes$/).waitFor()
  expect(await page.locator('.ghost-line:visible').count()).toBe(1)
  await page.mouse.up()
  await page.getByText(/(^| )2 changes/).waitFor()
  expect(await now()).toBeGreaterThan(before + 10_000)
  await expect.poll(() => page.locator('.ghost-head').count()).toBe(0)

  // The same by keys; Escape gives up.
  const there = await now()
  await line.focus()
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
  await page.locator('.ghost-head').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.ghost-head').count()).toBe(0)
  expect(await now()).toBe(there)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(now).toBeGreaterThan(there)

  // The wheel and the keys show more or less time.
  const span = async () =>
    Number(await line.getAttribute('aria-valuemax')) - Number(await line.getAttribute('aria-valuemin'))
  const wide = await span()
  await page.mouse.move(box.x + box.width / 2, box.y + 12)
  await page.mouse.wheel(0, 600)
  await expect.poll(span).toBeGreaterThan(wide)
  const wider = await span()
  await page.keyboard.press('+')
  await expect.poll(span).toBeLessThan(wider)
})

it('shows posters and published names, and facts with a preview under the pointer', async () => {
  await create('A lighthouse at dawn', small)
  await gateway.advance('2m')
  await create('Still waiting')
  const sound = { family: 'k', kind: 'k.voice', plan: { queued: '0s', running: '1s' } }
  await gateway.control('POST', '/tasks', sound)
  await gateway.advance('2s')
  const page = await view.open('tasks')
  const missing: string[] = []
  page.on('response', reply => {
    if (reply.status() >= 400) missing.push(reply.url())
  })
  const row = page.getByRole('listitem').filter({ hasText: 'A lighthouse at dawn' })
  await row.getByText('doubao-seedance-2-5').waitFor()
  const poster = row.locator('img.poster')
  await expect.poll(() => poster.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(320)
  expect(await page.getByRole('listitem').filter({ hasText: 'Still waiting' }).locator('img').count()).toBe(0)
  await page.getByRole('listitem').filter({ hasText: 'k.voice' }).locator('.poster.none').waitFor()
  await row.locator('.task-words').hover()
  const card = page.locator('.hover-card')
  await card.getByText('succeeded').waitFor()
  await expect
    .poll(() => card.locator('.hover-picture').evaluate(image => (image as HTMLImageElement).naturalWidth))
    .toBe(320)
  await row.locator('.track').hover()
  await card.locator('.pill').waitFor()
  await page.mouse.move(2, 2)
  await expect.poll(() => card.count()).toBe(0)
  // A sound has no picture, and none is asked for.
  expect(missing).toEqual([])
  const { body } = await gateway.control('GET', '/tasks')
  const lighthouse = body.items.find(
    (task: { media: unknown[]; kind: string }) => task.kind === 'a' && task.media.length > 0,
  )
  expect(lighthouse.media[0].downloads).toBe(0)
})

it('saves a file that plays, and copies the link that its client got', async () => {
  const { body: made } = await create('To be saved', small)
  await gateway.advance('2m')
  const page = await view.open(`tasks/${made.id}`)
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save', exact: true }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe(`${made.id}-video.mp4`)
  expect((await buffer(await download.createReadStream())).toString('latin1', 4, 8)).toBe('ftyp')
  await page.getByRole('button', { name: 'Copy the client’s link' }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect((await gateway.download(link)).status).toBe(200)
})

it('says what clients get of a broken file, plays that, and counts no download', async () => {
  const { body: half } = await create('Half of it [[media:truncated]]', small)
  const { body: ended } = await create('Ended', small)
  await gateway.advance('2m')
  await gateway.control('POST', `/tasks/${ended.id}/expire-link`)
  const page = await view.open('tasks')
  await page.getByRole('listitem').filter({ hasText: 'Half of it' }).getByText('broken file').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Ended' }).getByText('links expired').waitFor()
  await page.goto(`${gateway.url}/__emulator/#/tasks/${half.id}`)
  await page.getByText('Clients get half of this file.').waitFor()
  const video = page.locator('video')
  // A browser may stop to read near the end of a file.
  const readTo = () =>
    video.evaluate(element => {
      const player = element as HTMLVideoElement
      player.preload = 'auto'
      return player.buffered.length === 0 ? 0 : player.buffered.end(0) / player.duration
    })
  await expect.poll(readTo).toBeGreaterThan(0)
  const played = () =>
    video.evaluate(element =>
      fetch((element as HTMLVideoElement).src)
        .then(reply => reply.arrayBuffer())
        .then(
          () => 'whole',
          () => 'cut',
        ),
    )
  expect(await played()).toBe('cut')
  await page.getByRole('button', { name: 'Show the whole file' }).click()
  await expect.poll(readTo).toBeGreaterThan(0.6)
  expect(await played()).toBe('whole')
  await page.goto(`${gateway.url}/__emulator/#/tasks/${ended.id}`)
  await page.getByText('Clients get a refusal: the link expired.').waitFor()
  expect(await page.getByRole('button', { name: 'Expire its links' }).count()).toBe(0)
  expect(await video.count()).toBe(0)
  await page.getByRole('button', { name: 'Show the whole file' }).click()
  await expect.poll(readTo).toBeGreaterThan(0.6)
  expect((await gateway.control('GET', `/tasks/${half.id}`)).body.media[0].downloads).toBe(0)
  // An end of links on another day is shown with its day.
  const dayMs = 86_400_000
  await gateway.advance({ to: (Math.floor((await now()) / dayMs) + 2) * dayMs - 1_800_000 })
  const { body: late } = await create('Late in the evening', small)
  await gateway.advance({ until: { task: late.id, status: 'succeeded' } })
  await page.goto(`${gateway.url}/__emulator/#/tasks/${late.id}`)
  await page.getByText(/^links end \d+ [A-Z][a-z]+ \d{4} 0\d:\d\d/).waitFor()
})

it('says what the next download of a file gets before a rule has acted, plays that, and stops saying so afterwards', async () => {
  const { body: made } = await create('Broken later', small)
  const { body: inject } = await gateway.control('POST', '/inject', {
    operation: 'media.download',
    nth: 1,
    then: { media: 'empty' },
  })
  await gateway.control('POST', '/scenarios', {
    name: 'shop',
    rules: [
      { when: { operation: 'media.download', call: 'from 3' }, then: { refuse: { fault: 'internal' } } },
    ],
  })
  // Known before there is a file.
  const page = await view.open(`tasks/${made.id}`)
  const coming = page.getByRole('list', { name: 'What coming downloads get' })
  await coming.getByText(`next media.download: the file is empty (${inject.id})`).waitFor()
  await coming.getByText('each media.download, from number 3 from now on').waitFor()
  expect(await coming.getByRole('link', { name: 'shop/1' }).getAttribute('href')).toContain('scenarios/shop')
  await gateway.advance('2m')
  await page.getByText('The next download gets an empty file.').waitFor()
  expect(await page.locator('video').count()).toBe(0)
  await page.getByRole('button', { name: 'Show the whole file' }).click()
  await page.locator('video').waitFor()

  const { body: done } = await gateway.get(`${tasks}/${made.id}`)
  await gateway.download(done.content.video_url)
  await coming.getByText('each media.download, from number 2 from now on').waitFor()
  expect(await page.getByText('The next download gets').count()).toBe(0)
  await gateway.download(done.content.video_url)
  await page.getByText('Clients get no whole file.').waitFor()
  await coming
    .getByText('Each media.download: the service has an internal error (500 InternalError)')
    .waitFor()
  await page.getByRole('link', { name: 'shop/1' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  // The console leaves the page of what is gone.
  await page.getByText('No scenario is active').waitFor()
  await page.goto(`${gateway.url}/__emulator/#/tasks/${made.id}`)
  await page.locator('video').waitFor()
  expect(await coming.getByRole('listitem').count()).toBe(0)
  await gateway.control('PUT', '/scenarios/active', { names: [] })
})

it('opens a world with a name, shows requests to other worlds, and says when a world was dropped', async () => {
  const page = await view.open('tasks')
  const unanswered = new Set<Request>()
  page.on('request', sent => {
    if (!sent.url().endsWith('/events')) unanswered.add(sent)
  })
  page.on('requestfinished', sent => unanswered.delete(sent))
  page.on('requestfailed', sent => unanswered.delete(sent))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a page' }).fill('open a new world')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').fill('shop-2')
  await page.getByLabel('Clock').last().selectOption('manual')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.waitForURL(/world=shop-2/)
  await page.getByText('No tasks yet').waitFor()
  expect((await gateway.control('GET', '/worlds/shop-2')).body).toMatchObject({
    clock: { mode: 'manual' },
    requests: 0,
  })
  expect(await page.title()).toContain('shop-2')
  // The page has seen the worlds as they are before the request comes.
  await expect.poll(() => page.getByRole('combobox', { name: 'World' }).locator('option').count()).toBe(2)
  await create('In the world default')
  await page.getByRole('link', { name: '1 active in other worlds' }).waitFor()
  await page.getByRole('link', { name: '1 active in other worlds' }).click()
  await page.getByRole('row').filter({ hasText: 'default' }).getByText('1 new').waitFor()

  // A page does not open its world again when another client drops the world.
  const names = async () =>
    (await gateway.control('GET', '/worlds')).body.items.map(({ id }: { id: string }) => id)
  await gateway.control('DELETE', '/worlds/shop-2')
  await page.getByRole('alert').getByText('The world shop-2 is not open any more.').waitFor()
  // A reply from that time comes late.
  const ledger = await holdReply(page, /\/ledger\b/)
  await page.getByRole('link', { name: 'Ledger' }).click()
  await ledger.asked
  await page.getByRole('button', { name: '+10 s' }).click()
  await page.getByText('open it first').first().waitFor()
  expect(await names()).toEqual(['default'])
  await page.getByRole('button', { name: 'Open it' }).click()
  await page.getByText('Nothing was charged yet').waitFor()
  expect(await names()).toEqual(['default', 'shop-2'])
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await ledger.release()
  expect(await page.getByRole('alert').count()).toBe(0)

  // The same holds for a page that was in the background, where it gets no events.
  const turnTo = (state: 'hidden' | 'visible') =>
    page.evaluate(isHidden => {
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state === 'hidden')
  await turnTo('hidden')
  await expect.poll(() => unanswered.size).toBe(0)
  await gateway.control('DELETE', '/worlds/shop-2')
  await turnTo('visible')
  await page.getByRole('alert').getByText('The world shop-2 is not open any more.').waitFor()
  expect(await names()).toEqual(['default'])

  // A page that has read nothing does not say that it is reading.
  await page.reload()
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByText('Nothing to show yet').waitFor()
})

it('draws at most one mark for a place on the axis, and only for coming changes', () => {
  const states = [0, 10, 20, 21, 90].map(at_ms => ({ at_ms, state: 'queued' as const, word: '' }))
  const moments = momentsOf([{ states }, { states: states.slice(0, 2) }])
  expect(moments).toEqual([10, 10, 20, 21, 90])
  expect(marksIn(moments, { from: 0, to: 100, after: 10 }, 10)).toEqual([20, 90])
  expect([
    countBetween(moments, 0, 20),
    countBetween(moments, 10, 20),
    countBetween(moments, 20, 10),
  ]).toEqual([3, 1, 0])
})

it('zooms around a moment that keeps its place', () => {
  const window = { from: 0, to: 100_000 }
  expect(zoomed(window, 25_000, 0.5)).toEqual({ from: 12_500, to: 62_500 })
  expect(zoomed(window, 0, 1e-9)).toEqual({ from: 0, to: 5000 })
  const widest = zoomed(window, 50_000, 1e9)
  expect(widest.to - widest.from).toBe(30 * 86_400_000)
  expect([momentAt(window, 0.25), momentAt(window, 2), momentAt(window, -1)]).toEqual([25_000, 100_000, 0])
})

it('gives a poster only of a succeeded picture or video', async () => {
  const { body: made } = await create('A poster', small)
  const early = await gateway.control('GET', `/tasks/${made.id}/poster`)
  expect([early.status, early.body.error.message]).toEqual([409, expect.stringContaining('queued')])
  expect((await gateway.control('GET', '/tasks/gone/poster')).status).toBe(404)
  const { body: voice } = await gateway.control('POST', '/tasks', { family: 'k', kind: 'k.voice' })
  await gateway.advance('5m')
  expect((await gateway.control('GET', `/tasks/${voice.id}/poster`)).status).toBe(404)
  const poster = await gateway.download(`${gateway.url}/__emulator/tasks/${made.id}/poster`)
  expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/png'])
})
