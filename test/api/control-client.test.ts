// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import supertest from 'supertest'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { hostInUrl } from '../../src/emulator/http/origin.ts'
import {
  connectEmulator,
  createEmulator,
  EmulatorError,
  type ScenarioDocument,
  type StartOptions,
  startEmulator,
  UsageError,
} from '../../src/index.ts'
import { traceText } from '../../src/kits/client/trace-views.ts'
import { ownFolder } from '../support/folders.ts'

const path = '/api/v3/contents/generations/tasks'
const now = '2026-03-01T08:00:00.000Z'
const folder = ownFolder('control-client')
const emulator = await startEmulator({ clock: 'manual', seed: 7, now, strict: true, dataDir: undefined })
afterAll(() => emulator.close())
const it = test.extend('world', () => emulator.openWorld())

/** `startEmulator`, until the test ends. */
async function started(options: StartOptions) {
  const one = await startEmulator(options)
  onTestFinished(() => one.close())
  return one
}

const create = async (key: string, text = 'a kite', duration = 5) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ model: 'model_a_20', content: [{ type: 'text', text }], duration })
  const reply = await fetch(`${emulator.url}${path}`, { method: 'POST', headers, body })
  return ((await reply.json()) as { id: string }).id
}

describe('a scenario is given by name, file, text or document', () => {
  const text =
    '# mine\nname: own\nrules:\n  - when: { operation: a.get }\n    then: { refuse: { fault: internal } }\n'
  const wrong = text.replace('a.get', 'a.gett')

  it('to use, openWorld and startEmulator alike, and its text is kept for editors', async () => {
    const file = join(folder, 'own.yaml')
    await writeFile(file, text)
    const one = await started({ clock: 'manual', scenarios: [text.replace('own', 'first')] })
    const world = await one.openWorld({ scenarios: [file, text.replace('own', 'second'), 'happy-path'] })
    expect((await world.scenarios.list()).active).toEqual(['own', 'second', 'happy-path'])
    for (const given of [file, pathToFileURL(file), text, JSON.stringify({ name: 'own', rules: [] })])
      expect(await world.scenarios.use('outage', given)).toEqual(['outage', 'own'])
    await world.scenarios.post(file)
    expect(await world.scenarios.get('own')).toMatchObject({ text, document: { name: 'own' } })
    expect(await one.worldNamed('new').scenarios.use('first')).toEqual(['first'])
    await writeFile(file, wrong)
    await expect(world.scenarios.use(file)).rejects.toMatchObject({
      path: 'rules[0].when.operation',
      message: `${file}: line 4, rules[0].when.operation: no operation is named "a.gett" (did you mean a.get?)`,
    })
  })

  it.each([
    ['outtage', 'No scenario is named "outtage" (did you mean outage?)'],
    ['./missing.yaml', 'a scenario is a name such as flaky-upstream, a file'],
    [wrong, 'line 4, rules[0].when.operation'],
  ])('and what cannot be used is refused with what can: %j', async (given, message) => {
    const { scenarios } = emulator.worldNamed('given')
    await expect(scenarios.use(given)).rejects.toThrow(message)
    await expect(scenarios.use()).resolves.toEqual([])
  })

  it.each([
    ['POST', '/scenarios', 'application/yaml', text, 201, '"active":["own"]'],
    ['POST', '/scenarios/check', 'text/x-yaml; charset=utf-8', wrong, 400, 'did you mean a.get?'],
    ['POST', '/scenarios', 'application/json', text, 400, 'Content-Type: application/yaml'],
    ['PUT', '/scenarios/active', 'application/json', '{"names":["own.yaml"]}', 400, 'only names stand here'],
    ['POST', '/inject', 'application/yaml', text, 400, 'not valid JSON'],
  ])('to %s %s as %s', async (method, path, type, body, status, words) => {
    const base = `${emulator.url}/__emulator/worlds/sent`
    await emulator.worldNamed('sent').scenarios.use()
    const reply = await fetch(base + path, { method, body, headers: { 'content-type': type } })
    expect([reply.status, await reply.text()]).toEqual([status, expect.stringContaining(words)])
  })
})

