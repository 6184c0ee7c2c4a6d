import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { pageTitles } from '../../src/console/shell/page-names.ts'
import { colourRules, type Look, loadAxe, violationsOf } from '../support/axe.ts'
import { openBrowser } from '../support/console.ts'
import { creatorOf } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { videoC } from '../support/journey.ts'

const gateway = await openGateway()
const empty = await openGateway()
const desk = await openBrowser(gateway)

const panels = ['worlds', 'accounts', 'ledger', 'assets', 'snapshots', 'findings']
const pages = [
  ...Object.keys(pageTitles),
  'requests/1',
  'requests/2..3',
  'scenarios/chaos',
  'scenarios/new',
  'playground/c.create',
  'connect/ai-sdk',
  ...panels.map(panel => `world/${panel}`),
]
let open: readonly string[] = pages

beforeAll(async () => {
  const create = creatorOf(gateway)
  await create('refused', { resolution: '9k' })
  const made = await create('A very long prompt '.repeat(20))
  await create('failing [[fail:InternalServiceError]]')
  await create('never ending [[never]]', { colour: 'red' })
  await gateway.post('/v2/video_generation', videoC('another family'))
  await gateway.control('POST', '/snapshots', { name: 'ready' })
  await gateway.control('POST', '/assets', {
    kind: 'image',
    url: `${gateway.url}/__emulator/samples/square.png`,
  })
  await gateway.advance('3m')
  open = [...pages, `tasks/${made.body.id}`]
})

/** Requests of the page that are under way, without the stream of events. */
const underWay = new Set<Request>()
desk.context.on('request', request => {
  if (request.resourceType() !== 'eventsource') underWay.add(request)
})
for (const ended of ['requestfinished', 'requestfailed'] as const)
  desk.context.on(ended, request => void underWay.delete(request))

/** Goes there within the same load of the page, and waits until it has drawn what it reads. */
async function show(page: Page, name: string): Promise<void> {
  await page.evaluate(hash => location.assign(hash), `#/${name}`)
  await page.waitForURL(`**/#/${name}`)
  await page.locator('main h1, main h2').first().waitFor({ state: 'attached' })
  await page
    .getByRole('heading', { name: /^Reading/ })
    .first()
    .waitFor({ state: 'detached' })
  // A loaded page requests its content, which may cause further requests.
  for (let quiet = 0; quiet < 3; quiet = underWay.size === 0 ? quiet + 1 : 0) await drawn(page)
}

async function faultsOf(page: Page, look: Look): Promise<string[]> {
  const violations = await violationsOf(page, look)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ rule, html, summary }) => `${rule}: ${html} ${summary}`)
}

/** The faults that were found, by place; tests expect none. */
const found = {
  light: [] as string[],
  dark: [] as string[],
  phone: [] as string[],
  wide: [] as string[],
  uneven: [] as string[],
  unevenOnPhone: [] as string[],
  native: [] as string[],
}
/** Radios and checkboxes that were looked at. */
let inputs = 0

/** Checks each page once, in both colours and both sizes, within one load: loading a page takes longer than the checks. */
beforeAll(async () => {
  const page = await desk.open('tasks')
  await loadAxe(page)
  for (const name of open) {
    const keep = (list: string[], faults: readonly string[]) =>
      list.push(...faults.map(fault => `${name}: ${fault}`))
    await show(page, name)
    // The frame around the pages is the same on each.
    const part = name === open[0] ? 'html' : 'main'
    keep(found.light, await faultsOf(page, { part }))
    keep(found.uneven, await unevenTexts(page))
    const seen = await inputsOf(page)
    inputs += seen.length
    keep(
      found.native,
      seen.filter(({ isNative }) => isNative).map(({ html }) => html),
    )
    await page.emulateMedia({ colorScheme: 'dark' })
    keep(found.dark, await faultsOf(page, { part, rules: colourRules }))
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    await drawn(page)
    const width = await page.evaluate(() =>
      Math.max(document.documentElement.scrollWidth, document.querySelector('main')?.scrollWidth ?? 0),
    )
    if (width > 390) found.wide.push(`${name}: ${width} px wide`)
    keep(found.phone, await faultsOf(page, { part }))
    keep(found.unevenOnPhone, await unevenTexts(page))
    await page.setViewportSize({ width: 1280, height: 800 })
    await drawn(page)
  }
})

/** Lists measure themselves after the layout, and draw again. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** The radios and checkboxes of a page, and whether the browser draws them, and not the console's stylesheet. */
function inputsOf(page: Page): Promise<{ html: string; isNative: boolean }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('input:is([type=radio], [type=checkbox])')].map(input => ({
      html: input.outerHTML,
      isNative: getComputedStyle(input).appearance !== 'none',
    })),
  )
}

