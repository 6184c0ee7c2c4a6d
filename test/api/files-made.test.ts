import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { assembleInMemory, listen } from '../../src/emulator/server/emulator.ts'
import { connectEmulator, createEmulator, startEmulator } from '../../src/index.ts'
import { image, tasksPath, text, textBody, worldOfA } from '../support/family-a.ts'
import { textBody as bodyOfC } from '../support/family-c.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'

const data = ownFolder('files-made')
afterEach(() => vi.unstubAllEnvs())

const small = { model: 'model_a_20', resolution: '480p', duration: 4 }

describe('polls ask for a file ahead, once, when its task is near its end and will succeed', () => {
  const timed = 'a kite [[queue:0s]] [[run:10s]]'
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['A', tasksPath, `${tasksPath}/ID`, (prompt: string) => textBody({ content: [text(prompt)] })],
    ['B', '/api/v1/services/aigc/video-generation/video-synthesis', '/api/v1/tasks/ID', (prompt: string) => ({ model: 'model_b', input: { prompt } })],
    ['C', '/v2/video_generation', '/v2/query/video_generation/ID', (prompt: string) => bodyOfC({ content: [text(prompt)] })],
    ['K', '/image-to-video/model_k_30', '/tasks?task_ids=ID', (prompt: string) => ({ prompt, contents: [{ type: 'first_frame', url: 'http://a.example/a.jpg' }] })],
  ],
  )('family %s', async (_, path, pollPath, bodyOf) => {
    const { emulator, url, close } = await listen(
      assembleInMemory({ port: 0, clock: { mode: 'manual', rate: 1 } }),
    )
    const ahead = vi.spyOn(emulator.services.library, 'ahead').mockReturnValue(undefined)
    const { world } = connectEmulator(url)
    const headers = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
    const made = async (prompt: string) => {
      const body = JSON.stringify(bodyOf(prompt))
      expect((await fetch(url + path, { method: 'POST', headers, body })).status).toBe(200)
      return (await world.tasks.list())[0]?.id ?? ''
    }
    /** How often files were asked for, after a poll at a later moment. */
    const polledAfter = async (by: string, id: string) => {
      await world.clock.advance(by)
      expect((await fetch(url + pollPath.replace('ID', id), { headers })).status).toBe(200)
      return ahead.mock.calls.length
    }
    const failing = await made(`${timed} [[fail:Oops]]`)
    expect([await polledAfter('9s', failing), await polledAfter('1s', failing)]).toEqual([0, 0])
    const id = await made(timed)
    expect(await polledAfter('4999ms', id)).toBe(0)
    expect(await polledAfter('1ms', id)).toBe(1)
    expect(await polledAfter('1s', id)).toBe(1)
    expect(ahead.mock.calls[0]?.[0]()).toMatchObject({ kind: 'video' })
    await close()
  })
})