it('a trace printed on a still clock tells calls, states, money and injections in the order of the run', async () => {
  const world = await emulator.openWorld({ clock: 'manual' })
  const send = (method: string, below = '') =>
    fetch(`${emulator.url}${path}${below}`, { method, headers: { Authorization: `Bearer ${world.apiKey}` } })
  const id = await create(world.apiKey)
  await send('GET', `/${id}`)
  await world.inject('a.delete', 2, { refuse: { fault: 'internal' } })
  await send('DELETE', `/${id}`)
  await send('GET', `/${id}`)
  await send('DELETE', `/${id}`)
  await create(world.apiKey, 'a kite', 99)
  const lines = traceText(await world.trace()).split('\n')
  const seen = lines.map(line => /a\.\w+|queued|reserved|cancelled|refunded|inject/.exec(line)?.[0])
  expect(seen.filter(Boolean).join(' ')).toBe(
    'a.create queued reserved a.get inject a.delete cancelled refunded a.get a.delete a.create',
  )
  expect(lines.find(line => line.includes('-> 400'))).toMatch(/-> 400 \(invalid_\w+: duration\)/)
  await world.drop()
})

describe('startEmulator', () => {
  // How long a start takes is measured by build/bench/in-code.ts.
  it('starts on a free port, several times if needed, and ends', async () => {
    const urls = new Set<string>()
    for (let i = 0; i < 5; i++) {
      const [one, other] = await Promise.all([startEmulator({ clock: 'manual' }), startEmulator()])
      expect(one.url).not.toBe(other.url)
      expect((await one.health()).status).toBe('ok')
      urls.add(one.url)
      await Promise.all([one.close(), other.close()])
      await expect(one.world.clock.get()).rejects.toMatchObject({ status: 0, code: 'unreachable' })
    }
    expect(urls.has(emulator.url)).toBe(false)
  })

  it('accepts options as the command line spells them, and scenario documents', async () => {
    const rules = [{ when: { operation: 'a.get' }, then: { refuse: { fault: 'internal' as const } } }]
    const document: ScenarioDocument = { name: 'mine', rules }
    const one = await started({ clock: '60x', now: new Date(now), scenarios: ['happy-path', document] })
    expect(await one.world.clock.get()).toMatchObject({ mode: 'realtime', rate: 60 })
    expect((await one.world.scenarios.list()).active).toEqual(['happy-path', 'mine'])
  })

  it.each([
    [{ clock: 'manul' as 'manual' }, /manual/],
    [{ now: 'tomorrow' }, /tomorrow/],
    [{ scenarios: ['outge'] }, /no scenario is named "outge" \(did you mean outage\?\)/],
    [{ data: '/x' } as object, /Unknown option data; did you mean dataDir\?/],
    [{ ffprobePath: '/x' } as object, /Unknown option ffprobePath; did you mean ffmpegPath\?/],
    [
      { now: '1969-12-31T23:59:59Z' },
      /now: .* outside the range of virtual time, 1970-01-01T00:00:00Z to 9999/,
    ],
    [{ now: -1 }, /now: -1 is outside the range of virtual time/],
    [{ now: Number.NaN }, /now: "NaN" is not a moment/],
    [{ now: new Date(Number.NaN) }, /now: "NaN" is not a moment/],
    ['x' as unknown as object, /The options are an object such as \{"seed":1\}, not "x"/],
    [null as unknown as object, /The options are an object such as .*, not null/],
    [{ sede: 7 } as object, /Unknown option sede; did you mean seed\?/],
    [{ seed: -1 }, /seed: "-1" is not an integer/],
    [{ auth: 'maybe' as 'open' }, /auth: "maybe" is not one of keys, open/],
    [{ port: 99_999 }, /port: "99999" is not an integer/],
    [{ dataDir: '' }, /data: must not be empty/],
    [{ models: { mine: 'model_a_26' } }, /did you mean model_a_2/],
    [{ clock: { mode: 'auto' as const, rate: 0 } }, /clock.rate: 0 is not a rate/],
    [{ scenarios: [{ name: 'x', rules: [{ than: {} }] as never }] }, /than/],
  ])('rejects %j', async (options, message) => {
    const started = startEmulator(options)
    await expect(started).rejects.toBeInstanceOf(UsageError)
    await expect(started).rejects.toThrow(message)
  })

  it.each([
    ['localhost:8585', 'did you mean http://localhost:8585?'],
    ['ftp://127.0.0.1', 'such as http://127.0.0.1:8585'],
    ['', 'such as http://127.0.0.1:8585'],
  ])('connectEmulator refuses the address %j before any request', (url, hint) => {
    expect(() => connectEmulator(url)).toThrow(`"${url}" is not an http or https address (${hint})`)
    expect(() => connectEmulator(url)).toThrow(EmulatorError)
  })

  it.each(['a b', '', 'ä', 'x'.repeat(65), 'a.b'])(
    'throws for the name %j, which no key can contain',
    name => {
      for (const ask of [
        () => emulator.keyFor(name),
        () => emulator.keyFor('w', name),
        () => emulator.world.keyFor(name),
        () => emulator.world.keyFor('w', name),
        () => emulator.worldNamed(name),
      ])
        expect(ask).toThrow(
          /is not the (name of an? (world|account)|label of a key): 1 to 64 letters, digits, _ or -/,
        )
    },
  )

  it.each([
    ['manual', { mode: 'manual', rate: 1 }],
    ['60x', { mode: 'realtime', rate: 60 }],
    [60, { mode: 'realtime', rate: 60 }],
    [{ mode: 'auto' as const }, { mode: 'auto', rate: 1 }],
  ] as const)('a world is opened with the clock %j in code as over HTTP', async (clock, wanted) => {
    const made = await emulator.openWorld({ clock, now })
    expect(await made.clock.get()).toMatchObject(wanted)
    const reply = await fetch(`${emulator.url}/__emulator/worlds`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ clock, now }),
    })
    expect(reply.status).toBe(201)
    expect(await reply.json()).toMatchObject({ clock: wanted })
  })

  it('accepts null for an option that is not set, like undefined (A-null)', async () => {
    const unset = { clock: null, now: null, seed: undefined, scenarios: null, dataDir: null, tls: null }
    const one = await started(unset as object)
    expect((await one.world.clock.get()).mode).toBe('realtime')
  })

  it('has a usable address when it listens on every address', async () => {
    const one = await started({ host: '0.0.0.0', clock: 'manual' })
    expect((await one.health()).status).toBe('ok')
    expect((await one.worlds())[0]?.base_url).toBe(one.url)
    const hosts = ['0.0.0.0', '::', '::1', 'localhost'].map(hostInUrl)
    expect(hosts).toEqual(['127.0.0.1', '[::1]', '[::1]', 'localhost'])
  })

  it('removes the world that could not get its scenarios', async () => {
    const wrong = { name: 'x', rules: [{ than: {} }] as never }
    const opening = emulator.openWorld({ id: 'left-over', scenarios: [wrong] })
    await expect(opening).rejects.toMatchObject({ status: 400, path: 'scenarios[0].rules[0].than' })
    expect((await emulator.worlds()).map(({ id }) => id)).not.toContain('left-over')
  })

  it('keeps its worlds in dataDir', async () => {
    const dataDir = join(folder, 'kept')
    const first = await startEmulator({ dataDir, clock: 'manual' })
    const { id } = await first.world.tasks.create({ family: 'a', kind: 'a' })
    await first.close()
    const second = await startEmulator({ dataDir, clock: 'manual' })
    expect((await second.world.tasks.get(id)).id).toBe(id)
    await second.close()
  })
})

