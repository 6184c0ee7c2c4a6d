// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, test } from 'vitest'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { asynchronous, clientOf, wordsOf } from '../support/any-family.ts'
import { ofEachFamily, paired, rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { refusal } from '../support/own-world.ts'

oneVideoForAll()

const gateway = await openGateway()
const emulator = connectEmulator(gateway.url)
const rule = (operation: string, then: unknown) => ({ name: 'mine', rules: [{ when: { operation }, then }] })
const ledger = async (world: string) => (await gateway.control('GET', `/worlds/${world}/ledger`)).body.items

const inWorld = () => clientOf(rowNamed('a.create'), gateway)
const it = test.extend('c', () => inWorld())
/** The same, with its world as the client of the control API gives it. */
async function controlled() {
  const c = await inWorld()
  return { c, world: emulator.worldNamed(c.world) }
}

const isCommand = ({ operation }: { operation: string }) => /\.(delete|cancel)$/.test(operation)

describe.each(ofEachFamily(asynchronous))('$title', row => {
  it('reset: before_request loses the request: nothing is stored, charged or drawn, and the next create is the first', async () => {
    const [c, twin] = [await clientOf(row, gateway), await clientOf(row, gateway)]
    await c.post(rule(row.endpoint.operation, { connection: { reset: 'before_request' } }))
    await expect(c.create()).rejects.toThrow(/hang up|ECONNRESET/)
    expect((await c.control('GET', '/tasks')).body.items).toEqual([])
    expect(await ledger(c.world)).toEqual([])
    const { items } = (await c.control('GET', '/requests')).body
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ operation: row.endpoint.operation, status: 0, rule: 'mine/1' })
    await c.use()
    await c.made()
    await twin.made()
    const [one, other] = [await c.newest(), await twin.newest()]
    expect([one.id, one.plan, one.seed]).toEqual([other.id, other.plan, other.seed])
  })

  it('reset: before_headers does the work and sends no byte of the reply', async () => {
    const c = await clientOf(row, gateway)
    await c.post(rule(row.endpoint.operation, { connection: { reset: 'before_headers' } }))
    await expect(c.create()).rejects.toThrow(/hang up|ECONNRESET/)
    await c.use()
    const task = await c.newest()
    expect((await c.poll(task.id)).status).toBe(200)
    expect(await ledger(c.world)).toMatchObject([{ kind: 'reserved', task_id: task.id }])
    expect((await c.control('GET', '/requests')).body.items[0]).toMatchObject({ status: 200 })
  })

  it('in auto mode, a poll that would see no change moves the clock to the loss of the record, and answers as for a missing task', async () => {
    const c = await clientOf(row, gateway)
    await c.control('PATCH', '/clock', { mode: 'auto' })
    await c.post(rule(row.endpoint.operation, { task: { queued: '0s', running: '1m', gone: '20s' } }))
    const id = await c.made()
    const unknown = await c.poll(`${id.slice(0, -4)}zzzz`)
    expect((await c.poll(id)).text).toContain(wordsOf(row, (await c.newest()).kind).running)
    expect((await c.poll(id)).status).toBe(unknown.status)
    expect((await c.newest()).deleted_at).toBe('2026-03-01T08:00:20.000Z')
  })
})

it.each(paired(asynchronous, [502, 503, 504]).map(([row, status]) => [row.title, status, row] as const))(
  '%s: refuse: {proxy_page: %i} is an HTML page without the gateway’s headers, and nothing is done',
  async (_, status, row) => {
    const c = await clientOf(row, gateway)
    await c.post(rule(row.endpoint.operation, { refuse: { proxy_page: status } }))
    const reply = await c.create()
    expect(reply.status).toBe(status)
    expect(reply.headers['content-type']).toMatch(/^text\/html/)
    expect(reply.headers).not.toHaveProperty('x-request-id')
    expect(reply.headers['x-emulator-rule']).toBe('mine/1')
    expect(reply.text).toMatch(new RegExp(`^<html>[^]*${status} [^]*</html>\\s*$`))
    expect((await c.control('GET', '/tasks')).body.items).toEqual([])
    expect(await ledger(c.world)).toEqual([])
  },
)

