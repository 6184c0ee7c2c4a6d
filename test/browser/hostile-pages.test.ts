import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { startInputServer } from '../support/input-server.ts'

const gateway = await openGateway()
const open = await openGateway({ cors: 'any' })
const view = await openBrowser(gateway, { areFaultsMeant: true })
const tasks = '/api/v3/contents/generations/tasks'
const blank = '<!doctype html><title>a page</title>'

/** The paths that were asked of the site. */
const visits: string[] = []

/** Serves the pages: under its own address one of this machine, under another name one of the web. */
const site = await startInputServer((request, response) => {
  visits.push(request.url ?? '')
  response.setHeader('Content-Type', 'text/html').end(blank)
})
afterAll(() => site.close())
const evil = site.origin.replace('127.0.0.1', 'evil.example')

/** A page of that origin. No request is intercepted: one that the driver holds can wait for ever. */
async function pageOf(origin: string): Promise<Page> {
  const page = await view.context.newPage()
  await page.goto(`${origin}/`)
  return page
}

/** What a page reads with `fetch`: the status and the text, or that the browser refused. */
const read = (page: Page, url: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([address, options]) => {
      try {
        const reply = await fetch(address, { ...options, signal: AbortSignal.timeout(20_000) })
        return { status: reply.status, text: await reply.text() }
      } catch {
        return { status: 'refused by the browser', text: '' }
      }
    },
    [url, init] as const,
  )

/** Shows an address in an element of the page, and waits until the browser is done with it, 20 seconds at most. */
const show = (page: Page, url: string, name: 'img' | 'script' | 'iframe' | 'video') =>
  page.evaluate(
    ([address, tag]) =>
      new Promise<string>(resolve => {
        const element = document.createElement(tag)
        setTimeout(resolve, 20_000, 'nothing')
        for (const event of ['load', 'loadeddata', 'error'])
          element.addEventListener(event, () => resolve(event))
        element.src = address
        document.body.append(element)
      }),
    [url, name] as const,
  )

const calling = (body?: object): RequestInit => ({
  method: body ? 'POST' : 'GET',
  headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
})

const state = async (at = gateway) => {
  const items = async (path: string) => (await at.control('GET', path)).body.items.length
  return {
    worlds: await items('/worlds'),
    tasks: await items('/tasks'),
    requests: await items('/requests'),
    now: (await at.control('GET', '/clock')).body.now,
  }
}

it('a page of a public origin opens no world, reads no prompt, makes no task and moves no clock', async () => {
  await gateway.post(tasks, textBody({ content: [{ type: 'text', text: 'a secret plan' }] }))
  const before = await state()
  const page = await pageOf(evil)
  const control = `${gateway.url}/__emulator`
  for (const tag of ['img', 'script'] as const) {
    expect(await show(page, `${control}/worlds/evil-${tag}/clock`, tag)).toBe('error')
    expect(await show(page, `${gateway.url}${tasks}`, tag)).toBe('error')
  }
  await show(page, `${control}/worlds/evil-frame/clock`, 'iframe')
  const refused = { status: 'refused by the browser', text: '' }
  expect(await read(page, `${control}/tasks`)).toEqual(refused)
  expect(await read(page, `${gateway.url}${tasks}`, calling())).toEqual(refused)
  expect(await read(page, `${gateway.url}${tasks}`, calling(textBody()))).toEqual(refused)
  const plain = { method: 'POST', mode: 'no-cors', body: '{"by":"1h"}' } as const
  await read(page, `${control}/clock/advance`, plain)
  await read(page, `${control}/worlds/evil-post/reset`, plain)
  await read(page, `${gateway.url}${tasks}`, { ...plain, body: JSON.stringify(textBody()) })
  expect(await state()).toEqual(before)
})

it('a form of such a page changes nothing, and its frame of the console is empty', async () => {
  const page = await pageOf(evil)
  const before = await state()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await show(page, `${gateway.url}/__emulator/`, 'iframe')
  // A console that is shown asks for its scripts.
  expect(asked).toEqual(['/__emulator/'])
  const answered = page.waitForResponse(reply => reply.url().endsWith('/reset'))
  await page.evaluate(address => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', action: address, enctype: 'text/plain' })
    form.append(document.createElement('button'))
    document.body.append(form)
  }, `${gateway.url}/__emulator/reset`)
  await page.locator('form button').click()
  expect((await answered).status()).toBe(403)
  expect(await state()).toEqual(before)
})

