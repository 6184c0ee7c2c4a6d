import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { get as secureGet } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { followRequests } from '../../src/explore/time/in-flight.ts'
import { worldClock } from '../../src/explore/time/world-clock.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})
afterAll(() => emulator.close())

describe('requests that drive the world\'s clock (docs/explore.md, "Time")', () => {
  it('do not count as bytes of the program, whose connection stays open', async () => {
    let now = 0
    const flight = followRequests(() => now, { onBegin() {}, onEnd() {} })
    const [reply] = await once(get(`${emulator.url}/healthz`), 'response')
    await once(reply.resume(), 'close')
    const silent = flight.silentSince()
    now = 1000
    expect(await worldClock(emulator.url, 'default').lateBy(0)).toBe('work')
    expect(flight.silentSince()).toBe(silent)
    expect(flight.count()).toBe(0)
  })

  it('tell the requests to the emulator from those to another port, or over TLS, by any name of the loopback address', async () => {
    const flight = followRequests(() => 0, { onBegin() {}, onEnd() {} })
    const [ours, other] = [await silentServer(), await silentServer()]
    const agent = new Agent({ keepAlive: true })
    const [reply] = await once(get(`${ours}/answered`, { agent }), 'response')
    await once(reply.resume(), 'close')
    const kept = get(`${ours}/on-a-kept-connection`, { agent }).on('error', () => {})
    await vi.waitFor(() => expect([flight.count(), flight.areTo(ours)]).toEqual([1, true]))
    kept.destroy()
    await vi.waitFor(() => expect(flight.count()).toBe(0))
    for (const [url, isOurs] of [
      [ours, true],
      [other, false],
      [ours.replace('127.0.0.1', 'localhost'), true],
      [other.replace('127.0.0.1', 'localhost'), false],
    ] as const) {
      const ending = new AbortController()
      const failed = fetch(url, { signal: ending.signal }).catch(() => {})
      await vi.waitFor(() => expect(flight.count()).toBe(1))
      expect(flight.areTo(ours), url).toBe(isOurs)
      ending.abort()
      await failed
      await vi.waitFor(() => expect(flight.count()).toBe(0))
    }
    const overTls = ours.replace('http:', 'https:')
    const sent = [get(ours), get(other), secureGet(overTls)].map(one => one.on('error', () => {}))
    for (const [index, isOurs] of [false, false, true].entries()) {
      await vi.waitFor(() => expect([flight.count(), flight.areTo(ours)]).toEqual([3 - index, isOurs]))
      sent.pop()?.destroy()
    }
    await vi.waitFor(() => expect(flight.count()).toBe(0))
  })

  it('an emulator whose health lacks the number of renderings counts as one that renders none', async () => {
    const older = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1')
    await once(older, 'listening')
    const { port } = older.address() as AddressInfo
    expect(await worldClock(`http://127.0.0.1:${port}`, 'default').lateBy(0)).toBe('work')
    older.close()
    older.closeAllConnections()
  })
})

/** A server that answers only the path /answered, and leaves every connection open. */
async function silentServer(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/answered') response.end()
  })
  server.on('clientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
