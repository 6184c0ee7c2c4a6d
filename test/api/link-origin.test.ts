import { once } from 'node:events'
import { request as send } from 'node:http'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { linkBase } from '../../src/emulator/http/origin.ts'
import type { EmulatorOptions } from '../../src/emulator/options/config.ts'
import { assembleInMemory, type Listening, listen } from '../../src/emulator/server/emulator.ts'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { freePort } from '../support/free-port.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { poolForTest } from '../support/shared-pool.ts'

oneVideoForAll()
const open: Listening[] = []
afterAll(() => Promise.all(open.map(({ close }) => close())))

async function started(options: EmulatorOptions = {}) {
  const clock = { mode: 'manual', rate: 1 } as const
  const listening = await listen(assembleInMemory({ port: 0, clock, pool: poolForTest(), ...options }))
  open.push(listening)
  const { port } = listening.emulator.services.options
  const { world } = connectEmulator(`http://127.0.0.1:${port}`)
  /** A request by a Host name, sent to an address of this machine. */
  const ask = async (path: string, host: string, body?: object, at = '127.0.0.1') => {
    const keyed = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
    const headers = { Host: host, ...keyed }
    const sent = send({ host: at, port, path, method: body ? 'POST' : 'GET', headers })
    const [reply] = await once(sent.end(body && JSON.stringify(body)), 'response')
    return JSON.parse(Buffer.concat(await reply.toArray()).toString())
  }
  const linkFor = async (host: string, at?: string) => {
    const { id } = await ask(tasksPath, host, textBody(), at)
    await world.clock.advanceUntil('idle')
    return new URL((await ask(`${tasksPath}/${id}`, host, undefined, at)).content.video_url)
  }
  return { port, world, ask, linkFor, listening }
}

const isWithV6 = Object.values(networkInterfaces()).some(list =>
  list?.some(({ address }) => address === '::1'),
)
const v6 = isWithV6 ? '::1' : '127.0.0.1'

describe('result links have another origin than the API (A-link-origin)', () => {
  it.each([
    ['127.0.0.1', 'localhost'],
    ['localhost', '127.0.0.1'],
    ['[::1]', '[::1]'],
  ])(
    'a poll by the name %s gets a link to %s that works without a key, and is a 400 with one',
    async (name, other) => {
      const { port, linkFor, world } = await started()
      const link = await linkFor(`${name}:${port}`, name === '[::1]' ? v6 : '127.0.0.1')
      expect(link.host).toBe(`${other}:${port}`)
      const file = await fetch(link, { headers: { Range: 'bytes=0-9' } })
      expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([206, 10])
      const withKey = await fetch(link, { headers: { Authorization: `Bearer ${world.apiKey}` } })
      expect([withKey.status, await withKey.text()]).toEqual([400, expect.stringContaining('<Error>')])
    },
  )

  it('a poll by a name that is not of this machine gets a link by that name', async () => {
    const { port, linkFor } = await started()
    expect((await linkFor(`gateway.test:${port}`, '127.0.0.1')).host).toBe(`gateway.test:${port}`)
  })

  it('the link of a poll is that of the control API by the same name', async () => {
    const { port, ask, world } = await started()
    const { id } = await ask(tasksPath, `127.0.0.1:${port}`, textBody())
    await world.clock.advanceUntil('idle')
    const { content } = await ask(`${tasksPath}/${id}`, `127.0.0.1:${port}`)
    expect((await world.tasks.get(id)).media.map(({ url }) => url)).toEqual([content.video_url])
  })

  it('a link by any name of this machine is known as our own when it comes back as an input', async () => {
    const { port, ask, world } = await started()
    for (const [host, as] of [
      ['127.0.0.1', 'localhost'],
      ['localhost', 'localhost'],
      ['127.0.0.1', '[::1]'],
    ] as const) {
      const picture = { model: 'model_image', prompt: 'a kite', size: '1K', response_format: 'url' }
      const { data } = await ask('/api/v3/images/generations', `${host}:${port}`, picture)
      const link = new URL(data[0].url)
      link.hostname = as
      const frame = { type: 'image_url', image_url: { url: link.href }, role: 'first_frame' }
      const content = [{ type: 'text', text: 'it moves' }, frame]
      const body = textBody({ content, ratio: 'adaptive' })
      const made = await ask(tasksPath, `127.0.0.1:${port}`, body)
      expect(made, link.href).toEqual({ id: expect.stringMatching(/^cgt-/) })
    }
    const media = (await world.tasks.list()).flatMap(task => task.media)
    expect(media.map(({ downloads }) => downloads)).toEqual(media.map(() => 0))
  })

  it('links keep the name of the request when another program has the port of ::1', async () => {
    const port = await freePort()
    const other = createServer().listen(port, v6)
    await once(other, 'listening')
    const lines: string[] = []
    const logger = { info: (_: object, line: string) => void lines.push(line), error() {} }
    const taken = started({ port, logger, host: isWithV6 ? '127.0.0.1' : '127.0.0.2' })
    const { linkFor } = await taken
    expect((await linkFor(`127.0.0.1:${port}`)).host).toBe(`127.0.0.1:${port}`)
    if (isWithV6) expect(lines.join()).toMatch(`The port ${port} of ::1 is taken by another program`)
    other.close()
  })

  it('closing closes the connections of ::1, too', async () => {
    const { port, listening } = await started({ port: await freePort() })
    const socket = connect(port, v6)
    await once(socket, 'connect')
    const ended = once(socket.resume(), 'close')
    await listening.close()
    await ended
    await expect(fetch(`http://[::1]:${port}/__emulator/health`)).rejects.toThrow('fetch failed')
  })

  it.each([
    ['http://127.0.0.1:8585', {}, 'http://localhost:8585'],
    ['https://localhost', { port: 443 }, 'https://127.0.0.1'],
    ['http://LOCALHOST:8585', {}, 'http://127.0.0.1:8585'],
    ['http://localhost:9000', {}, 'http://localhost:9000'],
    ['http://localhost', {}, 'http://localhost'],
    ['http://127.0.0.2:8585', {}, 'http://127.0.0.2:8585'],
    ['http://localhost.test:8585', {}, 'http://localhost.test:8585'],
    ['http://127.0.0.1:8585', { publicUrl: 'http://127.0.0.1:8585' }, 'http://127.0.0.1:8585'],
    ['http://127.0.0.1:8585', { hasLoopbackNames: false }, 'http://127.0.0.1:8585'],
  ])('%s with %j: links begin with %s', (base, own, expected) => {
    expect(linkBase(base, { host: '127.0.0.1', port: 8585, hasLoopbackNames: true, ...own })).toBe(expected)
  })
})
