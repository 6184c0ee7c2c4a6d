import { readFileSync } from 'node:fs'
import { request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { basename } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { families } from '../../src/emulator/families/index.ts'
import { type Answer, openGateway } from '../support/gateway.ts'
import { startInputServer } from '../support/input-server.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { accepted, refusal } from '../support/own-world.ts'

oneVideoForAll()

const gateway = await openGateway()
/** Requests for samples, which are answered only after `release`. */
const waiting: [path: string, response: ServerResponse][] = []
const { origin, close } = await startInputServer((request, response) => {
  waiting.push([request.url ?? '', response])
})
afterAll(close)
const inputs = {
  origin,
  asked: () => vi.waitFor(() => expect(waiting).not.toEqual([]), { timeout: 10_000 }),
  release() {
    for (const [path, response] of waiting.splice(0))
      response.end(readFileSync(`fixtures/media/samples/${basename(path)}`))
  },
}
const createPath = '/api/v3/contents/generations/tasks'

/** Creates whose inputs are read from a host. */
const creates = [
  'a.create.first-last-frame',
  'b.create.reference',
  'c.create.first-frame',
  'c.enhance.first-frame',
  'special.create.first-last-frame',
  'k.create.first-frame',
  'k.avatar.create.sound-file',
  'k.voice.create.recording',
  'image.generate.fusion',
] as const

type Name = (typeof creates)[number]

function pathOf(name: Name): string {
  const operation = name.slice(0, name.lastIndexOf('.'))
  const all = families.flatMap(({ endpoints }) => endpoints)
  const endpoint = all.find(candidate => candidate.operation === operation)
  return (endpoint?.paths[0] ?? '').replace(':model', 'model_k_30')
}

function bodyOf(name: Name): Record<string, unknown> {
  const text = readFileSync(`fixtures/requests/${name.split('.')[0]}/${name}.json`, 'utf8')
  return JSON.parse(text.replaceAll('{{samples}}', inputs.origin))
}

/** The answer to requests whose inputs are asked for one after the other. */
async function released<T>(answer: Promise<T>): Promise<T> {
  let isDone = false
  const done = answer.finally(() => {
    isDone = true
  })
  await expect
    .poll(() => {
      inputs.release()
      return isDone
    })
    .toBe(true)
  return done
}

function openWorld(target = gateway) {
  const world = gateway.freshWorld()
  const key = `sk-test-${world}`
  const control = (method: string, below: string, body?: unknown) =>
    target.control(method, `/worlds/${world}${below}`, body)
  return {
    world,
    key,
    control,
    tasks: async () => (await control('GET', '/tasks?limit=100')).body.items,
    textTask: (text = 'a cat') =>
      target.post(createPath, { model: 'model_a_20', content: [{ type: 'text', text }] }, key),
    /** Sends a create, does something while its inputs are read, and gives the answer. */
    async during(name: Name, meanwhile: () => Promise<unknown>): Promise<Answer> {
      const answered = target.post(pathOf(name), bodyOf(name), key)
      await inputs.asked()
      await meanwhile()
      return released(answered)
    },
  }
}

describe.each(creates)('%s, while its inputs are read', name => {
  it('has the time of its admission after an advance', async () => {
    const { control, during, tasks } = openWorld()
    accepted(await during(name, () => control('POST', '/clock/advance', { by: '1h' })))
    const [task] = await tasks()
    const { now_ms } = (await control('GET', '/clock')).body
    expect(Date.parse(task.created_at)).toBe(now_ms)
  })

  it('is refused with 503 after a reset, and draws no random numbers in the new world', async () => {
    const { control, during, tasks, textTask } = openWorld()
    const untouched = openWorld()
    const reply = await during(name, () => control('POST', '/reset'))
    expect(reply.status).toBe(503)
    expect(reply.text).toMatch(/world was reset, restored, replaced or dropped while the request waited/)
    expect(await tasks()).toEqual([])
    expect((await control('GET', '/ledger')).body.items).toEqual([])
    expect((await control('GET', '/requests')).body.items).toEqual([])
    expect((await textTask()).body.id).toBe((await untouched.textTask()).body.id)
  })

  it('is refused with 503 when the world was dropped', async () => {
    const { world, during } = openWorld()
    refusal(await during(name, () => gateway.control('DELETE', `/worlds/${world}`)), 503)
    expect((await gateway.control('GET', `/worlds/${world}`)).status).toBe(404)
  })

  it('is refused when the balance was spent in the meantime', async () => {
    const { control, during, tasks } = openWorld()
    const reply = await during(name, () => control('PATCH', '/accounts/default', { balance: 0 }))
    const { balance } = (await control('GET', '/accounts')).body.items[0]
    expect(balance).toBe(0)
    expect(reply.status).toBe(403)
    expect(await tasks()).toEqual([])
  })
})

it('a create that waits during a restore is refused with 503, and is not stored', async () => {
  const { control, during, tasks } = openWorld()
  await control('POST', '/snapshots', { name: 'early' })
  await control('POST', '/clock/advance', { by: '1h' })
  refusal(await during('a.create.first-last-frame', () => control('POST', '/snapshots/early/restore')), 503)
  expect(await tasks()).toEqual([])
})

it('a create is not stored in a world that a document replaced', async () => {
  const { control, during, tasks } = openWorld()
  const { body: state } = await control('GET', '/state')
  refusal(await during('a.create.first-last-frame', () => control('PUT', '/state', state)), 503)
  expect(await tasks()).toEqual([])
})

it('a create whose key was disabled in the meantime is 401', async () => {
  const { control, during, tasks } = openWorld()
  const disable = () => control('PATCH', '/accounts/default', { disabled: true })
  refusal(await during('a.create.first-last-frame', disable), 401)
  expect(await tasks()).toEqual([])
})

it('with the auto clock, a task that waited for its input has not succeeded at its first poll', async () => {
  const { control, key, during } = openWorld()
  await control('PATCH', '/clock', { mode: 'auto' })
  const later = () => control('POST', '/clock/advance', { by: '10m' })
  const reply = await during('a.create.first-last-frame', later)
  const { body } = await gateway.get(`${createPath}/${reply.body.id}`, key)
  expect(body.status).toBe('queued')
})

it('an external id that another request has taken in the meantime is refused (K-external-id)', async () => {
  const { key, tasks } = openWorld()
  const body = { ...bodyOf('k.create.first-frame'), external_task_id: 'one' }
  const path = pathOf('k.create.first-frame')
  const both = Promise.all([gateway.post(path, body, key), gateway.post(path, body, key)])
  expect((await released(both)).map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await tasks()).toHaveLength(1)
})

it('an asset that waits for its file is not stored in a world that was reset', async () => {
  const { control } = openWorld()
  const answered = control('POST', '/assets', { kind: 'image', url: `${inputs.origin}/square.png` })
  const settled = answered.then(reply => reply)
  await inputs.asked()
  await control('POST', '/reset')
  inputs.release()
  expect((await settled).status).toBe(503)
  expect((await control('GET', '/assets')).body.items).toEqual([])
})

it('an image that waits for its rate-limit slot is answered when its world is reset', async () => {
  const { control, key, tasks } = openWorld()
  await control('PATCH', '/clock', { mode: 'realtime' })
  const path = pathOf('image.generate.fusion')
  const body = { model: 'model_image', prompt: 'a lighthouse' }
  for (let i = 0; i < 3; i++) await gateway.post(path, body, `${key}.throttled`)
  const answered = gateway.post(path, body, `${key}.throttled`).then(reply => reply)
  await expect.poll(tasks).toHaveLength(4)
  await control('POST', '/reset')
  expect((await answered).status).toBe(503)
})

describe('a create whose body is still arriving', () => {
  const text = JSON.stringify({ model: 'model_a_20', content: [{ type: 'text', text: 'a cat' }] })

  /** Sends the first half of a body, does something, then sends the rest; gives status and text. */
  async function halfway(key: string, meanwhile: () => Promise<unknown>) {
    const sent = request(`${gateway.url}${createPath}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      },
    })
    const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', response => {
        let body = ''
        response.setEncoding('utf8').on('data', part => {
          body += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      })
    })
    sent.write(text.slice(0, 10))
    // The server has received the headers when it has opened the key's world.
    const world = key.slice('sk-test-'.length)
    await expect.poll(async () => (await gateway.control('GET', `/worlds/${world}`)).status).toBe(200)
    await meanwhile()
    sent.end(text.slice(10))
    return answered
  }

  it('is 503 after a reset', async () => {
    const { control, key, tasks } = openWorld()
    const { status, body } = await halfway(key, () => control('POST', '/reset'))
    expect(status).toBe(503)
    expect(body).toContain('while the request waited')
    expect(await tasks()).toEqual([])
  })

  it('is 503 after a drop', async () => {
    const { world, key } = openWorld()
    refusal(await halfway(key, () => gateway.control('DELETE', `/worlds/${world}`)), 503)
  })

  it('has the time of its admission after an advance', async () => {
    const { control, key, tasks } = openWorld()
    accepted(await halfway(key, () => control('POST', '/clock/advance', { by: '1h' })))
    const { now_ms } = (await control('GET', '/clock')).body
    expect(Date.parse((await tasks())[0].created_at)).toBe(now_ms)
  })

  it('is 401 when its key was disabled in the meantime', async () => {
    const { control, key } = openWorld()
    refusal(await halfway(key, () => control('PATCH', '/accounts/default', { disabled: true })), 401)
  })
})

it('a download under way does not count in a world that was reset', async () => {
  const { world, control, key, textTask } = openWorld()
  const make = async () => {
    const { id } = (await textTask()).body
    await control('POST', '/clock/advance', { until: 'idle' })
    return (await gateway.get(`${createPath}/${id}`, key)).body
  }
  const { content } = await make()
  const { pathname, search, host } = new URL(content.video_url)
  // Requests on one connection are seen in order: the file is still being rendered when the world is reset.
  const heads = [`GET ${pathname}${search}`, `POST /__emulator/worlds/${world}/reset`]
  const replies = await sentTogether(heads.map(head => `${head} HTTP/1.1\r\nHost: ${host}\r\n\r\n`))
  expect(replies[0]).toMatch(/^503 /)
  expect(replies[1]).toMatch(/^200 /)
  await make()
  expect((await control('GET', '/state')).body.state.downloads).toEqual([])
})

/** Sends requests on one connection without waiting for the answers; gives the answers, each from its status on. */
async function sentTogether(requests: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', part => {
    text += part
  })
  socket.write(requests.join(''))
  const answers = () => text.split('HTTP/1.1 ').slice(1)
  await expect.poll(answers).toHaveLength(requests.length)
  socket.destroy()
  return answers()
}
