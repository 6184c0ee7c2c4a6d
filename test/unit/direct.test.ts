import http from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ask, askEmulator, askWith, certificateFault, proxyHint } from '../../src/emulator/http/direct.ts'
import { connectEmulator, startEmulator } from '../../src/index.ts'
import { sourceFiles } from '../support/source-files.ts'

/** As Node is with NODE_USE_ENV_PROXY: `fetch` and the common agent go through a proxy, which has no loopback address of this machine. */
function behindProxy(): void {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('the proxy was asked')))
  const createConnection = () => {
    throw new Error('the proxy was asked')
  }
  vi.spyOn(http, 'globalAgent', 'get').mockReturnValue(Object.assign(new http.Agent(), { createConnection }))
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('the control client of an emulator of this machine does not go through the proxy of the environment', async () => {
  behindProxy()
  for (const options of [{ tls: undefined }, { tls: 'self' }]) {
    const emulator = await startEmulator({ clock: 'auto', ...options })
    const world = await connectEmulator(emulator.url).openWorld({ clock: 'manual' })
    expect((await world.clock.advance('1h')).events).toEqual([])
    const sample = `${emulator.url}/__emulator/samples/landscape.jpg`
    expect((await askEmulator(sample)).headers.get('content-type')).toBe('image/jpeg')
    // A request with a key goes only to a certificate that is trusted.
    if (options.tls) await expect(ask(sample)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    else expect((await ask(sample)).status).toBe(200)
    await emulator.close()
  }
  await expect(connectEmulator('http://gateway.example').health()).rejects.toMatchObject({
    message: 'No emulator answers at http://gateway.example',
    cause: { message: 'the proxy was asked' },
  })
})

it('a key of the emulator goes to any certificate of this machine, a real key to a trusted one alone, and the cause is told', async () => {
  const emulator = await startEmulator({ tls: 'self' })
  const sample = `${emulator.url}/__emulator/samples/landscape.jpg`
  expect((await askWith('sk-test-a:b')(sample)).status).toBe(200)
  const fault = await askWith('ark-0123')(sample).catch(certificateFault)
  expect(fault).toContain('its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')
  expect(certificateFault(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBeUndefined()
  await emulator.close()
})

it('no other part of the program that asks an emulator uses fetch', () => {
  // A page in a browser has its own, and the clock inside a user's program has that program's.
  const asking = sourceFiles.filter(({ path }) => !/^(console|explore\/time)\//.test(path))
  const found = asking
    .filter(({ code }) => /(?<![.\w]|to )fetch(?!\w|\s*:| failed)/.test(code))
    .map(({ path }) => path)
  // A caller takes the page's own where nothing else is given.
  expect(found).toEqual(['emulator/http/direct.ts', 'kits/client/call.ts'])
})

describe('a message names the proxy that requests are led to', () => {
  const at = (environment: Record<string, string>, url = 'http://127.0.0.1:8585') =>
    proxyHint(url, { environment, isOn: true })
  const proxy = 'http://name:password@proxy.example:3128'

  it.each<[Record<string, string>, string?]>([
    [{ HTTP_PROXY: proxy }],
    [{ http_proxy: proxy, NO_PROXY: '' }],
    [{ HTTP_PROXY: proxy, NO_PROXY: 'localhost,10.0.0.1 127.0.0.1:8586' }],
    [{ HTTPS_PROXY: proxy }, 'https://localhost:8585'],
    [{ HTTP_PROXY: proxy, NO_PROXY: 'other.example' }, 'http://gateway.example'],
  ])('%j %s', (environment, url) => {
    const hint = at(environment, url)
    expect(hint).toMatch(
      /^https?_proxy with NODE_USE_ENV_PROXY leads .* the proxy proxy\.example:3128: set NO_PROXY=/i,
    )
    expect(hint).not.toContain('password')
  })

  it.each<[Record<string, string>, string?]>([
    [{}],
    [{ HTTPS_PROXY: proxy }],
    [{ HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1,localhost' }],
    [{ HTTP_PROXY: proxy, no_proxy: '127.0.0.1:8585' }],
    [{ HTTP_PROXY: proxy, NO_PROXY: '*' }],
    [{ HTTP_PROXY: proxy, NO_PROXY: '.example' }, 'http://gateway.example'],
    [{ HTTP_PROXY: proxy, NO_PROXY: '[::1]' }, 'http://[::1]:8585'],
  ])('not with %j %s, which leads to none', (environment, url) => {
    expect(at(environment, url)).toBeUndefined()
  })

  it('not when Node does not use the proxy of the environment', () => {
    expect(
      proxyHint('http://127.0.0.1:8585', { environment: { HTTP_PROXY: proxy }, isOn: false }),
    ).toBeUndefined()
  })
})