/** Elements that must begin at the inset of their column: heads, rows, first cells, lists, bars and forms. */
const beginners = [
  '.page-title > :first-child, .page-title > p, .page-head, .panel > header > :first-child, .panel > .body > :first-child, .detail-head > *, .composer-head > *',
  '.task-row, .request-row, :is(th, td):first-child, .scenario-list li, .rule h3, .findings li, .manners li',
  '.world nav a:first-of-type, .tabs > button:first-child, .form > *, .facts dt, .clients, .connect-hint, .first-request',
  '.brand, .clock-buttons, .editor h2, .body-text h3, .axis-head, .life-steps, .task-actions, .task-next, .why h3, .remark',
].join(', ')

/** Elements that begin elsewhere: the first letter, or the edge of the first box with a border or a colour, is not at the inset. */
function unevenTexts(page: Page): Promise<string[]> {
  return page.evaluate(selector => {
    const inset = Number.parseFloat(getComputedStyle(document.body).getPropertyValue('--inset'))
    const boxes =
      'button:not(.tabs > button, .plain), .button:not(.plain), .field, .pill, .tag, .switch, .poster, .dot, .first-mark, .item, summary, img, svg'
    const beginning = (element: Element): number => {
      const lefts: number[] = []
      const parts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
      for (let part: Node | null = element; part; part = parts.nextNode()) {
        const range = document.createRange()
        range.selectNode(part)
        const isShown = part.parentElement?.closest('.unseen') === null
        const isSeen = part instanceof Element ? part.matches(boxes) : part.textContent?.trim() !== ''
        const { left, width } = range.getBoundingClientRect()
        if (isShown && isSeen && width > 0) lefts.push(left)
      }
      return Math.min(...lefts)
    }
    const uneven = [...document.querySelectorAll(selector)]
      .filter(
        one => !one.closest('.empty, .card, .differences, .unseen, .schema, .item') && one.checkVisibility(),
      )
      .map(one => {
        const column = one.parentElement?.closest(
          '.columns > *, .requests-detail, .requests-list, .trace-panel, .shell',
        )
        const left = beginning(one) - (column?.getBoundingClientRect().left ?? 0)
        return { left, text: `${one.tagName} ${one.className}: ${one.textContent?.slice(0, 40)}` }
      })
    if (uneven.length < 3) return [`only ${uneven.length} texts were found`]
    // A letter begins a little beside its place, and a column with a line at its left one px later.
    return uneven
      .filter(({ left }) => Number.isFinite(left) && Math.abs(left - inset) > 2.5)
      .map(({ left, text }) => `begins at ${left}, not ${inset}: ${text}`)
  }, beginners)
}

for (const colours of ['light', 'dark'] as const) {
  it(`has no serious fault of accessibility in ${colours} colours (axe)`, () => {
    expect(found[colours]).toEqual([])
  })
}

it('fits a phone without scrolling sideways, and is accessible there too (axe)', () => {
  expect([...found.wide, ...found.phone]).toEqual([])
})

it('begins all text of a column on one vertical line, on a desk and on a phone', () => {
  expect([...found.uneven, ...found.unevenOnPhone]).toEqual([])
})

it('shows twenty requests at 1280 × 800, a line each, and two lines each on a phone', async () => {
  const page = await desk.open('requests')
  const row = page.locator('.request-row').first()
  const heights = async () => ({
    row: (await row.boundingBox())?.height ?? 0,
    list: (await page.locator('.virtual').boundingBox())?.height ?? 0,
    lines: await row.evaluate(link => {
      const words = link.querySelectorAll('strong, time')
      return new Set([...words].map(word => Math.round(word.getBoundingClientRect().top / 8))).size
    }),
  })
  const wide = await heights()
  expect(wide.list / wide.row).toBeGreaterThanOrEqual(20)
  expect(wide.lines).toBe(1)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await heights()).lines).toBe(2)
  const narrow = await heights()
  expect(narrow.list / narrow.row).toBeGreaterThanOrEqual(10)
  // The first step of the clock begins where nothing fades yet, 32 px before the edge: a sign that more can be scrolled to.
  const room = () =>
    page.locator('.clock-moves').evaluate(moves => {
      const step = [...moves.querySelectorAll('button')].find(({ textContent }) => textContent === '+10 s')
      return moves.getBoundingClientRect().right - 32 - (step?.getBoundingClientRect().left ?? 0)
    })
  await expect.poll(room).toBeGreaterThan(8)
  // A long id is broken: one request is no wider than the phone.
  await row.click()
  const detail = page.getByRole('region', { name: 'Details' })
  await detail.getByRole('button', { name: 'Copy as curl' }).waitFor()
  expect(await detail.evaluate(box => box.scrollWidth - box.clientWidth)).toBe(0)
})

