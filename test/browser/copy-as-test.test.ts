// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { literal } from '../../src/console/copies/literal.ts'
import type { TestForm } from '../../src/console/copies/part.ts'
import { runOfTask } from '../../src/console/copies/part.ts'
import { expectedIn } from '../../src/console/copies/steps.ts'
import { testCopy } from '../../src/console/copies/test-of.ts'
import type { Trace } from '../../src/kits/client/types.ts'
import { openBrowser } from '../support/console.ts'
import { creatorOf, tasksPath as tasks } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { openGateway } from '../support/gateway.ts'
import { findPytest, unlessMissing } from '../support/python.ts'
import { type Ended, run } from '../support/run.ts'
import { vitestConfig } from '../support/vitest-config.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)
const folder = ownFolder('copied', join(root, 'node_modules/.cache'))

/** Copied tests download the videos of their stories, so these are short and small. */
const small = { ratio: '16:9', resolution: '480p', duration: 4 }
/** Copied by a click, in the browser. */
let clicked = ''
/** The stories whose tests are copied. */
let told: Awaited<ReturnType<typeof stories>> = []
/** The run of the copied tests by vitest: all pass but one that was made to fail. */
let ended: Ended = { code: null, stdout: '', stderr: '' }
const pytest = await findPytest()
const environment = { PATH: process.env.PATH, NO_COLOR: '1', GATEWAY_EMULATOR_URL: gateway.url }

/** The test of a task, the newest when none is named, as the console makes it. */
async function testOfTask(form: TestForm, named?: string): Promise<string> {
  const { body: list } = await gateway.control('GET', '/tasks?limit=1')
  const id = named ?? list.items[0].id
  const { body } = await gateway.control(
    'GET',
    `/trace${named === undefined ? `?task=${encodeURIComponent(id)}` : ''}`,
  )
  return testCopy(form, runOfTask(body as Trace, id), gateway.url).text
}

const turned = 'its create is answered after that of another task'

/** The calls of an operation that rules counted. */
const callsOf = ({ attempts }: Trace, operation: string) =>
  attempts
    .filter(attempt => attempt.operation === operation)
    .flatMap(({ calls }) => calls)
    .filter(({ counted }) => counted !== false)

/** A copied test that also looks whether its first create was answered after the second one. */
const withOrder = (text: string) =>
  text.replace(
    /\}\)\n$/,
    `  const { attempts } = await world.trace()
  const acted = attempts.flatMap(({ calls }) => calls.map(one => one.acted ?? ''))
  expect(acted.join()).toContain('sent after call 2 of a.create was answered')
})
`,
  )

