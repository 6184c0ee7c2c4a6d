import { describe, expect, test } from 'vitest'
import { clientOf } from '../support/any-family.ts'
import { creating, rowNamed } from '../support/contract.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { accepted, ownWorld, refusal } from '../support/own-world.ts'

oneVideoForAll()

const gateway = await openGateway()

function inWorld() {
  const world = gateway.freshWorld()
  return { world, ...ownWorld(gateway, world) }
}
const it = test.extend('w', () => inWorld())

/** A world with one task of every create, finished, with downloads, an asset, a scenario and a snapshot; and its document. */
async function lived() {
  const w = inWorld()
  for (const row of creating) await (await clientOf(row, gateway, w.world)).made()
  await w.control('POST', '/snapshots', { name: 'early' })
  await w.control('POST', '/clock/advance', { until: 'idle' })
  const { media } = (await w.control('GET', '/tasks?family=a')).body.items[0]
  await gateway.download(media[0].url)
  await w.control('POST', '/assets', { kind: 'image', url: `${gateway.url}/__emulator/samples/square.png` })
  await w.control('POST', '/scenarios', { name: 'mine', rules: [] })
  await w.control('PATCH', '/accounts/bob', { balance: 5, models: ['model_a_20'] })
  return { ...w, document: (await w.control('GET', '/state')).body }
}

const { document: whole, world: source, control: fromSource } = await lived()
const copy = () => structuredClone(whole)

