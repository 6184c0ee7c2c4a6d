// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'

/** A new world in which a rule holds the first create. */
async function holding(connection: unknown) {
  const name = gateway.freshWorld()
  const key = `sk-test-${name}`
  const control = gateway.controlOf(name)
  await control('POST', '/inject', { operation: 'a.create', nth: 1, then: { connection } })
  const requests = async () => (await control('GET', '/requests')).body.items
  return {
    ...{ key, control, requests },
    made: async () => (await control('GET', '/tasks')).body.items.map(({ id }: { id: string }) => id),
    create: (signal?: AbortSignal) =>
      fetch(gateway.url + tasks, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(textBody()),
        ...(signal && { signal }),
      }),
    held: () => expect.poll(async () => (await requests()).length, { timeout: 5000 }).toBe(1),
    /** Resolves when so many replies come only when somebody releases them. */
    hanging: (count: number) =>
      expect
        .poll(async () => (await control('GET', '/health')).body.held_replies, { timeout: 5000 })
        .toBe(count),
    release: () => control('POST', '/requests/release'),
  }
}

it.each([
  ['before_request', 0],
  [true, 1],
] as const)(
  'hang: %s: the request is released, answered, and one entry with what came of it',
  async (hang, before) => {
    const world = await holding({ hang })
    const reply = world.create()
    await world.held()
    expect(await world.made()).toHaveLength(before)
    expect((await world.requests())[0]).toMatchObject({ reply_lost: true, broken: 'stalled' })
    expect((await world.release()).status).toBe(200)
    const answer = await reply
    expect(answer.status).toBe(200)
    const { id } = (await answer.json()) as { id: string }
    expect(await world.made()).toEqual([id])
    const [entry, ...others] = await world.requests()
    expect(others).toEqual([])
    const effects = [{ kind: 'hang', place: hang === true ? 'before_headers' : hang, released: true }]
    expect(entry).toMatchObject({ status: 200, task_id: id, effects })
    for (const key of ['reply_lost', 'broken']) expect(entry).not.toHaveProperty(key)
    const { attempts, events } = (await world.control('GET', '/trace')).body
    expect(attempts[0].calls).toEqual([expect.objectContaining({ status: 200, nth: 1 })])
    // A copied test would hold the call for ever.
    expect(attempts[0].calls[0]).not.toHaveProperty('effect')
    expect(events.map(({ text }: { text: string }) => text)).toContain('what a scenario held was released')
  },
)

it('a call that has not come to its hang yet does not hang', async () => {
  const world = await holding({ latency: '1s', hang: true })
  const reply = world.create()
  await world.held()
  await world.release()
  expect((await reply).status).toBe(200)
})

it('a call that comes after the release hangs', async () => {
  const world = await holding('hang')
  await world.release()
  const leaving = new AbortController()
  const reply = world.create(leaving.signal).catch(() => 'left')
  await world.held()
  await world.hanging(1)
  leaving.abort()
  expect(await reply).toBe('left')
})

it('a request whose client has left is not handled', async () => {
  const world = await holding({ hang: 'before_request' })
  const leaving = new AbortController()
  const reply = world.create(leaving.signal).catch(() => 'left')
  await world.hanging(1)
  leaving.abort()
  expect(await reply).toBe('left')
  await world.hanging(0)
  await world.release()
  expect(await world.made()).toEqual([])
})

it('a request whose world was reset meanwhile is refused, and makes nothing', async () => {
  const world = await holding({ hang: 'before_request' })
  const reply = world.create()
  await world.held()
  await world.control('POST', '/reset')
  await world.release()
  expect((await reply).status).toBeGreaterThanOrEqual(400)
  expect(await world.made()).toEqual([])
})

it('a file that stalls half way goes on where it stopped', async () => {
  const name = gateway.freshWorld()
  const record = await worldOfA(gateway, name).finished(textBody({ resolution: '480p', duration: 4 }))
  const control = gateway.controlOf(name)
  const made = await fetch(`${gateway.url}/__emulator/worlds/${name}/tasks/${record.id}/media/video`)
  const whole = Buffer.from(await made.arrayBuffer())
  const then = { media: { stall_after: '50%' } }
  await control('POST', '/inject', { operation: 'media.download', nth: 1, then })
  const { body } = await fetch(record.content.video_url)
  let received = Buffer.alloc(0)
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    received = Buffer.concat([received, part])
    expect(received.length, 'before the release').toBeLessThanOrEqual(whole.length)
    if (received.length === Math.floor(whole.length / 2)) await control('POST', '/requests/release')
  }
  expect(received.equals(whole)).toBe(true)
  const [entry] = (await control('GET', '/requests?operation=media.download')).body.items
  expect(entry.effects).toEqual([{ kind: 'stall', share: 0.5, released: true }])
  expect(entry).not.toHaveProperty('broken')
})

it('a connection that breaks ends the request, too, that waits there for the reply to an earlier one', async () => {
  const world = await holding('hang')
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  const head = 'Host: gateway\r\nAuthorization: Bearer '
  const body = JSON.stringify(textBody())
  socket.write(
    `POST ${tasks} HTTP/1.1\r\n${head}${world.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
      `GET ${tasks} HTTP/1.1\r\n${head}${world.key}\r\n\r\n`,
  )
  const open = async () => (await world.control('GET', '/health')).body.open_requests
  await expect.poll(open, { timeout: 5000 }).toBe(2)
  socket.destroy()
  await expect.poll(open, { timeout: 5000 }).toBe(0)
})

it('fifty requests in a row on one connection add no listeners of which Node warns', async () => {
  const warned: string[] = []
  const hear = ({ name }: Error) => warned.push(name)
  process.on('warning', hear)
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  const head = 'Host: gateway\r\nAuthorization: Bearer sk-test-in-a-row'
  socket.write(`GET ${tasks} HTTP/1.1\r\n${head}\r\n\r\n`.repeat(50))
  await expect.poll(() => text.split('HTTP/1.1 200').length - 1, { timeout: 5000 }).toBe(50)
  socket.destroy()
  process.off('warning', hear)
  expect(warned).toEqual([])
})