/** Makes stories of many kinds, and returns each as tests: a name and a text for every form. */
async function stories(): Promise<{ name: string; texts: Record<TestForm, string> }[]> {
  const told: { name: string; texts: Record<TestForm, string> }[] = []
  const keep = async (name: string, id?: string) => {
    const textOf = (form: TestForm) => testOfTask(form, id)
    const [vitest, playwright] = [await textOf('vitest'), await textOf('playwright')]
    told.push({ name, texts: { vitest, playwright, pytest: await textOf('pytest') } })
  }
  const create = async (prompt: string, key?: string) =>
    (await creatorOf(gateway, 'model_a_25')(prompt, small, key)).body.id
  const inject = (operation: string, nth: number, then: object) =>
    gateway.control('POST', '/inject', { operation, nth, then })
  const poll = (id: string, key?: string) => gateway.get(`${tasks}/${id}`, key)

  const one = await create('It\'s "quoted", with a \\ and ünïcode 🎈\nand a second line')
  for (let i = 0; i < 4; i++) await poll(one)
  await gateway.advance('40s')
  const done = await poll(one)
  await gateway.download(done.body.content.video_url)
  await keep('succeeds and is downloaded')

  await inject('a.get', 2, { refuse: { fault: 'rate_limited', retry_after: '3s' } })
  const two = await create('fails late [[fail:OutputVideoSensitiveContentDetected]]', 'sk-emulator.shop')
  await poll(two, 'sk-emulator.shop')
  await poll(two, 'sk-emulator.shop')
  await gateway.advance('1m')
  await poll(two, 'sk-emulator.shop')
  await keep('fails for another account, after a refused poll')

  const three = await create('cancelled')
  await gateway.delete(`${tasks}/${three}`)
  await poll(three)
  await keep('is cancelled by its client')

  const four = await create('forced')
  await gateway.advance('5s')
  await gateway.control('POST', `/tasks/${four}/force`, { status: 'failed', error: { code: 'Mine' } })
  await poll(four)
  await keep('is forced')

  await create('never [[never]]')
  await keep('is never polled')

  await gateway.post('/image-to-video/model_k_30', {
    prompt: 'From a sample',
    settings: { resolution: '1080p', duration: 5 },
    contents: [{ type: 'first_frame', url: `${gateway.url}/__emulator/samples/landscape.jpg` }],
  })
  const { body: k } = await gateway.control('GET', '/tasks?limit=1')
  await gateway.get(`/tasks?task_ids=${k.items[0].id}`)
  await gateway.advance('2m')
  await gateway.get(`/tasks?task_ids=${k.items[0].id}`)
  await keep('starts from a file of the emulator')

  const faults = ['truncated', 'empty', 'corrupt', 'wrong_type']
  for (const [i, media] of faults.entries()) await inject('media.download', i + 1, { media })
  const made = await gateway.post('/api/v3/images/generations', {
    model: 'model_image',
    prompt: 'A picture',
    size: '1K',
  })
  for (const _ of ['whole', ...faults]) await gateway.download(made.body.data[0].url).catch(() => undefined)
  await keep('is done at once, and its file breaks in four ways')

  await inject('a.create', 1, { refuse: { fault: 'rate_limited', retry_after: '2s' } })
  await inject('a.get', 1, { connection: { reset: 'mid_body' } })
  await create('refused first')
  await gateway.advance('2s')
  const five = await create('refused first')
  await poll(five).catch(() => undefined)
  await gateway.advance('1m')
  await poll(five)
  await gateway.control('POST', `/tasks/${five}/expire-link`, {})
  await poll(five)
  await keep('is refused before its task, then a poll breaks off')

  await gateway.control('POST', '/tasks', { family: 'k', kind: 'k.voice', request: { voice_name: 'Anna' } })
  await gateway.advance('2m')
  await keep('was made by the control API')

  const { body: earlier } = await gateway.control('GET', '/trace')
  const creates = callsOf(earlier as Trace, 'a.create').length
  await inject('a.create', 1, { connection: { after: { operation: 'a.create', call: creates + 2 } } })
  const six = create('answered second')
  await expect.poll(async () => (await gateway.control('GET', '/trace')).body.open.length).toBe(1)
  await create('answered first')
  await poll(await six)
  await keep(turned, await six)
  return told
}

it('copies the story of a task as a test with one click', async () => {
  const made = await creatorOf(gateway)('Copied in the browser', small)
  await gateway.get(`${tasks}/${made.body.id}`)
  await gateway.advance('1m')
  await gateway.get(`${tasks}/${made.body.id}`)
  const page = await view.open(`tasks/${made.body.id}`)
  const group = page.getByRole('group', { name: 'Copy as test' })
  for (const [name, word] of [
    ['pytest', 'def test_copied_in_the_browser_succeeded(world):'],
    ['Playwright', "from 'generation-gateway-emulator/playwright'"],
    ['vitest', "from 'generation-gateway-emulator/vitest'"],
  ] as const) {
    await group.getByRole('button', { name }).click()
    await page.getByText(`Copied as a test for ${name}`).waitFor()
    clicked = await page.evaluate(() => navigator.clipboard.readText())
    expect(clicked).toContain(word)
  }
})