it('a link of such a page opens the console', async () => {
  const page = await pageOf(evil)
  await page.evaluate(address => {
    const link = document.createElement('a')
    Object.assign(link, { href: address, textContent: 'Console' })
    document.body.append(link)
  }, `${gateway.url}/__emulator/`)
  await page.getByRole('link', { name: 'Console' }).click()
  await page.getByRole('link', { name: 'Requests' }).first().waitFor()
})

it('with --cors any the same page uses the emulated API, so the refusals are those of the emulator', async () => {
  const page = await pageOf(evil)
  const made = await read(page, `${open.url}${tasks}`, calling(textBody()))
  expect(made.status).toBe(200)
  expect((await state(open)).tasks).toBe(1)
  expect((await read(page, `${open.url}/__emulator/tasks`)).status).toBe('refused by the browser')
})

it('a page on another port of this machine makes a task, reads it, and moves the clock', async () => {
  const page = await pageOf(site.origin)
  const made = await read(page, `${gateway.url}${tasks}`, calling(textBody()))
  expect(made.status).toBe(200)
  const { id } = JSON.parse(made.text)
  expect((await read(page, `${gateway.url}${tasks}/${id}`, calling())).text).toContain('queued')
  const { now } = await state()
  const moved = await read(page, `${gateway.url}/__emulator/clock/advance`, {
    ...calling({ by: '1h' }),
    headers: { 'Content-Type': 'application/json' },
  })
  expect([moved.status, Date.parse((await state()).now) - Date.parse(now)]).toEqual([200, 3_600_000])
})

it('a hostile report runs nothing in the console, leads nowhere, and asks for nothing', async () => {
  const before = await state()
  visits.length = 0
  const page = await view.open('reports')
  await page.evaluate(() => addEventListener('message', () => document.body.append('a script ran')))
  // Numbers of a bill are put into the page as they are.
  const settled = `<p id="end">all of it</p>
    <script>parent.postMessage('ran', '*')</script><img src="x" onerror="parent.postMessage('ran', '*')">
    <img src="${evil}/picture"><iframe src="${evil}/frame"></iframe><link rel="stylesheet" href="${evil}/style">
    <meta http-equiv="refresh" content="0;url=${evil}/moved">
    <form action="${gateway.url}/__emulator/reset" method="post"><button>send</button></form>
    <a href="${evil}/top" target="_top">away</a> <a href="${evil}/new" target="_blank">beside</a>`
  const bill = { verdict: 'none', settled, undisturbed: 0, lost: 0 }
  const lost = { credits: 0, cases: 0 }
  const row = {
    operation: 'a.create',
    nth: 1,
    id: 'outage',
    verdict: 'stuck',
    end: 'ended',
    level: 'problem',
  }
  const lists = { restarts: [], calls: [], problems: [], warnings: [], causes: [], not_tried: [], stale: [] }
  const cases = [{ ...row, evidence: '', bill, findings: [], log: '', scenario: { name: 'x', rules: [] } }]
  const report = {
    ...lists,
    cases,
    time: { used: 'real', why: 'x' },
    totals: { bill: { lost, twice: lost } },
    seed: 1,
    now: '',
    ms: 0,
  }
  const file = {
    name: 'report.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(report)),
  }
  await page.getByLabel('Open a report').setInputFiles(file)
  const frame = page.frameLocator('iframe')
  await page.getByLabel('Case').selectOption('a.create#1 outage')
  await frame.getByText('all of it').waitFor()
  for (const name of ['away', 'beside']) await frame.getByRole('link', { name }).click()
  await frame.getByRole('button', { name: 'send' }).click()
  await page.evaluate(() => fetch('health'))
  expect(await frame.getByText('all of it').count()).toBe(1)
  expect(await page.getByText('a script ran').count()).toBe(0)
  expect(page.context().pages().length).toBe(1)
  expect(visits).toEqual([])
  expect(await state()).toEqual(before)
})
