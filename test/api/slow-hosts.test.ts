import { request, type ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, it } from 'vitest'
import { createSharedGate } from '../../src/media/files/gate.ts'
import { createInputs } from '../../src/media/inputs/inputs.ts'
import { createPrepare } from '../../src/media/inputs/prepare-input.ts'
import { image, tasksPath, text } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { sample } from '../support/input-samples.ts'
import { startInputServer } from '../support/input-server.ts'
import { pictureStore } from '../support/picture-store.ts'

const waiting = new Set<ServerResponse>()
/** Answers `/good.png`, and begins every other answer without ever ending it. */
const host = await startInputServer((asked, answer) => {
  if (asked.url?.startsWith('/good')) return void answer.end(sample('square.png'))
  if (asked.url?.startsWith('/missing')) return void answer.writeHead(404).end()
  if (asked.url?.startsWith('/page')) return void answer.end('<!doctype html><title>Router</title>')
  answer.write('begins')
  waiting.add(answer)
  answer.on('close', () => waiting.delete(answer))
})
afterAll(() => host.close())

const inputsWith = (timeLimitMs: number) =>
  createInputs({
    policy: 'loopback',
    prepare: createPrepare(pictureStore(new Map())),
    keep: async () => 'kept',
    timeLimitMs,
  })
const asking = (world: string) => ({
  ...{ world, maxBytes: 1_000_000, asset: () => undefined, own: () => undefined },
})
const patience = { timeout: 20_000 }

it('the time limit of a download holds also when garbage is collected often', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // The limit without a byte is half of it, so the host must continue to send until the whole limit ends the download.
  const dripping = setInterval(() => {
    for (const answer of waiting) answer.write('x')
    collect()
  }, 5)
  const inputs = inputsWith(250)
  const refused = inputs.resolve(`${host.origin}/drip`, 'image', asking('default')).catch(fault => fault)
  expect((await refused).reason).toBe('timeout')
  clearInterval(dripping)
  await inputs.close()
})

it('hosts that never end their replies block only the world that uses them', async () => {
  const inputs = inputsWith(86_400_000)
  const stuck = Array.from({ length: 30 }, (_, i) =>
    inputs.resolve(`${host.origin}/never/${i}`, 'image', asking('slow')).catch(error => error.name),
  )
  await expect.poll(() => waiting.size, patience).toBeGreaterThanOrEqual(8)
  const facts = await inputs.resolve(`${host.origin}/good.png`, 'image', asking('quick'))
  expect(facts).toMatchObject({ format: 'png', origin: 'http' })
  await inputs.close()
  expect(new Set(await Promise.all(stuck))).toEqual(new Set(['AbortError']))
})

it('a free place goes to the world with the fewest places, then to the job that has waited longest', async () => {
  const gate = createSharedGate({ each: 2, all: 3 })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const job = (party: string, name: string, signal?: AbortSignal) =>
    gate.run(
      party,
      () => {
        started.push(name)
        return new Promise<void>(resolve => ends.set(name, resolve))
      },
      signal,
    )
  const stop = new AbortController()
  const all = [job('a', 'a1'), job('a', 'a2'), job('a', 'a3'), job('b', 'b1'), job('b', 'b2'), job('c', 'c1')]
  const left = job('c', 'c0', stop.signal).catch(error => error.message)
  stop.abort(new Error('gone'))
  expect(await left).toBe('gone')
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1'])
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    await expect.poll(() => ends.has(name)).toBe(true)
    ends.get(name)?.()
  }
  await Promise.all(all)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'a3'])
})

it('a download ends with the connection of its client', async () => {
  const gateway = await openGateway()
  const content = [text('a boat'), image(`${host.origin}/left`)]
  const body = JSON.stringify({ model: 'model_a_20', content, resolution: '480p', duration: 4 })
  const open = () => [...waiting].filter(({ req }) => req.url === '/left').length
  const sent = request(gateway.url + tasksPath, {
    ...{ method: 'POST', agent: false },
    headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' },
  })
  sent.on('error', () => undefined).end(body)
  await expect.poll(open, patience).toBe(1)
  sent.destroy()
  await expect.poll(open, patience).toBe(0)
  const entries = async () => (await gateway.control('GET', '/requests')).body.items
  await expect.poll(async () => (await entries())[0]?.fault, patience).toBe('unavailable')
  expect((await gateway.control('GET', '/tasks')).body.items).toEqual([])
})

it('a page of another site gets the same answer for every unusable link', async () => {
  const gateway = await openGateway({ cors: 'any' })
  const closed = await startInputServer(() => undefined)
  await closed.close()
  const links = [
    `${closed.origin}/x.png`,
    ...['/missing.png', '/page.png', '/page.mp4'].map(path => host.origin + path),
  ]
  const answers = async (origin?: string) => {
    const told: string[] = []
    for (const link of links) {
      const body = {
        model: 'model_a_20',
        content: [text('a boat'), image(link)],
        resolution: '480p',
        duration: 4,
      }
      const headers = origin === undefined ? {} : { Origin: origin }
      const reply = await gateway.call('POST', tasksPath, body, { headers })
      told.push(`${reply.status} ${reply.body.error.code} ${reply.body.error.message}`)
    }
    return new Set(told.map(line => line.replace(/request id: \S+/i, '')))
  }
  expect((await answers('https://elsewhere.example')).size).toBe(1)
  expect((await answers('null')).size).toBe(1)
  expect((await answers('http://localhost:3000')).size).toBeGreaterThan(1)
  expect((await answers()).size).toBeGreaterThan(1)
})
