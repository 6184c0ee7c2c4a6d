import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { mannersOf, scoreOf } from '../../src/console/connect/manners.ts'
import { snippets } from '../../src/console/connect/snippets.ts'
import { readReport } from '../../src/console/reports/read-report.ts'
import { nameOfRow, worstFirst } from '../../src/explore/judge/row.ts'
import { htmlReport } from '../../src/explore/report/html.ts'
import type { WrittenReport } from '../../src/explore/report/report.ts'
import { connectEmulator } from '../../src/index.ts'
import type { RequestView } from '../../src/kits/client/types.ts'
import { openBrowser } from '../support/console.ts'
import { creatorOf } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { openGateway } from '../support/gateway.ts'
import { findPython } from '../support/python.ts'
import { run } from '../support/run.ts'

const gateway = await openGateway({ clock: { mode: 'auto', rate: 1 } })
const view = await openBrowser(gateway)
const folder = ownFolder('snippets', join(root, 'node_modules/.cache'))

const sheets = ['tokens', 'report'].map(name =>
  readFileSync(join(root, `fixtures/report/${name}.css`), 'utf8'),
)
const textOf = (name: string) =>
  snippets.find(one => one.name === name)?.text({ url: gateway.url, key: 'sk-emulator' }) ?? ''

it('gives snippets that run as copied, and shows the first request and the client’s habits', async () => {
  const page = await view.open('connect')
  await page.getByRole('heading', { name: 'Waiting for the first request' }).waitFor()
  await page.getByText('nothing seen yet').waitFor()
  await page.getByRole('button', { name: 'Copy the snippet' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(textOf('curl'))
  writeFileSync(join(folder, 'first.sh'), copied)
  expect((await run('sh', [join(folder, 'first.sh')])).stdout).toContain('cgt-')
  await page.getByRole('heading', { name: 'First request received' }).waitFor()
  const manners = page.getByRole('region', { name: 'Manners' })
  await manners.getByText('1 of 1 kept').waitFor()
  await creatorOf(gateway)('x', { colour: 'red' })
  await manners.getByText('sent fields that are ignored: colour').waitFor()
  await page.getByRole('button', { name: 'OpenAI' }).click()
  await page.getByText('new OpenAI(').waitFor()
  expect(page.url()).toContain('#/connect/openai')
})

const python = await findPython()
const hasPython = (await run(python, ['--version']).catch(() => ({ code: 1 }))).code === 0

it.each([
  ['node', '', 'client.mjs', 'node', /^succeeded http/m],
  ['python', hasPython ? '' : ' (not tried: no Python was found)', 'client.py', python, /^succeeded http/m],
  ['openai', '', 'openai.mjs', 'node', /^http/m],
  ['ai-sdk', '', 'ai-sdk.mjs', 'node', /^video\/mp4 \d+ bytes/m],
])('the snippet for %s runs unchanged%s', async (name, missing, file, program, said) => {
  if (missing) return
  writeFileSync(join(folder, file), textOf(name))
  const { code, stdout, stderr } = await run(program, [join(folder, file)], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  })
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(said)
})

it('the snippet for the environment is valid shell, and every snippet names the address and the key', async () => {
  writeFileSync(join(folder, 'environment.sh'), `${textOf('environment')}\necho "$OPENAI_BASE_URL"`)
  const { stdout } = await run('sh', [join(folder, 'environment.sh')])
  expect(stdout.trim()).toBe(`${gateway.url}/api/v3`)
  for (const { name } of snippets) {
    expect(textOf(name)).toContain(gateway.url)
    expect(textOf(name)).toContain('sk-emulator')
  }
})

it('counts a habit of the client only when a request could show it', () => {
  const entry = (operation: string, method = 'GET', more: object = {}) =>
    ({
      operation,
      method,
      status: 200,
      path: '/x',
      request: { body: null },
      response: { headers: {}, body: {} },
      ...more,
    }) as RequestView
  const kept = (entries: RequestView[]) =>
    mannersOf([], entries).flatMap(({ state, title }) => (state === 'kept' ? [title] : []))
  expect(scoreOf(mannersOf([], []))).toEqual({ kept: 0, seen: 0 })
  const found = [{ kind: 'polls_after_end' as const, text: 'polled once more', request_ids: [] }]
  const manners = mannersOf(found, [entry('a.get'), entry('a.create', 'POST')])
  expect(scoreOf(manners)).toEqual({ kept: 1, seen: 2 })
  const poll = (at_ms: number) => entry('a.get', 'GET', { task_id: 't', at_ms })
  expect(kept([poll(0)])).toEqual([])
  // Two polls of one moment, under a clock that stands, do not show how long the client waits.
  expect(kept([poll(5000), poll(5000)])).toEqual([])
  expect(kept([poll(5000), poll(0)])).toEqual(['Waits between two polls'])
  expect(kept([entry('b.get', 'GET', { state: 'running' })])).toEqual([])
  expect(kept([entry('b.get', 'GET', { state: 'failed' })])).toEqual(['Stops polling when a task is over'])
  const refused = entry('a.create', 'POST', {
    status: 429,
    response: { headers: { 'Retry-After': 2 }, body: {} },
  })
  expect(kept([refused])).not.toContain('Waits as long as Retry-After asks')
  expect(kept([entry('a.create', 'POST'), refused])).toContain('Waits as long as Retry-After asks')
  expect(kept([entry('media.download', 'GET', { status: 403 })])).toEqual(['Fetches results without its key'])
  expect(kept([entry('media.download')])).toContain('Fetches what it paid for')
  expect(manners.find(({ state }) => state === 'broken')).toMatchObject({ texts: ['polled once more'] })
  expect(manners.find(({ title }) => /Retry-After/.test(title))?.state).toBe('unseen')
})

it('shows the page of an explore report, and switches the scenario of a case on', async () => {
  const client = connectEmulator(gateway.url)
  const report = await client.explore(
    async ({ world }) => {
      const reply = await fetch(`${world.baseUrl}/api/v3/images/generations`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: 'model_image', prompt: 'x', size: '1K' }),
      })
      if (!reply.ok) throw new Error(`refused with ${reply.status}`)
      await reply.json()
    },
    { only: ['rate_limited', 'proxy_page'] },
  )
  await signsAndColours(report)
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  const page = await view.open('reports')
  const frame = page.frameLocator('iframe')
  await page.getByLabel('Open a report').setInputFiles(file)
  await frame.getByRole('heading', { name: `in ${report.cases.length} cases` }).waitFor()
  const [first, second] = report.cases.map(nameOfRow)
  if (first === undefined || second === undefined) throw new Error('No two cases were tried')
  const open = frame.locator('details[open] .name')
  // A cell of the matrix opens its case, although no script runs in the frame.
  await frame.getByRole('link', { name: `${second}: ` }).click()
  await expect.poll(() => open.allTextContents()).toEqual([second])
  await page.getByLabel('Case').selectOption(first)
  await expect.poll(() => open.allTextContents()).toEqual([first])
  // After a reload the report and the case that the address names are open again.
  await page.reload()
  await expect.poll(() => open.allTextContents()).toEqual([first])
  await page.getByRole('button', { name: 'Switch its scenario on in this world' }).click()
  const { name } = report.cases[0]?.scenario ?? {}
  await page.getByText(`${name} is active now`).waitFor()
  expect((await gateway.control('GET', '/scenarios')).body.active).toContain(name)
  await gateway.control('PUT', '/scenarios/active', { names: [] })
  await page.getByRole('button', { name: 'Copy the command that plays it' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`--only '${first}'`)

  // A dropped file that is not a report shows the reason; the next one is a comparison.
  const drop = (name: string, text: string) =>
    page.evaluate(
      ([fileName, content]) => {
        const data = new DataTransfer()
        data.items.add(new File([content ?? ''], fileName ?? ''))
        document
          .querySelector('.reports')
          ?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
      },
      [name, text],
    )
  // A file that was written again can be opened again: the field does not keep its name.
  const field = page.getByLabel('Open a report')
  await field.dispatchEvent('click')
  expect(await field.inputValue()).toBe('')
  await drop('page.html', '<!doctype html>')
  await page.getByText('page.html cannot be shown.').waitFor()
  await drop('compared.json', JSON.stringify(compared))
  await page.getByRole('heading', { name: '1 row contradicted, 0 differences' }).waitFor()
  await page.getByRole('cell', { name: 'running' }).waitFor()
  // A report with parts of another version says so, and the page goes on.
  await drop('other.json', JSON.stringify({ ...report, totals: null }))
  await page.getByText('other.json cannot be shown. Another version of explore wrote it.').waitFor()
})

