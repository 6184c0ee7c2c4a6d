import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readRecording } from '../../src/cli/commands/compare.ts'
import { certificateOf } from '../../src/emulator/server/tls.ts'
import { fetchJson } from '../support/fetch-json.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { serve } from '../support/run.ts'

const gateway = await openGateway({ strict: false })
const folder = ownFolder('record-process')
const main = new URL('../../dist/main.js', import.meta.url).pathname
const path = '/api/v3/contents/generations/tasks/cgt-20200101000000-zzzzz'

const { cert, key } = await certificateOf('self', { host: '127.0.0.1' })
const certificate = join(folder, 'certificate.pem')
writeFileSync(certificate, cert)
const secure = createServer({ cert, key }, (request, response) => {
  const { method, headers, url } = request
  request.pipe(
    httpRequest(gateway.url + url, { method: method ?? 'GET', headers }, reply => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    }),
  )
})
secure.listen(0, '127.0.0.1')
await once(secure, 'listening')
const secureUrl = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`
afterAll(() => {
  secure.closeAllConnections()
  secure.close()
})

function record(upstream: string, name: string, more: Record<string, string> = {}) {
  const args = ['record', '--upstream', upstream, '--out', join(folder, name), '--port', '0', '--log', 'json']
  const { NODE_EXTRA_CA_CERTS: _, ...plain } = process.env
  return serve(process.execPath, [main, ...args], { env: { ...plain, ...more } })
}

const ask = (url: string) => fetchJson(url + path, 'GET', undefined, 'sk-test-recorded')

describe('gateway-emulator record in front of an https gateway (docs/recordings.md)', () => {
  it('trusts a self-signed certificate from NODE_EXTRA_CA_CERTS', async () => {
    const { url, stop } = await record(secureUrl, 'secure.har', { NODE_EXTRA_CA_CERTS: certificate })
    expect((await ask(url)).status).toBe(404)
    await stop()
    const { steps } = await readRecording(join(folder, 'secure.har'))
    expect(steps).toMatchObject([{ operation: 'a.get', status: 404 }])
  })

  it('does not trust other certificates, and says what to do', async () => {
    const { url, stop } = await record(secureUrl, 'refused.har')
    const { status, body } = await ask(url)
    expect([status, body.error.message]).toEqual([502, expect.stringContaining('NODE_EXTRA_CA_CERTS')])
    await stop()
  })
})

describe('a recorder that is killed (docs/recordings.md)', () => {
  it('leaves a file with every exchange that the client received completely, and a cut file is read up to the cut', async () => {
    const { url, stop } = await record(gateway.url, 'killed.har')
    for (let asked = 0; asked < 5; asked++) await ask(url)
    await stop('SIGKILL')
    const file = join(folder, 'killed.har')
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect((await readRecording(file)).steps.length).toBe(5)
    expect(said).not.toHaveBeenCalled()
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.slice(0, -200))
    expect((await readRecording(file)).steps.length).toBe(4)
    expect(said.mock.calls.flat().join()).toMatch(
      /killed\.har ends in the middle of an entry.*entries read: 4/,
    )
    said.mockRestore()
  })
})
