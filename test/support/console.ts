import { setTimeout } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request,
  type Route,
} from 'playwright-core'
import { afterAll, afterEach, expect, inject } from 'vitest'
import './browser-setup.ts'
import type { Gateway } from './gateway.ts'

/**
 * Connects to the browser that all files share. What a file opens there is closed after its tests, which fail when a page has thrown or
 * logged an error, unless these are meant.
 */
export async function openBrowser(
  gateway: Pick<Gateway, 'url'>,
  { width = 1280, height = 800, areFaultsMeant = false } = {},
) {
  const browser: Browser = await chromium.connect(inject('browser'))
  /** Every requested address outside the gateway. */
  const outside: string[] = []
  /** Errors in the pages: exceptions, and errors that the browser logged. */
  const faults: string[] = []
  afterAll(async () => {
    await browser.close()
    if (!areFaultsMeant) expect(faults, 'errors in the pages').toEqual([])
  })
  const openContext = async () => {
    const opened = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' })
    opened.setDefaultTimeout(60_000)
    await opened.addInitScript(ownClipboard)
    opened.on('request', request => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${gateway.url}/`))
        outside.push(request.url())
    })
    opened.on('weberror', error => faults.push(error.error().message))
    opened.on('console', message => {
      // The browser also logs every refused request, and some tests are about refused requests.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text())
    })
    return opened
  }
  let context = await openContext()
  // After a failed test the text of its page is kept. Open pages would hold connections, so they are closed.
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    if (!(await closePages(context, failed))) context = await openContext()
  })
  return {
    /** The pages of this file. After a page that hangs it is another one, so read it again in each test. */
    get context() {
      return context
    },
    outside,
    /** Leaves out the requests to another gateway, which a test has opened for its page. */
    forget(url: string) {
      outside.splice(0, outside.length, ...outside.filter(address => !address.startsWith(url)))
    },
    /** A page of the console: `tasks`, `requests/12`, … */
    async open(page: string, { world }: { world?: string } = {}) {
      const opened = await context.newPage()
      const search = world === undefined ? '' : `?world=${world}`
      await opened.goto(`${gateway.url}/__emulator/${search}#/${page}`)
      return opened
    },
  }
}

/** Holds the next reply from an address back. Resolves when the route is set. */
export async function holdReply(page: Page, address: RegExp) {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  let answered = (_: Request) => {}
  const asked = new Promise<Request>(resolve => {
    answered = resolve
  })
  const hold = async (route: Route) => {
    const response = await route.fetch()
    answered(route.request())
    await released
    await route.fulfill({ response })
  }
  await page.route(address, hold, { times: 1 })
  return {
    /** Resolves when the emulator has answered. */
    asked,
    /** Gives the reply to the page, and waits for two frames, in which the page handles it. */
    async release(): Promise<void> {
      const request = await asked
      const late = page.waitForResponse(reply => reply.request() === request)
      release()
      await (await late).finished()
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    },
  }
}

/** Clicks a button, and waits for the text that it makes appear. */
export async function press(page: Page, button: string, text: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByText(text).waitFor()
}

/** Sends a text from the playground, as it is. */
export async function sendJson(page: Page, body: string): Promise<void> {
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('textbox', { name: 'Request body' }).fill(body)
  await page.keyboard.press('Control+Enter')
}

/** Closes all pages. False when one hangs: its context is left alone, so that it takes no other test with it. */
async function closePages(context: BrowserContext, failed: boolean): Promise<boolean> {
  for (const page of context.pages()) {
    if (failed) console.error(`${page.url()}\n${await shownText(page)}`)
    const closed = page.close().then(() => true)
    if (!(await Promise.race([closed, setTimeout(10_000, false, { ref: false })]))) return false
  }
  return true
}

/** The text of a page, or why it shows none: a page that hangs says nothing. */
const shownText = (page: Page): Promise<string> =>
  page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch((error: Error) => error.message)

/** All files share a browser, and a browser has one clipboard: each page gets its own. */
function ownClipboard(): void {
  let copied = ''
  const clipboard = {
    readText: async () => copied,
    writeText: async (text: string) => {
      copied = text
    },
  }
  const { navigator } = globalThis as unknown as { navigator: object }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard })
}