/** A verdict has one colour on the page of a report, also where a case counts as something else, and no sign is read as a count. */
async function signsAndColours(report: WrittenReport): Promise<void> {
  const cases = report.cases.map((row, i) =>
    i === 1 ? { ...row, verdict: 'paid_for_nothing' as const, level: 'warning' as const } : row,
  )
  const sheet = await view.context.newPage()
  await sheet.setContent(htmlReport({ ...report, cases }, { style: sheets.join('\n') }))
  const colourOf = (part: Locator) => part.evaluate(element => getComputedStyle(element).backgroundColor)
  const legend = sheet.locator('.legend > span')
  const [colour, ...others] = await Promise.all(
    [
      legend.filter({ hasText: 'paid for nothing' }).locator('.verdict'),
      sheet.getByRole('link', { name: 'paid_for_nothing, a warning' }),
      sheet.locator('summary .verdict', { hasText: 'paid for nothing, a warning' }),
    ].map(colourOf),
  )
  expect(others).toEqual([colour, colour])
  expect(await colourOf(legend.filter({ hasText: 'unsteady' }).locator('.verdict'))).not.toBe(colour)
  // "2 paid twice" would be read as a count.
  expect((await legend.allTextContents()).filter(text => /\d/.test(text))).toEqual([])
}

const compared = {
  recordings: [{ name: 'one.har', requests: 3, repeated: 3, jobs: 1, ignored: 0 }],
  compared: 9,
  rows: [
    {
      id: 'A-delete',
      kind: 'assumption',
      says: 'What does DELETE answer?',
      status: 'contradicted',
      seen: 1,
      differences: [
        {
          recording: 'one.har',
          request: '#2 DELETE /x',
          operation: 'a.delete',
          aspect: 'value',
          path: 'status',
          recorded: 'queued',
          emulated: 'running',
        },
      ],
    },
    { id: 'A-null', kind: 'assumption', says: 'Nulls', status: 'confirmed', seen: 2, differences: [] },
  ],
  unclaimed: [],
}

it.each([
  ['text', 'It is not JSON.'],
  ['<html>', 'It is a page or XML.'],
  ['{"cases":[{}],"calls":[],"problems":[]}', 'neither a report of explore'],
  ['[]', 'neither a report of explore'],
])('does not accept %s as a report', (text, reason) => {
  expect(readReport('x', text)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) })
})

it('sorts problems before warnings, and warnings before the rest', () => {
  const row = (id: string, level: string) => ({ operation: 'a.create', nth: 1, id, level })
  const cases = [row('1', 'good'), row('2', 'warning'), row('3', 'problem'), row('4', 'good')] as never[]
  expect(worstFirst(cases).map(({ id }) => id)).toEqual(['3', '2', '1', '4'])
})
