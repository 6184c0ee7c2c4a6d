import { describe, expect, onTestFinished, test } from 'vitest'
import { assembleInMemory, listen } from '../../src/emulator/server/emulator.ts'
import { text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { type Listener, listenTo } from '../support/listener.ts'

oneVideoForAll()

const gateway = await openGateway()

/** A listener of a world, until it leaves or the test ends. */
async function listening(world: string, last?: number | string) {
  const listener = await listenTo(gateway.url, world, last)
  onTestFinished(listener.leave)
  return listener
}

/** A world and a listener. */
async function listened() {
  const world = gateway.freshWorld()
  const client = worldOfA(gateway, world)
  await client.control('GET', '/clock')
  const create = (words = 'x') => client.made(textBody({ content: [text(words)] }))
  return { ...client, ...(await listening(world)), create, world }
}
/** The changes of tasks that a listener has heard, each with both states. */
const moves = ({ heard }: Listener) =>
  heard
    .filter(({ event }) => event === 'transition')
    .map(({ data }) => `${data.task_id} ${data.from} ${data.to}`)
const it = test.extend('w', () => listened())

describe('GET /events', () => {
  it('is a stream whose first event is the clock', async ({ w }) => {
    expect(w.reply.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const first = await w.until(() => true)
    expect(first).toMatchObject({ id: 1, event: 'clock', data: { kind: 'clock', mode: 'manual' } })
    expect(w.comments()).toBe(1)
  })

  it('sends requests, transitions, clock changes and downloads as they happen, numbered', async ({ w }) => {
    const id = await w.create()
    const request = await w.until(({ event }) => event === 'request')
    expect(request.data).toMatchObject({ kind: 'request', operation: 'a.create', status: 200, task_id: id })
    await w.control('POST', '/clock/advance', { until: 'idle' })
    await w.until(({ event, data }) => event === 'transition' && data.to === 'succeeded')
    expect(moves(w)).toEqual([`${id} queued running`, `${id} running succeeded`])
    expect(w.heard.find(({ event }) => event === 'transition')?.data.family).toBe('a')
    await w.until(({ event, data }) => event === 'clock' && data.now_ms > w.heard[0]?.data.now_ms)
    const url = (await w.get(id)).body.content.video_url
    await gateway.download(url)
    expect((await w.until(({ event }) => event === 'download')).data.task_id).toBe(id)
    expect(w.heard.map(({ id: number }) => number)).toEqual(w.heard.map((_, i) => i + 1))
  })

  it('sends a task that the control API made, and forced and cancelled changes once, in the family’s words', async () => {
    const w = await listened()
    const { id } = (await w.control('POST', '/tasks', { family: 'b', kind: 'b' })).body
    const made = await w.until(({ event }) => event === 'made')
    expect(made.data.task_id).toBe(id)
    await w.control('POST', `/tasks/${id}/force`, { status: 'SUCCEEDED' })
    await w.until(({ event }) => event === 'transition')
    const cancelled = await w.create()
    await w.remove(cancelled)
    await w.control('POST', '/clock/advance', { by: '1h' })
    await w.until(({ event, data }) => event === 'clock' && data.now_ms > w.heard[0]?.data.now_ms)
    expect(moves(w)).toEqual([`${id} PENDING SUCCEEDED`, `${cancelled} queued cancelled`])
  })

  it('sends each change that comes with time once in realtime, also around an advance', async ({ w }) => {
    await w.control('PATCH', '/clock', { mode: 'realtime', rate: 100 })
    const id = await w.create('x [[queue:10s]] [[run:20s]]')
    await w.until(({ event, data }) => event === 'transition' && data.to === 'running')
    await w.control('POST', '/clock/advance', { until: 'idle' })
    await w.until(({ event, data }) => event === 'transition' && data.to === 'succeeded')
    // When this wait is over, everything that waited for the moments of the first one is over too.
    const later = await w.create('x [[queue:10s]] [[run:40s]]')
    await w.until(({ data }) => data.task_id === later && data.to === 'succeeded')
    const own = moves(w).filter(move => move.startsWith(id))
    expect(own).toEqual([`${id} queued running`, `${id} running succeeded`])
  })

  it('sends a reset and a restored snapshot, and nothing of other worlds', async () => {
    const [w, other] = [await listened(), await listened()]
    await w.control('POST', '/snapshots', { name: 'x' })
    await w.control('POST', '/snapshots/x/restore')
    await w.until(({ event }) => event === 'restored')
    await w.control('POST', '/reset')
    await w.until(({ event }) => event === 'reset')
    await other.control('PATCH', '/clock', { rate: 2 })
    await other.until(({ data }) => data.rate === 2)
    expect(other.heard.map(({ event }) => event)).toEqual(['clock', 'clock'])
  })

  it('a client that was away gets what it missed, with the numbers that follow', async ({ w }) => {
    const id = await w.create()
    const last = await w.until(({ event }) => event === 'request')
    w.leave()
    await w.ended
    await w.control('POST', '/clock/advance', { until: 'idle' })
    const url = (await w.get(id)).body.content.video_url
    await gateway.download(url)
    const back = await listening(w.world, last.id)
    await back.until(({ event, id: number }) => event === 'clock' && number > last.id + 5)
    const [greeting] = back.heard.splice(-1)
    const heard = back.heard.map(({ event, data }) => data.to ?? data.operation ?? event)
    expect(heard.join(' ')).toBe('running succeeded clock a.get download media.download')
    expect(back.heard.map(({ id: number }) => number - last.id)).toEqual([1, 2, 3, 4, 5, 6])
    expect(greeting).toMatchObject({ event: 'clock', id: last.id + 6 })
    await w.create()
    expect(await back.until(({ id: number }) => number === last.id + 7)).toMatchObject({ event: 'request' })
  })

  it('a second listener begins where the first one is, and one that missed nothing gets nothing twice', async () => {
    const w = await listened()
    await w.create()
    const { id } = await w.until(({ event }) => event === 'request')
    for (const given of [undefined, id]) {
      const other = await listening(w.world, given)
      await other.until(({ event }) => event === 'clock')
      expect(other.heard).toMatchObject([{ id, event: 'clock' }])
    }
  })

  it.each([
    ['the journal was emptied', 'DELETE', '/requests'],
    ['the world was reset', 'POST', '/reset'],
  ])('says that events are lost when %s meanwhile', async (_why, method, below) => {
    const w = await listened()
    await w.create()
    const { id } = await w.until(({ event }) => event === 'request')
    w.leave()
    await w.ended
    await w.create()
    await w.control(method, below)
    const back = await listening(w.world, id)
    const missed = await back.until(() => true)
    expect(missed).toMatchObject({ event: 'missed', data: { last_event_id: String(id) } })
    expect(missed.id).toBeGreaterThan(id)
    expect(await back.until(({ event }) => event === 'clock')).toMatchObject({ id: missed.id })
  })

  it.each(['7', '999999999', '-1', 'abc', '1e3'])(
    'says that events are lost after the number %s of another run',
    async given => {
      const w = await listened()
      w.leave()
      await w.ended
      const fresh = gateway.freshWorld()
      await gateway.control('GET', `/worlds/${fresh}/clock`)
      for (const world of [w.world, fresh]) {
        const back = await listening(world, given)
        expect(await back.until(() => true)).toMatchObject({ event: 'missed' })
      }
    },
  )

  it('ends when the world is dropped', async ({ w }) => {
    await gateway.control('DELETE', `/worlds/${w.world}`)
    await w.until(({ event }) => event === 'dropped')
    await w.ended
  })

  it('forgets a listener that disconnects', async () => {
    const { emulator, url, close } = await listen(assembleInMemory({ port: 0 }))
    const { listeners } = emulator.services.worlds.open('left').journal.events
    const listener = await listenTo(url, 'left')
    expect(listeners.size).toBe(1)
    listener.leave()
    await expect.poll(() => listeners.size).toBe(0)
    await close()
  })

  it('sends no event of a world that was dropped, so that nothing is written to an ended stream', async () => {
    const { emulator, url, close } = await listen(assembleInMemory({ port: 0 }))
    const world = emulator.services.worlds.open('leaving')
    const reply = await fetch(`${url}/__emulator/worlds/leaving/events`)
    expect(world.journal.events.listeners.size).toBe(1)
    emulator.services.worlds.drop('leaving')
    expect(world.journal.events.listeners.size).toBe(0)
    world.journal.events.announce({ kind: 'clock', at: 0 })
    expect(await reply.text()).toMatch(/event: dropped\ndata: [^\n]*\n\n$/)
    await close()
  })
})

describe('GET /metrics', () => {
  it('counts requests, tasks, worlds, renders and the journal in Prometheus’ text', async () => {
    const other = await openGateway()
    const client = worldOfA(other, 'measured')
    const id = await client.made()
    await client.made()
    await client.create({})
    await client.get(id, 'sk-wrong')
    const { status, headers, text: told } = await other.control('GET', '/metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(told).toContain('gateway_emulator_requests_total{operation="a.create",status="200"} 2')
    expect(told).toContain('gateway_emulator_requests_total{operation="a.create",status="400"} 1')
    expect(told).toContain('gateway_emulator_requests_total{operation="a.get",status="401"} 1')
    expect(told).toContain('gateway_emulator_tasks{family="a",status="queued"} 2')
    expect(told).toContain('gateway_emulator_worlds 2')
    expect(told).toMatch(/gateway_emulator_journal_entries 4/)
    expect(told).toMatch(/gateway_emulator_renders_total \d+/)
    for (const line of told.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [\d.e+-]+|)$/)
  })

  it('covers one world below the path of that world, and keeps its counts when the journal is emptied', async () => {
    const w = await listened()
    await w.create()
    await w.control('DELETE', '/requests')
    const { text: told } = await w.control('GET', '/metrics')
    expect(told).toContain('gateway_emulator_requests_total{operation="a.create",status="200"} 1')
    expect(told).toContain('gateway_emulator_journal_entries 0')
    expect(told).toContain('gateway_emulator_worlds 1')
  })
})