describe('a rendered file that was deleted is rendered again', () => {
  /** The folder of an emulator's rendered files: those of a data directory of its own. */
  const opened = async (name: string) => {
    const emulator = await startEmulator({ dataDir: join(data, name), clock: 'manual' })
    onTestFinished(() => emulator.close())
    const folder = join(data, name, 'media', 'rendered')
    const wipe = () => {
      for (const file of readdirSync(folder)) rmSync(join(folder, file))
    }
    const ask = async (path: string, body?: unknown) => {
      const reply = await fetch(emulator.url + path, {
        headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: a wrong reading of a body fails the test
      return { status: reply.status, body: (await reply.json()) as any }
    }
    const finished = async (body: unknown) => {
      const { id } = (await ask(tasksPath, body)).body
      await emulator.world.clock.advanceUntil('idle')
      return (await ask(`${tasksPath}/${id}`)).body
    }
    return { emulator, wipe, ask, finished }
  }
  const bytesOf = async (link: string) => Buffer.from(await (await fetch(link)).arrayBuffer())

  it('for a download, also when it was sent from memory before', async () => {
    const { wipe, finished } = await opened('download')
    const link = (await finished(textBody(small))).content.video_url
    const before = await bytesOf(link)
    wipe()
    expect((await bytesOf(link)).equals(before)).toBe(true)
  })

  it('for an input of another task', async () => {
    const { wipe, ask, finished } = await opened('input')
    const body = { ...small, return_last_frame: true }
    const { last_frame_url: picture } = (await finished(textBody(body))).content
    await bytesOf(picture)
    wipe()
    const again = await ask(tasksPath, { ...small, content: [text('go on'), image(picture)] })
    expect(again.status).toBe(200)
  })

  it('for base64', async () => {
    const { emulator, wipe, ask } = await opened('base64')
    const { snapshots } = emulator.world
    const made = async () => {
      const body = { model: 'model_image', prompt: 'a boat', size: '1K', response_format: 'b64_json' }
      return (await ask('/api/v3/images/generations', body)).body.data[0].b64_json
    }
    // The next request would draw another picture.
    await snapshots.save('before')
    const first = await made()
    wipe()
    await snapshots.restore('before')
    expect(await made()).toBe(first)
  })
})

describe('a rendering that fails says why', () => {
  const missing = '/nowhere/ffmpeg'

  it('in the reply, the journal and the log, with the path of FFMPEG_PATH', async () => {
    const told: unknown[] = []
    const logger = { info: () => undefined, error: (...detail: unknown[]) => void told.push(detail) }
    const own = await openGateway({ ffmpegPath: missing, logger })
    const world = worldOfA(own, 'default')
    const record = await world.finished(textBody(small))
    const reply = await own.download(record.content.video_url)
    expect(reply.status).toBe(500)
    expect(reply.bytes.toString()).toContain(`FFMPEG_PATH is ${missing}, which does not run`)
    const { body } = await own.control('GET', '/requests')
    const entry = body.items.find(({ status }: { status: number }) => status === 500)
    expect(entry).toMatchObject({ fault: 'internal' })
    expect(JSON.stringify(entry)).toContain(missing)
    expect(String((told[0] as [{ err: Error }])[0].err)).toContain(missing)
  })

  it('FFMPEG_PATH of the environment is used by startEmulator, and `log` writes to standard error', async () => {
    vi.stubEnv('FFMPEG_PATH', missing)
    const written: string[] = []
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0)
    const emulator = await startEmulator({ clock: 'manual', log: 'json' })
    const headers = { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' }
    const made = await fetch(emulator.url + tasksPath, {
      method: 'POST',
      headers,
      body: JSON.stringify(textBody(small)),
    })
    const { id } = (await made.json()) as { id: string }
    await emulator.world.clock.advanceUntil('idle')
    const { content } = (await (await fetch(`${emulator.url}${tasksPath}/${id}`, { headers })).json()) as {
      content: { video_url: string }
    }
    const reply = await fetch(content.video_url)
    await emulator.close()
    spy.mockRestore()
    expect(await reply.text()).toContain(missing)
    const [line = ''] = written
    expect(JSON.parse(line)).toMatchObject({ level: 'error', error: expect.stringContaining(missing) })
  })
})

describe('an emulator of createEmulator can be closed', () => {
  const folders = () => readdirSync(data).filter(name => name.startsWith('gateway-emulator-'))

  it('has a client of its worlds, makes links from the Host of the request, and leaves no folder behind', async () => {
    vi.stubEnv('TMPDIR', data)
    const others = childrenOf(process.pid)
    const app = createEmulator({ clock: 'manual' })
    const { body } = await supertest(app)
      .post(tasksPath)
      .set('Authorization', 'Bearer sk-emulator')
      .send(textBody(small))
    const client = await app.client()
    await client.world.clock.advanceUntil('idle')
    const { body: record } = await supertest(app)
      .get(`${tasksPath}/${body.id}`)
      .set({ Authorization: 'Bearer sk-emulator', Host: 'videos.test:81' })
    const { host, pathname, search } = new URL(record.content.video_url)
    expect(host).toBe('videos.test:81')
    const file = await supertest(app).get(pathname + search)
    expect([file.status, file.headers['content-type']]).toEqual([200, 'video/mp4'])
    expect((await client.world.tasks.get(body.id)).status).toBe('succeeded')
    expect(folders()).toHaveLength(1)
    const children = childrenOf(process.pid).filter(pid => !others.includes(pid))
    expect(children.length).toBeGreaterThan(0)
    await app.close()
    expect(folders()).toEqual([])
    expect(childrenOf(process.pid).filter(pid => children.includes(pid))).toEqual([])
    await expect(client.health()).rejects.toThrow('No emulator answers')
  })

  it('also when it was never used', async () => {
    vi.stubEnv('TMPDIR', data)
    await createEmulator().close()
    expect(folders()).toEqual([])
  })
})

/** Running render workers that a process has started. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => {
      try {
        const isWorker = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('render-worker')
        return (
          isWorker &&
          Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === parent
        )
      } catch {
        return false
      }
    })
}
