// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { expect, it } from 'vitest'
import { tasksPath, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

/** A new world with a task and a rule: the reply to its first poll waits for another call. */
async function waitingWorld(other: { operation: string; call: number }) {
  const world = worldOfA(gateway)
  const { key, control } = world
  const id = await world.made()
  await control('POST', '/inject', { operation: 'a.get', nth: 1, then: { connection: { after: other } } })
  const polls = async () => (await control('GET', '/requests?operation=a.get')).body.items
  return {
    control,
    polls,
    poll: () => world.get(id),
    /** A poll whose client leaves when `signal` aborts. */
    pollUntil: (signal: AbortSignal) =>
      fetch(`${gateway.url}${tasksPath}/${id}`, { headers: { Authorization: `Bearer ${key}` }, signal }),
    /** Resolves when so many polls are in the journal. */
    async polled(count: number) {
      await expect.poll(async () => (await polls()).length, { timeout: 5000 }).toBe(count)
    },
  }
}

const effectOf = ({ effects }: { effects: object[] }) => effects[0]

it('holds a reply until the reply to another call was sent, and the journal says both', async () => {
  const other = { operation: 'a.get', call: 2 }
  const world = await waitingWorld(other)
  const ended: string[] = []
  const first = world.poll().then(reply => ended.push(`first ${reply.status}`))
  await world.polled(1)
  const [held] = await world.polls()
  expect(effectOf(held)).toEqual({ kind: 'after', ...other, order: 'held' })
  expect(held.connection).toBe('held for the reply to call 2 of a.get')
  const second = world.poll().then(reply => ended.push(`second ${reply.status}`))
  await Promise.all([first, second])
  expect(ended).toEqual(['second 200', 'first 200'])
  const [released] = await world.polls()
  expect(effectOf(released)).toEqual({ kind: 'after', ...other, order: 'after' })
  expect(released.connection).toBe('sent after call 2 of a.get was answered')
})

it('does not hold a reply when the other call was answered before', async () => {
  const other = { operation: 'a.create', call: 1 }
  const world = await waitingWorld(other)
  expect((await world.poll()).status).toBe(200)
  const [poll] = await world.polls()
  expect(effectOf(poll)).toEqual({ kind: 'after', ...other, order: 'after' })
})

it('lets a reply go when the client of the other call has left', async () => {
  const world = await waitingWorld({ operation: 'a.get', call: 2 })
  await world.control('POST', '/inject', { operation: 'a.get', nth: 2, then: { connection: 'hang' } })
  const first = world.poll()
  await world.polled(1)
  const leaving = new AbortController()
  const second = world.pollUntil(leaving.signal).catch(() => 'left')
  await world.polled(2)
  leaving.abort()
  expect(await second).toBe('left')
  expect((await first).status).toBe(200)
  expect(effectOf((await world.polls())[0])).toMatchObject({ order: 'after' })
})

it('forgets a held reply whose own client has left', async () => {
  const world = await waitingWorld({ operation: 'a.get', call: 2 })
  const leaving = new AbortController()
  const first = world.pollUntil(leaving.signal).catch(() => 'left')
  await world.polled(1)
  leaving.abort()
  expect(await first).toBe('left')
  expect((await world.poll()).status).toBe(200)
  const [poll] = await world.polls()
  expect(effectOf(poll)).toMatchObject({ order: 'held' })
  const { body } = await gateway.control('GET', '/health')
  expect(body.delayed_replies).toBe(0)
})

it.each(['reset', 'restored'])(
  'lets a held reply go at once when its world is %s',
  async how => {
    const world = await waitingWorld({ operation: 'a.get', call: 2 })
    if (how === 'restored') await world.control('POST', '/snapshots', { name: 'before' })
    const first = world.poll()
    await world.polled(1)
    if (how === 'reset') await world.control('POST', '/reset')
    else await world.control('POST', '/snapshots/before/restore')
    expect((await first).status).toBe(200)
    // Less than the ten seconds for which a reply waits for a call that never comes.
  },
  9000,
)

const toSecond = { connection: { after: { operation: 'a.get', call: 2 } } }

it('refuses a rule of one call whose reply must come after itself, with the path of the error', async () => {
  const rules = [{ when: { operation: 'a.get', call: 2 }, then: toSecond }]
  const { status, body } = await gateway.control('POST', '/scenarios', { name: 'itself', rules })
  expect([status, body.error.path]).toEqual([400, 'rules[0].then.connection.after'])
  expect(body.error.message).toContain('the reply to call 2 of a.get cannot come after itself')
  const counted = [{ when: { operation: 'a.get', call: 2, account: 'default' }, then: toSecond }]
  const reply = await gateway.control('POST', '/scenarios', { name: 'counted', rules: counted })
  expect(reply.status).toBe(201)
})

it('refuses an injection for the call that it names, as the calls of its world are counted', async () => {
  const world = await waitingWorld({ operation: 'a.create', call: 1 })
  await world.poll()
  const next = { operation: 'a.get', nth: 1, then: toSecond }
  const { status, body } = await world.control('POST', '/inject', next)
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('cannot come after itself')])
  expect(await world.control('POST', '/inject', { ...next, nth: 2 })).toMatchObject({ status: 201 })
})

it('does not hold a call for itself when a rule is about others, too, and the journal says so', async () => {
  const world = await waitingWorld({ operation: 'a.create', call: 1 })
  await world.poll()
  const rules = [{ when: { operation: 'a.get' }, then: toSecond }]
  await world.control('POST', '/scenarios', { name: 'in-order', rules })
  expect((await world.poll()).status).toBe(200)
  const second = (await world.polls()).find(({ id }: { id: number }) => id === 3)
  expect(effectOf(second)).toEqual({ kind: 'after', ...toSecond.connection.after, order: 'itself' })
  expect(second.connection).toBe('not held: it is call 2 of a.get itself')
}, 9000)