it.each(asynchronous.map(row => [row.title, row] as const))(
  '%s: task: {gone} loses the record of a running task: polls, lists and commands do not find it, and it is still charged (A-gone)',
  async (_, row) => {
    const c = await clientOf(row, gateway)
    await c.post(rule(row.endpoint.operation, { task: { queued: '10s', running: '1m', gone: '20s' } }))
    const id = await c.made()
    const unknown = await c.poll(`${id.slice(0, -4)}zzzz`)
    await c.advance('29s')
    expect((await c.poll(id)).text).toContain(wordsOf(row, (await c.newest()).kind).running)
    await c.advance('1s')
    const lost = await c.poll(id)
    expect(lost.status).toBe(unknown.status)
    expect(Object.keys(lost.body)).toEqual(Object.keys(unknown.body))
    expect(lost.text).not.toContain(wordsOf(row, (await c.newest()).kind).running)
    const listing = row.family.endpoints.find(({ operation }) => /\.list$/.test(operation))
    if (listing) {
      const list = await gateway.get(listing.paths[0], c.key)
      expect(list.status).toBe(200)
      expect(list.text).not.toContain(id)
    }
    for (const { operation, method, paths } of row.family.endpoints.filter(isCommand)) {
      const command = (task: string) =>
        gateway.call(method, paths[0].replace(/:\w+/, task), undefined, { key: c.key })
      const [ofLost, ofUnknown] = [await command(id), await command(`${id.slice(0, -4)}zzzz`)]
      expect(ofLost.status, operation).toBe(ofUnknown.status)
    }
    await c.advance({ until: 'idle' })
    expect((await ledger(c.world)).map(({ kind }: { kind: string }) => kind)).toEqual(
      (await c.newest()).charges.length > 0 ? ['reserved', 'settled'] : [],
    )
    const { text } = (await c.control('GET', `/tasks/${id}/story`)).body
    const [, told = ''] = text.split('its record is gone, as planned')
    expect(told).toContain('polls no longer find it')
    expect(told).not.toContain(`-> 200: ${wordsOf(row, (await c.newest()).kind).running}`)
    const { timeline } = (await c.control('GET', `/tasks/${id}`)).body
    expect(timeline.map(({ to }: { to: string }) => to)).toContain('deleted')
  },
)

describe('the loss of a record', () => {
  it('does not happen when the task ends before it starts', async ({ c }) => {
    const id = await c.made('a cat [[queue:1m]] [[gone:0s]]')
    await c.control('POST', `/tasks/${id}/force`, { status: 'cancelled' })
    await c.advance('5m')
    expect((await c.poll(id)).status).toBe(200)
  })

  it('is listed by an advance, and survives a snapshot', async ({ c }) => {
    const id = await c.made('a cat [[queue:1s]] [[run:1m]] [[gone:5s]]')
    await c.control('POST', '/snapshots', { name: 'before' })
    const { body } = await c.advance('10s')
    expect(body.events.map(({ to }: { to: string }) => to)).toEqual(['running', 'deleted'])
    expect((await c.poll(id)).status).toBe(404)
    await c.control('POST', '/snapshots/before/restore')
    expect((await c.poll(id)).status).toBe(200)
    await c.advance({ until: 'next' })
    const next = await c.advance({ until: 'next' })
    expect(next.body.now).toBe('2026-03-01T08:00:06.000Z')
    expect((await c.poll(id)).status).toBe(404)
  })
})

describe('tags in prompts', () => {
  it('have the same effects as the rules', async ({ c }) => {
    expect((await c.create('a cat [[proxy_page:504]]')).status).toBe(504)
    await expect(c.create('a cat [[reset:before_request]]')).rejects.toThrow(/hang up|ECONNRESET/)
    expect((await c.control('GET', '/tasks')).body.items).toEqual([])
    await expect(c.create('a cat [[reset:before_headers]]')).rejects.toThrow(/hang up|ECONNRESET/)
    expect((await c.control('GET', '/tasks')).body.items).toHaveLength(1)
  })
})

describe('a download', () => {
  it('counts when its reply is lost, and not when its request is lost', async ({ c }) => {
    const id = await c.made('a cat [[queue:0s]] [[run:0s]]')
    await c.advance('1s')
    const url = await c.fileOf(id)
    const downloads = async () => (await c.control('GET', `/tasks/${id}`)).body.media[0].downloads
    await c.post(rule('media.download', { connection: { reset: 'before_request' } }))
    await expect(fetch(url)).rejects.toThrow()
    expect(await downloads()).toBe(0)
    await c.post(rule('media.download', { connection: { reset: 'before_headers' } }))
    await expect(fetch(url)).rejects.toThrow()
    expect(await downloads()).toBe(1)
    await c.post(rule('media.download', { refuse: { proxy_page: 502 } }))
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(page.headers.get('x-request-id')).toBeNull()
    expect(await downloads()).toBe(1)
  })
})

