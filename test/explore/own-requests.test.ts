import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { get as secureGet } from 'node:https'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { followRequests } from '../../src/explore/time/in-flight.ts'
import { listening } from '../support/input-server.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})

describe('the open requests of a program in virtual time (docs/explore.md, "Time")', () => {
  it('those of the control API are not its own, and neither are their bytes', async () => {
    const flight = followRequests({ onBegin() {}, onEnd() {}, home: emulator.url })
    const [reply] = await once(get(`${emulator.url}/healthz`), 'response')
    await once(reply.resume(), 'close')
    const bytes = flight.bytesRead()
    expect(bytes).toBeGreaterThan(0)
    const [control] = await once(get(`${emulator.url}/__emulator/health`, { agent: new Agent() }), 'response')
    expect(flight.calls()).toBe('-')
    await once(control.resume(), 'close')
    expect(flight.bytesRead()).toBe(bytes)
  })

  it('are counted by the place that they went to, until their replies have come', async () => {
    const flight = followRequests({ onBegin() {}, onEnd() {}, home: emulator.url })
    const [one, other] = [await silentServer(), await silentServer()]
    const agent = new Agent({ keepAlive: true })
    const [reply] = await once(get(`http://${one}/answered`, { agent }), 'response')
    await once(reply.resume(), 'close')
    const kept = get(`http://${one}/on-a-kept-connection`, { agent }).on('error', () => {})
    await vi.waitFor(() => expect(flight.calls()).toBe(`${one}=1`))
    const ending = new AbortController()
    const failed = fetch(`http://${one}`, { signal: ending.signal }).catch(() => {})
    const sent = [get(`http://${other}`), secureGet(`https://${other.replace('127.0.0.1', 'localhost')}`)]
    for (const request of sent) request.on('error', () => {})
    const places = [`${one}=2`, `${other}=1`, `${other.replace('127.0.0.1', 'localhost')}=1`]
    await vi.waitFor(() => expect(flight.calls().split(',').sort()).toEqual(places.sort()))
    for (const request of [kept, ...sent]) request.destroy()
    ending.abort()
    await failed
    await vi.waitFor(() => expect(flight.calls()).toBe('-'))
  })
})

describe('the rest of a reply that a program leaves unread is not on its way', () => {
  it.each([
    ['node:http', async (address: string) => (await once(get(address), 'response')) as unknown],
    ['fetch', async (address: string) => (await fetch(address)) as unknown],
  ])(
    'from the emulator, whatever its name on this machine, as soon as it has begun, by %s',
    async (_, ask) => {
      const place = await silentServer()
      const flight = followRequests({ onBegin() {}, onEnd() {}, home: `http://${place}` })
      const elsewhere = await silentServer()
      const named = place.replace('127.0.0.1', 'localhost')
      const addresses = [place, named, elsewhere].map(one => `http://${one}/begun`)
      const replies = await Promise.all(addresses.map(ask))
      expect(flight.calls()).toBe(`${elsewhere}=1`)
      expect(replies).not.toContain(undefined)
    },
  )

  it('from another server, when all of it has come', async () => {
    const flight = followRequests({ onBegin() {}, onEnd() {}, home: emulator.url })
    const place = await silentServer()
    await once(get(`http://${place}/short`), 'response')
    await vi.waitFor(() => expect(flight.calls()).toBe('-'))
  })
})

/** The place of a server that answers some paths, one of them by half, and leaves every connection open. */
async function silentServer(): Promise<string> {
  const { server, port, close } = await listening((request, response) => {
    if (request.url === '/answered') response.end()
    if (request.url === '/short') response.end('short')
    if (request.url === '/begun') response.write('the first part')
  })
  server.on('clientError', () => {})
  onTestFinished(close)
  return `127.0.0.1:${port}`
}
