import { describe, expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway({ host: '203.0.113.9', publicUrl: 'https://gateway.example.com:8443' })
const ask = (origin: string, method: 'GET' | 'POST' | 'OPTIONS', body?: object) =>
  gateway.call(method, '/__emulator/clock/advance', body, { key: null, headers: { Origin: origin } })

describe('pages that are developed on this machine, and those of the emulator itself, drive the control API', () => {
  it.each([
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'https://[::1]:8443',
    'http://app.localhost:3000',
    'http://203.0.113.9:3000',
    'https://gateway.example.com',
  ])('a page of %s moves the clock and reads the reply', async origin => {
    const before = await ask(origin, 'OPTIONS')
    expect([before.status, before.headers['access-control-allow-origin']]).toEqual([204, origin])
    expect(before.headers['access-control-allow-methods']).toContain('PATCH')
    const moved = await ask(origin, 'POST', { by: '1s' })
    expect([moved.status, moved.headers['access-control-allow-origin']]).toEqual([200, origin])
  })
})

describe('any other page does not', () => {
  it.each([
    ['https://example.com', 'any port'],
    ['null', 'serve the page from http://localhost'],
    ['http://localhost.example.com', 'any port'],
    ['http://192.168.0.7:3000', 'any port'],
    ['http://devbox:3000', '--public-url'],
    ['chrome-extension://abcdefgh', 'any port'],
  ])('a page of %s is refused without CORS headers, and the clock stands', async (origin, said) => {
    const { now } = (await gateway.control('GET', '/clock')).body
    for (const method of ['OPTIONS', 'POST'] as const) {
      const { status, headers, body } = await ask(origin, method, { by: '1h' })
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined])
      expect(JSON.stringify(body.error)).toContain(said)
    }
    expect((await gateway.control('GET', '/clock')).body.now).toBe(now)
  })
})