describe('world.inject', () => {
  it('acts once, on the nth call of the operation from now, and leaves no scenario active', async () => {
    const { c, world } = await controlled()
    await c.made()
    const { id } = await world.inject('a.create', 2, { refuse: { fault: 'unavailable' } })
    expect(await world.injections.list()).toMatchObject([{ id, nth: 2, calls_left: 2 }])
    expect((await c.create()).status).toBe(200)
    expect(await world.injections.list()).toMatchObject([{ id, nth: 2, calls_left: 1 }])
    const refused = await c.create()
    expect([refused.status, refused.headers['x-emulator-rule']]).toEqual([503, id])
    expect(await world.injections.list()).toEqual([])
    expect((await c.create()).status).toBe(200)
    expect((await world.scenarios.list()).active).toEqual([])
  })

  it('accepts a glob, which counts all its operations together', async () => {
    const { c, world } = await controlled()
    await world.inject('*', 2, { refuse: { fault: 'internal' } })
    const id = await c.made()
    expect((await c.poll(id)).status).toBe(500)
    expect((await c.poll(id)).status).toBe(200)
  })

  it('comes before active scenarios, for each kind of effect', async () => {
    const { c, world } = await controlled()
    await c.use('outage')
    await world.inject('a.create', 1, { refuse: { fault: 'rate_limited' } })
    expect([(await c.create()).status, (await c.create()).status]).toEqual([429, 503])
  })

  it('can be removed before it acts, ends with a reset and returns with a snapshot', async () => {
    const { world } = await controlled()
    const { id } = await world.inject('a.get', 1, { refuse: { fault: 'internal' } })
    await world.injections.remove(id)
    await expect(world.injections.remove(id)).rejects.toMatchObject({ status: 404 })
    const second = await world.inject('a.get', 1, { refuse: { fault: 'internal' } })
    expect(second.id).not.toBe(id)
    await world.snapshots.save('waiting')
    await world.reset()
    expect(await world.injections.list()).toEqual([])
    await world.snapshots.restore('waiting')
    expect(await world.injections.list()).toMatchObject([{ id: second.id }])
    const state = await world.state.export()
    await world.state.import(state)
    expect(await world.injections.list()).toMatchObject([{ id: second.id }])
  })

  it.each<[string, unknown, string | undefined, RegExp]>(
    // biome-ignore format: a table, one row a line
    [
    ['an unknown operation', { operation: 'a.crate', nth: 1, then: { clock: { advance: '1s' } } }, 'operation', /a\.create/],
    ['no operation', { nth: 1, then: { clock: { advance: '1s' } } }, 'operation', /operation id/],
    ['a wrong call', { operation: 'a.get', nth: 0, then: { clock: { advance: '1s' } } }, 'nth', /counted from 1/],
    ['a call that is not a whole number', { operation: 'a.get', nth: 1.5, then: { clock: { advance: '1s' } } }, 'nth', /counted from 1/],
    ['an unknown effect', { operation: 'a.get', nth: 1, then: { refuze: {} } }, 'then.refuze', /refuse/],
    ['no effect', { operation: 'a.get', nth: 1, then: {} }, 'then', /./],
    ['an empty effect', { operation: 'a.get', nth: 1 }, 'then', /./],
    ['an unknown fault', { operation: 'a.get', nth: 1, then: { refuse: { fault: 'rate_limit' } } }, 'then.refuse.fault', /rate_limited/],
    ['an effect that the operation cannot have', { operation: 'a.get', nth: 1, then: { task: { gone: '1s' } } }, 'then', /make tasks/],
    ['a proxy page with another status', { operation: 'a.get', nth: 1, then: { refuse: { proxy_page: 500 } } }, 'then.refuse.proxy_page', /502/],
    ['an unknown key', { operation: 'a.get', call: 1, nth: 1, then: { clock: { advance: '1s' } } }, 'call', /./],
  ],
  )('refuses %s with path and hint, and stores nothing', async (_, body, path, hint) => {
    const world = gateway.freshWorld()
    const error = refusal(await gateway.control('POST', `/worlds/${world}/inject`, body))
    expect(error).toMatchObject({ path, hint: expect.stringMatching(hint) })
    expect((await gateway.control('GET', `/worlds/${world}/inject`)).body.items).toEqual([])
  })
})