describe('GET and PUT /state', () => {
  it('gives everything in one versioned document', () => {
    expect(whole.version).toBe(1)
    expect(whole.state.tasks).toHaveLength(creating.length)
    expect(whole.state.downloads).toHaveLength(1)
    expect(whole.state.assets).toHaveLength(1)
    expect(whole.snapshots).toHaveLength(1)
  })

  it('moves a world with every family to another name, with links that work and working snapshots', async () => {
    const w = inWorld()
    accepted(await w.control('PUT', '/state', whole))
    const { body } = await w.control('GET', '/state')
    expect(JSON.stringify({ ...body, world: source })).toBe(JSON.stringify(whole))
    const views = async (control: typeof w.control) =>
      (await control('GET', '/tasks?limit=1000')).text.replaceAll(/\/files\/[^"]*/g, '')
    expect(await views(w.control)).toBe(await views(fromSource))
    const { media } = (await w.control('GET', '/tasks?family=a')).body.items[0]
    expect((await gateway.download(media[0].url)).status).toBe(200)
    expect((await w.control('POST', '/snapshots/early/restore')).status).toBe(200)
    expect((await w.control('GET', '/tasks?status=succeeded&family=a')).body.items).toEqual([])
  })

  it('holds the scenarios of --scenario files, so that an emulator without the files can load it', async () => {
    const mine = {
      name: 'from-a-file',
      // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language
      rules: [{ when: { operation: 'a.create' }, then: { refuse: { fault: 'moderated' as const } } }],
    }
    const other = await openGateway({ scenarios: [mine] })
    await other.control('POST', '/snapshots', { name: 'one' })
    const { body: document } = await other.control('GET', '/state')
    const w = inWorld()
    accepted(await w.control('PUT', '/state', document))
    const refused = async () => (await gateway.post(tasksPath, textBody(), w.key)).status
    expect(await refused()).toBe(403)
    await w.control('POST', '/reset')
    expect(await refused(), 'it was active at the opening').toBe(403)
    expect((await w.control('POST', '/snapshots/one/restore')).status).toBe(200)
    expect(await refused(), 'the snapshot holds it, too').toBe(403)
    expect((await w.control('GET', '/state')).body.state.head.opening.scenarios).toEqual(['from-a-file'])
  })

  it('leaves a scenario of a --scenario file one of a file, when its emulator reads its own document', async () => {
    const other = await openGateway({ scenarios: [{ name: 'from-a-file', rules: [] }] })
    await other.control('POST', '/snapshots', { name: 'one' })
    const { body: document } = await other.control('GET', '/state')
    const source = async () => (await other.control('GET', '/scenarios/from-a-file')).body.source
    expect((await other.control('PUT', '/state', document)).status).toBe(200)
    expect(await source()).toBe('file')
    for (const path of ['/reset', '/snapshots/one/restore']) {
      expect((await other.control('POST', path)).status).toBe(200)
      expect(await source(), path).toBe('file')
    }
    document.state.scenarios[0][1].description = 'changed by hand'
    expect((await other.control('PUT', '/state', document)).status).toBe(200)
    expect(await source(), 'another document of the name').toBe('world')
  })

  it('gives equal worlds the same document whenever they were opened: it contains no wall-clock time', async () => {
    const twin = async () => {
      const other = await openGateway({ seed: 5 })
      await other.post(tasksPath, textBody())
      await other.control('POST', '/snapshots', { name: 'one' })
      await other.advance('30s')
      return (await other.control('GET', '/state')).text
    }
    expect(await twin()).toBe(await twin())
  })

  it.each(['.', '..', 'a/b', ''])('refuses a snapshot named %j, which no path can contain', async name => {
    const document = copy()
    document.snapshots[0].name = name
    const w = inWorld()
    expect(refusal(await w.control('PUT', '/state', document)).message).toMatch(/snapshots\[0\]\.name/)
    expect((await w.control('POST', '/snapshots', { name })).status).toBe(400)
    expect((await w.control('GET', '/snapshots')).body.items).toEqual([])
  })

  it('answers HEAD without a body', async () => {
    const reply = await fetch(`${gateway.url}/__emulator/state`, { method: 'HEAD' })
    expect([reply.status, await reply.text()]).toEqual([200, ''])
  })

  it('continues the random numbers of the document', async () => {
    const [one, other] = [inWorld(), inWorld()]
    const row = rowNamed('a.create')
    const first = await clientOf(row, gateway, one.world)
    await first.made()
    await other.control('PUT', '/state', (await one.control('GET', '/state')).body)
    const ids = [await first.made(), await (await clientOf(row, gateway, other.world)).made()]
    expect(ids[0]).toBe(ids[1])
  })

  it('replaces the whole world, also journal and snapshots', async ({ w }) => {
    await (await clientOf(rowNamed('a.create'), gateway, w.world)).made()
    await w.control('POST', '/snapshots', { name: 'mine' })
    await w.control('PUT', '/state', { version: 1, state: { ...whole.state, tasks: [], downloads: [] } })
    expect((await w.control('GET', '/tasks')).body.items).toEqual([])
    expect((await w.control('GET', '/requests')).body.items).toEqual([])
    expect((await w.control('GET', '/snapshots')).body.items).toEqual([])
  })

  // biome-ignore format: a table, one row a line
  // biome-ignore lint/suspicious/noExplicitAny: each case reaches into the document where it wants
  const wrong: [string, (document: any) => unknown][] = [
    ['an unknown version', d => ({ ...d, version: 2 })],
    ['no version', d => ({ ...d, version: undefined })],
    ['a version of a wrong type', d => ({ ...d, version: '1' })],
    ['another format', d => ({ ...d, format: 'something/else' })],
    ['no state', d => ({ version: d.version })],
    ['a list for an object', d => ({ ...d, state: [] })],
    ['an unknown key', d => ({ ...d, state: { ...d.state, extra: [] } })],
    ['a missing collection', d => ({ ...d, state: { ...d.state, assets: undefined } })],
    ['records that are not pairs', d => ({ ...d, state: { ...d.state, tasks: [d.state.tasks[0][1]] } })],
    ['an id that appears twice', d => ({ ...d, state: { ...d.state, tasks: [d.state.tasks[0], d.state.tasks[0]] } })],
    ['a record under the id of another', d => ({ ...d, state: { ...d.state, tasks: [['x', d.state.tasks[0][1]]] } })],
    ['an unknown clock mode', d => set(d, 'state.head.clock.mode', 'fast')],
    ['a rate of 0', d => set(d, 'state.head.clock.rate', 0)],
    ['a time beyond the year 9999', d => set(d, 'state.head.clock.virtualMs', 1e18)],
    ['half a millisecond', d => set(d, 'state.head.openedAt', 0.5)],
    ['a seed that is text', d => set(d, 'state.head.opening.seed', 'x')],
    ['a negative draw', d => set(d, 'state.head.draws', { task: -1 })],
    ['an unknown scenario', d => set(d, 'state.head.active', [{ name: 'nope', since: 1 }])],
    ['an invalid scenario', d => set(d, 'state.scenarios', [['mine', { name: 'mine', rules: [{ than: {} }] }]])],
    ['an unknown family', d => set(d, 'state.tasks.0.1.family', 'z')],
    ['an unknown outcome', d => set(d, 'state.tasks.0.1.plan.outcome', { kind: 'lost' })],
    ['a failure without a message', d => set(d, 'state.tasks.0.1.plan.outcome', { kind: 'failed', code: 'x' })],
    ['an unknown fact', d => set(d, 'state.tasks.0.1.facts', [{ kind: 'eaten', at: 1 }])],
    ['a request that is not JSON', d => set(d, 'state.tasks.0.1.request', '{')],
    ['a request that is nested too deeply', d => set(d, 'state.tasks.0.1.request', JSON.stringify(nested(2000)))],
    ['an account with a balance of text', d => set(d, 'state.accounts.0.1.balance', 'much')],
    ['a download count below 0', d => set(d, 'state.downloads.0.1', -1)],
    ['an asset whose digest is a path', d => set(d, 'state.assets.0.1.facts.digest', '../../../etc/passwd')],
    ['an invalid snapshot', d => set(d, 'snapshots.0.state.head.clock', {})],
    ['a document that is nested too deeply', d => set(d, 'state.tasks.0.1.job.deep', nested(2000))],
  ]

  it.each(wrong)('refuses %s with 400 and leaves the world as it was', async (_, change) => {
    const w = inWorld()
    await w.control('PUT', '/state', whole)
    const before = (await w.control('GET', '/state')).text
    const reply = await w.control('PUT', '/state', change(copy()))
    expect(reply.status, reply.text.slice(0, 300)).toBe(400)
    expect(reply.body.error.message).toBeTruthy()
    expect((await w.control('GET', '/state')).text).toBe(before)
  })

  it.each(creating.map(({ title }, index) => [title, index] as const))(
    'a task of %s with a wrong value in its job is refused, or can be read without an error',
    async (_, index) => {
      const w = inWorld()
      const [id, task] = whole.state.tasks[index]
      const refusals: number[] = []
      for (const key of Object.keys(task.job)) {
        for (const value of [{ odd: true }, -1e300]) {
          const job = { ...task.job, [key]: value }
          const tasks = [[id, { ...task, job }]]
          const changed = { ...copy(), snapshots: [], state: { ...whole.state, tasks } }
          const reply = await w.control('PUT', '/state', changed)
          expect([200, 400], reply.text).toContain(reply.status)
          refusals.push(reply.status)
          // The imported state can be read without an error.
          expect((await w.control('GET', '/tasks')).status).toBe(200)
          expect((await w.control('GET', '/ledger')).status).toBe(200)
        }
      }
      expect(refusals).toContain(400)
    },
  )

  it.for([
    '{"version":1,"__proto__":{"polluted":1}}',
    '{"__proto__":{"version":1}}',
    'null',
    '[]',
    '"x"',
    '',
  ])('refuses %j with 400, and changes no prototype', async (text, { w }) => {
    expect((await w.control('PUT', '/state', text)).status).toBe(400)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('drops __proto__ everywhere', async ({ w }) => {
    const text = JSON.stringify(whole).replace('"draws":{', '"draws":{"__proto__":{"polluted":1},')
    expect((await w.control('PUT', '/state', text)).status).toBe(200)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect((await w.control('GET', '/state')).text).not.toContain('polluted')
  })
})

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = { value }
  return value
}

/** The document with one value changed, by a path of keys. */
function set(document: object, path: string, value: unknown): object {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let at = document as Record<string, unknown>
  for (const step of steps) at = at[step] as Record<string, unknown>
  at[last] = value
  return document
}
