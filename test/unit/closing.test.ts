import { once } from 'node:events'
import { Agent, request, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { closeInTime } from '../../src/emulator/server/closing.ts'
import { assembleInMemory, listen } from '../../src/emulator/server/emulator.ts'
import { createEmulator } from '../../src/index.ts'
import { fetchJson } from '../support/fetch-json.ts'
import { listening, startInputServer } from '../support/input-server.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

/** A server with one request under way, which is answered only by `answer`. */
async function busyServer() {
  const { server, url } = await listening(() => undefined)
  servers.push(server)
  const sent = request(url)
  const [[, response]] = await Promise.all([once(server, 'request'), sent.end()])
  const outcome = new Promise<string>(resolve => {
    sent.on('response', answer => answer.resume() && resolve('answered')).on('error', () => resolve('cut'))
  })
  return { server, outcome, answer: () => response.end('done') }
}

const never = () => new Promise<void>(() => undefined)
const aDay = 86_400_000

it('closing waits for running requests, then closes the parts behind the server', async () => {
  const { server, outcome, answer } = await busyServer()
  const order: string[] = []
  const parts = { close: async () => void order.push('parts') }
  const closing = closeInTime(server, parts, { requestsMs: aDay, allMs: aDay })
  order.push('answer')
  answer()
  expect(await closing).toEqual({ inTime: true })
  expect(await outcome).toBe('answered')
  expect(order).toEqual(['answer', 'parts'])
})

it('closing cuts requests that do not end', async () => {
  const { server, outcome } = await busyServer()
  let closed = 0
  const parts = { close: async () => void closed++ }
  expect(await closeInTime(server, parts, { requestsMs: 1, allMs: aDay })).toEqual({ inTime: true })
  expect(await outcome).toBe('cut')
  expect(closed).toBe(1)
})

it('closing does not wait longer than its deadline for parts that do not end', async () => {
  const { server } = await busyServer()
  expect(await closeInTime(server, { close: never }, { requestsMs: 1, allMs: 30 })).toEqual({ inTime: false })
})

it('closing during a request that waits for its input cuts the request and logs no fault', async () => {
  const host = await startInputServer(() => undefined)
  const errors: string[] = []
  const logger = { info() {}, error: (_: object, message: string) => void errors.push(message) }
  const { url, close } = await listen(assembleInMemory({ inputs: 'loopback', port: 0, logger }))
  const body = { model: 'model_image', prompt: 'a boat', image: `${host.origin}/never.png` }
  const sent = fetchJson(`${url}/api/v3/images/generations`, 'POST', body, 'sk-emulator')
  const isCut = expect(sent).rejects.toThrow()
  await expect.poll(() => host.asked).toEqual(['/never.png'])
  await close()
  await isCut
  expect(errors).toEqual([])
  await host.close()
})

describe('after closing, clients of this process have seen the end of their connections', () => {
  const agent = new Agent({ keepAlive: true })
  const statusBy = (url: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url, { agent }, reply => reply.resume().on('end', () => resolve(reply.statusCode)))
      sent.on('error', reject).end()
    })
  const restarts = 25

  it.each([
    ['node:http', statusBy],
    ['fetch', async (url: string) => (await fetch(url)).status],
  ])(
    'so that %s with kept connections meets none of them at the next start on the same port',
    async (_, statusOf) => {
      let port = 0
      for (let i = 0; i < restarts; i++) {
        const { url, close } = await listen(assembleInMemory({ port, log: 'silent' }))
        port = Number(new URL(url).port)
        const health = `${url}/__emulator/health`
        const statuses = await Promise.all([statusOf(health), statusOf(health), statusOf(health)])
        expect(statuses).toEqual([200, 200, 200])
        await close()
      }
      agent.destroy()
    },
  )

  it('also of an app without a socket of its own', async () => {
    const client = await createEmulator().client()
    await statusBy(`${client.url}/__emulator/health`)
    await client.close()
    expect(agent.freeSockets).toEqual({})
  })
})