it('copied tests pass when vitest runs them, and are valid TypeScript for Playwright', async () => {
  told = await stories()
  for (const [i, { name, texts }] of told.entries()) {
    writeFileSync(join(folder, `told-${i}.test.ts`), name === turned ? withOrder(texts.vitest) : texts.vitest)
    writeFileSync(join(folder, `told-${i}.spec.ts`), texts.playwright)
    writeFileSync(join(folder, `test_told_${i}.py`), texts.pytest)
  }
  writeFileSync(join(folder, 'clicked.test.ts'), clicked)
  const paths = Object.fromEntries(
    ['vitest', 'playwright'].map(kit => [`generation-gateway-emulator/${kit}`, [`${root}dist/${kit}.d.ts`]]),
  )
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: `${root}tsconfig.json`,
      compilerOptions: { noEmit: true, paths, types: ['node'], rootDir: root, skipLibCheck: true },
      include: [`${folder}/*.ts`],
    }),
  )
  const types = await run('node', [`${root}node_modules/typescript/bin/tsc`, '-p', folder])
  expect(types.stdout).toBe('')

  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    vitestConfig({
      cacheDir: join(folder, 'vite'),
      resolve: { alias: { 'generation-gateway-emulator/vitest': `${root}dist/vitest.js` } },
      test: { include: ['*.test.ts'], testTimeout: 60_000, isolate: false, maxWorkers: 1 },
    }),
  )
  // One of them is for the next test: a process of vitest takes longer than the tests.
  const wrong = clicked.replaceAll("toBe('succeeded')", "toBe('failed')")
  expect(wrong).not.toBe(clicked)
  writeFileSync(join(folder, 'wrong.test.ts'), wrong)
  const options = ['run', '--root', folder, '--config', join(folder, 'vitest.config.mjs')]
  ended = await run('node', [`${root}node_modules/vitest/vitest.mjs`, ...options], {
    ...{ cwd: folder, env: environment },
  })
  const passed = told.length + 1
  expect(ended.stdout, ended.stdout + ended.stderr).toContain(
    `Tests  1 failed | ${passed} passed (${passed + 1})`,
  )
}, 300_000)

it(`copied tests pass when pytest runs them${unlessMissing('pytest', pytest)}`, async () => {
  if (pytest === undefined) return
  const python = await run(
    pytest,
    ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'generation_gateway_emulator.plugin', folder],
    {
      cwd: folder,
      env: {
        ...environment,
        PYTHONPATH: `${root}python`,
        PYTHONDONTWRITEBYTECODE: '1',
        PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
      },
    },
  )
  expect(python.code, python.stdout + python.stderr).toBe(0)
  expect(python.stdout).toContain(`${told.length} passed`)
}, 300_000)

it('a copied test fails when the replies differ', () => {
  const { code, stdout, stderr } = ended
  expect(code).toBe(1)
  expect(stdout + stderr).toContain("expected 'succeeded' to be 'failed'")
  expect(stdout + stderr).toMatch(/FAIL\s+wrong\.test\.ts/)
})

it('a copied test compares only those values of a reply that are equal in all worlds', () => {
  expect(
    expectedIn({
      task: { id: 'x', status: 'failed', error: { code: 'C', message: 'm' }, created_at: 1 },
      items: [{ modality: 'text', duration: 4 }],
    }),
  ).toEqual([
    { path: ['task', 'status'], value: 'failed' },
    { path: ['task', 'error', 'code'], value: 'C' },
    { path: ['items', 0, 'modality'], value: 'text' },
  ])
  expect(expectedIn('a text')).toEqual([])
})

it('writes long values in several lines and short ones in one', () => {
  const spelling = {
    words: { true: 'True', false: 'False', null: 'None' },
    key: JSON.stringify,
    string: JSON.stringify,
    indent: '    ',
  }
  expect(literal({ a: [true, null], b: {} }, spelling)).toBe('{"a": [True, None], "b": {}}')
  expect(literal(['x'.repeat(60), 'y'.repeat(60)], spelling)).toBe(
    `[\n    "${'x'.repeat(60)}",\n    "${'y'.repeat(60)}",\n]`,
  )
})
