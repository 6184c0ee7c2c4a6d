// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { asynchronous, clientOf, wordsOf } from '../support/any-family.ts'
import { rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'

const gateway = await openGateway()

const making = { operation: ['*.create', '*.enhance', '*.regenerate'] }
const rules = [{ when: making, then: { task: { queued: '4m', running: '6m' } } }]
const slow = { name: 'ten-minutes', rules }

describe.each(asynchronous)('an unchanged polling loop of $title in auto mode', row => {
  it('finishes a ten-minute task in three polls and sees every state in order', async () => {
    const client = await clientOf(row, gateway, `auto-${row.title.replaceAll('.', '-')}`)
    await client.control('PATCH', '/clock', { mode: 'auto' })
    await client.post(slow)
    const id = await client.made()
    const words = wordsOf(row, (await client.newest()).kind)
    const seen: string[] = []
    for (let polls = 0; polls < 3; polls++) {
      const { text } = await client.poll(id)
      const shown = [words.queued, words.running, words.succeeded].find(word => text.includes(`"${word}"`))
      seen.push(shown ?? '?')
    }
    expect(seen).toEqual([words.queued, words.running, words.succeeded])
    const { body } = await client.control('GET', '/clock')
    expect(body.now).toBe('2026-03-01T08:10:00.000Z')
    shows('all.events.polling')
  })
})

const words = ['queued', 'running', 'succeeded']

describe.each([
  ['a.create', '/api/v3/contents/generations/tasks', 'filter.status', words],
  ['b.create', '/api/v1/tasks', 'status', ['PENDING', 'RUNNING', 'SUCCEEDED']],
  ['c.create', '/v2/query/video_generation', 'filter.status', words],
  ['special.create', '/special/v2/query/video_generation', 'filter.status', words],
])('a list by state beside %s in auto mode', (title, path, filter, words) => {
  it('moves the clock as a poll does, and shows only tasks in the state of the filter', async () => {
    const client = await clientOf(rowNamed(title), gateway, `auto-list-${title.replace('.', '-')}`)
    await client.control('PATCH', '/clock', { mode: 'auto' })
    await client.made()
    for (const word of words) {
      const totals: number[] = []
      for (let polls = 0; polls < 3; polls++) {
        const { body } = await gateway.get(`${path}?${filter}=${word}`, client.key)
        const items: { status: string }[] = body.items ?? body.data
        expect(items.map(item => item.status)).toEqual(Array(body.total).fill(word))
        totals.push(body.total)
      }
      expect(totals).toEqual(word === words[2] ? [1, 1, 1] : [1, 0, 0])
    }
  })
})

describe('auto mode', () => {
  const open = async (world: string) => {
    const client = await clientOf(rowNamed('a.create'), gateway, world)
    await client.control('PATCH', '/clock', { mode: 'auto' })
    return client
  }

  it('the clock moves for the polled task, and other tasks change on the way', async () => {
    const client = await open('auto-two')
    await client.post(slow)
    const first = await client.made()
    await client.advance('1m')
    const second = await client.made()
    for (let i = 0; i < 4; i++) await client.poll(second)
    const status = async (id: string) => (await client.control('GET', `/tasks/${id}`)).body.view.status
    expect(await status(second)).toBe('succeeded')
    expect(await status(first)).toBe('succeeded')
  })

  it('the clock does not move for a task that will not change, nor for a read through the control API', async () => {
    const client = await open('auto-over')
    const id = await client.made()
    const now = async () => (await client.control('GET', '/clock')).body.now_ms
    const start = await now()
    for (let i = 0; i < 3; i++) await client.control('GET', `/tasks/${id}`)
    expect(await now()).toBe(start)
    for (let i = 0; i < 5; i++) await client.poll(id)
    const end = await now()
    for (let i = 0; i < 5; i++) await client.poll(id)
    expect(await now()).toBe(end)
  })

  it('the clock does not move for another account’s poll', async () => {
    const client = await open('auto-stranger')
    const id = await client.made()
    const before = (await client.control('GET', '/clock')).body.now_ms
    for (let i = 0; i < 3; i++)
      await gateway.get(`/api/v3/contents/generations/tasks/${id}`, `${client.key}.bob`)
    expect((await client.control('GET', '/clock')).body.now_ms).toBe(before)
  })

  it('an advance lists every transition in order, across families', async () => {
    const world = 'auto-all'
    const clients = await Promise.all(asynchronous.map(one => clientOf(one, gateway, world)))
    for (const client of clients) await client.made()
    const [client] = clients
    const { body } = (await client?.advance({ until: 'idle' })) ?? { body: { events: [] } }
    const times = body.events.map(({ at }: { at: string }) => at)
    expect(times).toEqual([...times].sort())
    expect(body.events).toHaveLength(2 * asynchronous.length)
    expect((await client?.advance({ until: 'idle' }))?.body.events).toEqual([])
  })
})