describe('createEmulator', () => {
  it('is an Express app for supertest, with the control API and a plain 404', async () => {
    const app = createEmulator({ clock: 'manual' })
    expect((await supertest(app).get('/__emulator/health')).body.status).toBe('ok')
    const reply = await supertest(app).get('/v3/contents/generations/tasks')
    expect(reply.status).toBe(404)
    expect(reply.body.error.message).toContain('/api/v3')
  })
})

/** What the test of many tasks reads of a state document. */
type Exported = { version: number; state: { tasks: [string, object][] } }

describe('a world', () => {
  it('is opened with a clock, a seed, a time and scenarios, with the given name or a free one', async () => {
    const document = { name: 'mine', rules: [] }
    const scenarios = ['outage', document]
    const world = await emulator.openWorld({ id: 'mine', clock: 'auto', seed: 3, now, scenarios })
    expect(world).toMatchObject({ id: 'mine', apiKey: 'sk-test-mine', baseUrl: emulator.url })
    expect(world.keyFor('bob')).toBe('sk-test-mine.bob')
    expect(world.keyFor('default', 'web')).toBe('sk-test-mine:web')
    expect(await world.clock.get()).toEqual({ mode: 'auto', rate: 1, now, now_ms: Date.parse(now) })
    expect((await world.scenarios.list()).active).toEqual(['outage', 'mine'])
    const [one, other] = [await emulator.openWorld(), await emulator.openWorld({ clock: '60x' })]
    expect(one.id).not.toBe(other.id)
    expect(await other.clock.get()).toMatchObject({ mode: 'realtime', rate: 60 })
    await expect(emulator.openWorld({ id: 'mine' })).rejects.toMatchObject({ status: 409 })
    await expect(emulator.openWorld({ scenarios: ['outge'] })).rejects.toThrow(/did you mean outage\?/)
    expect((await emulator.worlds()).map(({ id }) => id)).toContain('mine')
  })

  it('is reset to the scenarios with which it was opened, whatever was posted since', async () => {
    const rule = (status: number) => ({ when: { operation: 'a.create' }, then: { refuse: { status } } })
    const own = { name: 'own', rules: [rule(418)] }
    const world = await emulator.openWorld({ now, scenarios: [own, 'outage'] })
    await world.scenarios.use({ name: 'own', rules: [rule(419)] }, { name: 'late', rules: [] })
    await world.scenarios.remove('own')
    await world.reset()
    expect((await world.scenarios.list()).active).toEqual(['own', 'outage'])
    const { document } = await world.scenarios.get('own')
    expect(document.rules[0]).toMatchObject({ then: { refuse: { status: 418 } } })
    await expect(world.scenarios.get('late')).rejects.toMatchObject({ status: 404 })
  })

  it('`world` is the world default', async () => {
    expect(emulator.world).toMatchObject({ id: 'default', apiKey: 'sk-emulator' })
    expect(emulator.world.keyFor('bob')).toBe('sk-emulator.bob')
    expect(emulator.keyFor('x', 'y')).toBe('sk-test-x.y')
    const id = await create('sk-emulator')
    expect((await emulator.world.tasks.list()).map(task => task.id)).toEqual([id])
  })

  it('moves its clock and lists the changes', async ({ world }) => {
    const id = await create(world.apiKey)
    expect((await world.clock.advance('1ms')).events).toEqual([])
    const { events } = await world.clock.advanceUntil({ task: id, status: 'succeeded' })
    expect(events.map(({ to }) => to)).toEqual(['running', 'succeeded'])
    const failing = world.clock.advanceUntil({ task: id, status: 'failed' })
    await expect(failing).rejects.toMatchObject({ status: 409 })
    expect((await world.clock.advanceUntil('idle')).events).toEqual([])
    await world.clock.advanceTo('2026-03-02T00:00:00Z')
    expect((await world.clock.set({ mode: 'auto' })).now).toBe('2026-03-02T00:00:00.000Z')
  })

  it('activates exactly the given scenarios, and posts and removes them', async ({ world }) => {
    const mine = { name: 'mine', rules: [] }
    expect(await world.scenarios.use('outage', mine)).toEqual(['outage', 'mine'])
    expect(await world.scenarios.use('chaos')).toEqual(['chaos'])
    expect((await world.scenarios.post(mine)).active).toEqual(['chaos', 'mine'])
    expect((await world.scenarios.get('mine')).document).toEqual(mine)
    expect((await world.scenarios.remove('mine')).active).toEqual(['chaos'])
    expect(await world.scenarios.use()).toEqual([])
    const wrong = world.scenarios.use({ name: 'x', rules: [{ then: {} }] })
    await expect(wrong).rejects.toBeInstanceOf(EmulatorError)
  })

  it('verifies requests, and throws an error with what was found instead', async ({ world }) => {
    await create(world.apiKey, 'a red kite')
    const match = { operation: 'a.create', prompt: 'a blue kite' }
    const one = { match: { operation: 'a.create' }, count: { exactly: 1 } }
    expect(await world.requests.verify(one)).toMatchObject({ ok: true, found: 1 })
    expect((await world.requests.verify({ match })).ok).toBe(false)
    const message = 'prompt: wanted "a blue kite", was "a red kite"'
    await expect(world.requests.mustHave({ match })).rejects.toThrow(message)
    expect(await world.requests.list({ operation: 'a.*', status: 200 })).toHaveLength(1)
    await world.requests.clear()
    expect(await world.requests.list()).toEqual([])
  })

  it('makes and forces tasks and ends their links, with story and charges', async ({ world }) => {
    const task = await world.tasks.create({ family: 'k', kind: 'k.avatar', plan: { queued: '1h' } })
    expect((await world.tasks.force(task.id, { status: 'succeed' })).status).toBe('succeed')
    await world.tasks.expireLink(task.id)
    const story = await world.tasks.story(task.id)
    expect(story.items.at(-1)?.kind).toBe('next')
    expect(story.text).toContain('forced through the control API')
    const { totals } = await world.ledger()
    expect(totals.settled).toBeGreaterThan(0)
    expect((await world.ledger({ account: 'bob' })).items).toEqual([])
  })

  it('lists every task, over all pages', async ({ world }) => {
    const { id } = await world.tasks.create({ family: 'a', kind: 'a' })
    const { version, state } = (await world.state.export()) as Exported
    const [, record] = state.tasks[0] ?? ['', {}]
    const tasks = Array.from({ length: 2500 }, (_, i) => [`${id}-${i}`, { ...record, id: `${id}-${i}` }])
    await world.state.import({ version, state: { ...state, tasks } })
    expect(new Set((await world.tasks.list()).map(task => task.id)).size).toBe(2500)
    expect(await world.tasks.list({ family: 'b' })).toEqual([])
  })

  it('gives snapshots, accounts, assets and findings, and can be reset', async () => {
    const world = await emulator.openWorld({ now })
    await world.snapshots.save('empty')
    await world.accounts.change('default', { balance: 10 })
    const url = `${emulator.url}/__emulator/samples/square.png`
    const asset = await world.assets.add({ kind: 'image', url })
    expect((await world.assets.list()).map(({ reference }) => reference)).toEqual([`asset://${asset.id}`])
    expect((await world.accounts.list())[0]).toMatchObject({ id: 'default', balance: 10 })
    await world.snapshots.restore('empty')
    expect(await world.assets.list()).toEqual([])
    expect((await world.snapshots.list()).map(({ name }) => name)).toEqual(['empty'])
    await world.snapshots.remove('empty')
    expect(await world.findings()).toEqual([])
    await world.clock.advance('1h')
    await world.reset()
    expect((await world.clock.get()).now).toBe(now)
    await world.drop()
    expect((await emulator.worlds()).map(({ id }) => id)).not.toContain(world.id)
  })
})

describe('connectEmulator', () => {
  it('drives the emulator of an address, and does not stop it', async () => {
    const there = connectEmulator(`${emulator.url}/`)
    expect(there.url).toBe(emulator.url)
    expect((await there.health()).status).toBe('ok')
    const world = there.worldNamed('shared')
    const id = await create(world.apiKey)
    expect((await emulator.worldNamed('shared').tasks.get(id)).id).toBe(id)
    await there.close()
    expect((await emulator.health()).status).toBe('ok')
  })

  it('rejects with the refusal’s status, code, path and hint', async () => {
    const refused = connectEmulator(emulator.url).world.scenarios.use('outge')
    await expect(refused).rejects.toBeInstanceOf(EmulatorError)
    const refusal = { status: 400, code: 'bad_request', path: 'names[0]', hint: 'did you mean outage?' }
    await expect(refused).rejects.toMatchObject(refusal)
  })

  it('names the address when nothing answers', async () => {
    await expect(connectEmulator('http://127.0.0.1:9').health()).rejects.toThrow(
      'No emulator answers at http://127.0.0.1:9',
    )
  })
})
