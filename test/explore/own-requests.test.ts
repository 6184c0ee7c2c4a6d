import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { followRequests } from '../../src/virtual-time/in-flight.ts'
import { worldClock } from '../../src/virtual-time/world-clock.ts'
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
    expect(await worldClock(emulator.url, 'default').lateBy()).toBe('work')
    expect(flight.silentSince()).toBe(silent)
    expect(flight.count()).toBe(0)
  })

  it('an emulator whose health lacks the number of renderings counts as one that renders none', async () => {
    const older = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1')
    await once(older, 'listening')
    const { port } = older.address() as AddressInfo
    expect(await worldClock(`http://127.0.0.1:${port}`, 'default').lateBy()).toBe('work')
    older.close()
    older.closeAllConnections()
  })
})