it('shows three whole tasks at 1280 × 800 and 200 %, and all of its top', async () => {
  const page = await desk.open('tasks')
  await page.setViewportSize({ width: 640, height: 400 })
  await page.locator('.task-row').nth(2).waitFor()
  const bottom = (part: string, index: number) =>
    page
      .locator(part)
      .nth(index)
      .evaluate(one => one.getBoundingClientRect().bottom)
  const top = await page.locator('.clock').evaluate(one => one.getBoundingClientRect().top)
  await expect.poll(() => bottom('.task-row', 2)).toBeLessThanOrEqual(top)
  const theme = await page.getByRole('button', { name: /^Colours/ }).boundingBox()
  expect((theme?.x ?? 0) + (theme?.width ?? 0)).toBeLessThanOrEqual(640)
  // What changes the behaviour of the world has room at the top, and rows of a trace are in sight.
  expect((await page.locator('.chips').boundingBox())?.width).toBeGreaterThan(48)
  await page.goto(`${gateway.url}/__emulator/#/trace`)
  await page.locator('.trace-line').first().waitFor()
  const room = await page.locator('.trace-lines .virtual').boundingBox()
  const row = await page.locator('.trace-line').first().boundingBox()
  expect((room?.height ?? 0) / (row?.height ?? 1)).toBeGreaterThan(2.5)
})

it.each(['tasks', 'requests'])(
  'in the list of %s the beginning of a prompt is seen, from right to left and without a space',
  async name => {
    const key = 'sk-test-leftwards'
    const firsts = ['מגדלור', 'xxxxxx']
    for (const text of [`${firsts[0]} בשעת הזריחה, גלים נשברים על הסלעים `.repeat(6), 'x'.repeat(4000)]) {
      const body = { model: 'model_a_20', content: [{ type: 'text', text }] }
      await gateway.call('POST', '/api/v3/contents/generations/tasks', body, { key })
    }
    const page = await desk.open(name, { world: 'leftwards' })
    for (const first of firsts) {
      const prompt = page.locator('.task-row .cut, .request-row .cut').filter({ hasText: first }).first()
      await prompt.waitFor()
      const isSeen = await prompt.evaluate((box, start) => {
        const parts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
        while (parts.nextNode() && !parts.currentNode.textContent?.startsWith(start));
        const word = document.createRange()
        word.setStart(parts.currentNode, 0)
        word.setEnd(parts.currentNode, 6)
        const [seen, edge] = [word, box].map(one => one.getBoundingClientRect())
        return seen && edge && seen.width > 0 && seen.left >= edge.left && seen.right <= edge.right + 1
      }, first)
      expect(isSeen, first).toBe(true)
    }
  },
)

it('draws radio buttons and checkboxes in its own style', () => {
  expect(found.native).toEqual([])
  expect(inputs).toBeGreaterThan(5)
})

it('animates the icons of running tasks while the clock runs, unless the user prefers reduced motion', async () => {
  await gateway.control('PATCH', '/clock', { mode: 'realtime' })
  const page = await desk.open('tasks')
  const sign = page.locator('.task-row .tone-running.turns svg').first()
  const motion = () => sign.evaluate(svg => getComputedStyle(svg).animationName)
  await sign.waitFor()
  expect(await motion()).toBe('none')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await motion()).toBe('turn')
  await page.close()
  await gateway.control('PATCH', '/clock', { mode: 'manual' })
})

it('says on every empty page what to do next', async () => {
  const page = await desk.context.newPage()
  const steps: Record<string, string> = {
    tasks: 'Make one in the playground',
    requests: 'Send one from the playground',
    'world/accounts': 'An account opens with its first request',
    'world/ledger': 'A create reserves its price',
    'world/assets': 'Add a file',
    'world/snapshots': 'A snapshot keeps the world',
    'world/findings': 'it polls too fast',
  }
  for (const [name, step] of Object.entries(steps)) {
    await page.goto(`${empty.url}/__emulator/#/${name}`)
    await page.getByText(step).first().waitFor()
  }
  await page.close()
  desk.forget(empty.url)
})

it('remembers the colours that were chosen', async () => {
  const page = await desk.open('tasks')
  await page.getByRole('button', { name: 'Colours: as the system' }).click()
  await page.getByRole('button', { name: 'Colours: light' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(15, 17, 22)')
  await page.getByRole('button', { name: 'Colours: dark' }).click()
})

it('no other page can frame the console, and the console may request nothing from other hosts', async () => {
  const reply = await fetch(`${gateway.url}/__emulator/`)
  const policy = reply.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect((await fetch(`${gateway.url}/__emulator`, { redirect: 'manual' })).headers.get('location')).toBe(
    '/__emulator/',
  )
  const page = await reply.text()
  const script = /src="\.\/(static\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
  const asset = await fetch(`${gateway.url}/__emulator/${script}`)
  expect(asset.status).toBe(200)
  expect(asset.headers.get('cache-control')).toContain('immutable')
})

it('no page requests anything from other hosts', () => {
  expect(desk.outside).toEqual([])
})
