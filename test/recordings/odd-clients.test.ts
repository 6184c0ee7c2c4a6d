import { afterAll, describe, expect, it } from 'vitest'
import type { GatewayEntry } from '../../src/evidence/recordings/har.ts'
import { changedGateway } from '../support/changing-proxy.ts'
import { image as imageItem, text } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { sample } from '../support/input-samples.ts'
import { journeyWorld, paths, type Traveller, traveller, video, videoC } from '../support/journey.ts'
import { differencesIn, openJudge } from '../support/judged.ts'
import { recordAt } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const judge = await openJudge()
const changed = await changedGateway(gateway.url)
afterAll(() => changed.close())

const { a, b, c, cTasks: query, images: image } = paths
const key = `sk-test-${journeyWorld}`

/** A create of A that begins with a picture. */
const animated = (words: string, url: string) =>
  video('', { content: [text(words), imageItem(url, 'first_frame')], ratio: 'adaptive' })
const slow = 'a pier [[queue:20s]] [[run:40s]]'

/** A request of any kind; gives the reply with its text. */
type Send = (
  method: string,
  path: string,
  init?: { body?: string; headers?: Record<string, string> },
) => Promise<Response>

interface Odd extends Traveller {
  send: Send
  /** Below the recorder. */
  url: string
}

/** Makes a video; gives its record when it has succeeded. */
async function succeeded(to: Odd, more: object = {}) {
  const { body } = await to.ask('POST', a, video('a pier', more))
  await to.advance('10m')
  return (await to.ask('GET', `${a}/${body.id}`)).body
}

/** Clients that do unusual but allowed things. */
const clients: Readonly<Record<string, (to: Odd) => Promise<unknown>>> = {
  async 'cancels a running task between two polls'(to) {
    const { body } = await to.ask('POST', a, video(slow))
    await to.ask('GET', `${a}/${body.id}`)
    await to.advance('25s')
    await to.ask('DELETE', `${a}/${body.id}`)
    await to.advance('60s')
    await to.ask('GET', `${a}/${body.id}`)
  },
  async 'cancels and does not poll again'(to) {
    for (const wait of ['1s', '30s', '90s']) {
      const { body } = await to.ask('POST', a, video(slow))
      await to.advance(wait)
      await to.ask('DELETE', `${a}/${body.id}`)
      await to.ask('DELETE', `${a}/${body.id}`)
    }
  },
  async 'deletes in each state without a poll, and lists what is left'(to) {
    for (const [create, list, remove, request] of [
      [a, a, a, video(slow)],
      [c, query, c, videoC(slow)],
    ] as const) {
      for (const wait of ['1s', '30s', '90s']) {
        const { body } = await to.ask('POST', create, request)
        await to.advance(wait)
        await to.ask('DELETE', `${remove}/${body.id ?? body.task_id}`)
        await to.ask('GET', list)
      }
    }
  },
  async 'removes a task that it last saw running'(to) {
    for (const [create, path, remove, request] of [
      [a, a, a, video(slow)],
      [c, query, c, videoC(slow)],
      [`/special${c}`, `/special${query}`, `/special${c}`, videoC(slow)],
    ] as const) {
      const { body } = await to.ask('POST', create, request)
      const id = body.id ?? body.task_id
      await to.advance('30s')
      await to.ask('GET', `${path}/${id}`)
      await to.advance('60s')
      await to.ask('DELETE', `${remove}/${id}`)
      await to.ask('GET', `${path}/${id}`)
    }
  },
  async 'cancels in each state of C and of the special variant'(to) {
    for (const prefix of ['', '/special'])
      for (const wait of ['1s', '30s', '90s']) {
        const { body } = await to.ask('POST', prefix + c, videoC(slow))
        await to.advance(wait)
        await to.ask('DELETE', `${prefix}${c}/${body.task_id}`)
        await to.ask('DELETE', `${prefix}${c}/${body.task_id}`)
        await to.advance('2m')
        await to.ask('GET', `${prefix}${query}/${body.task_id}`)
      }
  },
  async 'cancels in each state of B'(to) {
    for (const wait of ['1s', '30s', '90s']) {
      const { body } = await to.ask('POST', b, { model: 'model_b', input: { prompt: slow } })
      await to.advance(wait)
      await to.ask('POST', `/api/v1/tasks/${body.output.task_id}/cancel`)
      await to.advance('2m')
      await to.ask('GET', `/api/v1/tasks/${body.output.task_id}`)
    }
    await to.ask('POST', '/api/v1/tasks/0f0f0f0f-0000-4000-8000-000000000000/cancel')
    await to.ask('GET', '/api/v1/tasks/0f0f0f0f-0000-4000-8000-000000000000')
  },
  async 'regenerates too early, and then again'(to) {
    for (const prefix of ['', '/special']) {
      const { body } = await to.ask('POST', prefix + c, videoC(slow))
      const again = { model: 'model_c', resolution: '2K', source_task_id: body.task_id }
      await to.ask('POST', `${prefix}/v2/video_regeneration`, again)
      await to.advance('50s')
      await to.ask('POST', `${prefix}/v2/video_regeneration`, again)
      await to.advance('30s')
      await to.ask('POST', `${prefix}/v2/video_regeneration`, again)
      await to.ask('GET', `${prefix}${query}/${body.task_id}`)
    }
  },
  async 'reads only lists, with every filter'(to) {
    for (let made = 0; made < 3; made++) {
      await to.ask('POST', a, video(slow))
      await to.ask('POST', c, videoC(slow))
      await to.ask('POST', b, { model: 'model_b', input: { prompt: slow } })
      await to.advance('15s')
    }
    for (const wait of ['1s', '20s', '30s', '2m']) {
      for (const status of ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'nothing', ''])
        for (const path of [a, query]) await to.ask('GET', `${path}?filter.status=${status}`)
      for (const status of ['PENDING', 'RUNNING', 'SUCCEEDED'])
        await to.ask('GET', `/api/v1/tasks?status=${status}&page_size=100`)
      await to.advance(wait)
    }
  },
  async 'pages through lists one row at a time'(to) {
    const ids: string[] = []
    for (let made = 0; made < 4; made++) ids.push((await to.ask('POST', a, video(slow))).body.id)
    for (const page of [3, 1, 2, 4, 9]) await to.ask('GET', `${a}?page_size=1&page_num=${page}`)
    await to.ask('GET', `${a}?filter.task_ids=${ids[0]}&filter.task_ids=${ids[2]}`)
    await to.ask('GET', `${a}?filter.model=model_a_25&filter.service_tier=default`)
    await to.ask('GET', `${a}?filter.model=model_z`)
    for (const bad of ['page_num=0', 'page_size=501', 'page_size=x', 'page_num=-1', 'unknown=1'])
      await to.ask('GET', `${a}?${bad}`)
    await to.ask('GET', `${query}?page_num=2&page_size=3`)
  },
  async 'finds tasks that were made before the recording'(to) {
    const direct = traveller(gateway, gateway.url, 0)
    const ids: string[] = []
    for (let made = 0; made < 4; made++) ids.push((await direct.ask('POST', a, video(slow))).body.id)
    await to.advance('10s')
    await to.ask('POST', a, video(slow))
    await to.ask('GET', `${a}?page_size=2`)
    await to.ask('GET', `${a}/${ids[0]}`)
    await to.ask('DELETE', `${a}/${ids[1]}`)
    await to.advance('20s')
    await to.ask('DELETE', `${a}/${ids[2]}`)
    await to.ask('GET', `${a}/${ids[0]}`)
    await to.advance('60s')
    const { body } = await to.ask('GET', `${a}/${ids[0]}`)
    await to.download(body.content.video_url)
    await to.ask('GET', `${a}?page_size=3&page_num=2`)
    await to.ask('DELETE', `${a}/${ids[3]}`)
    await to.ask('GET', `${a}/${ids[3]}`)
  },
  async 'sends null for unset options, and unknown keys'(to) {
    const open = {
      ratio: null,
      generate_audio: null,
      watermark: null,
      output_format: null,
      return_last_frame: null,
      callback_url: null,
      seed: null,
      trace: 'x',
    }
    await to.ask('POST', a, { ...video(slow), ...open })
    await to.ask('POST', b, {
      model: 'model_b',
      input: { prompt: 'x', media: null },
      parameters: { resolution: null, ratio: null, duration: null, prompt_extend: null },
      extra: 1,
    })
    await to.ask('POST', b, { model: 'model_b', input: { prompt: 'x' }, parameters: null })
    await to.ask('POST', c, { ...videoC(slow), resolution: null, ratio: null })
    await to.ask('POST', '/image-to-video/model_k_30', {
      prompt: 'walk',
      settings: null,
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
      external_task_id: null,
    })
    await to.ask('POST', image, { model: 'model_image', prompt: 'x', image: null, size: null, stream: null })
  },
  async 'spells addresses in unusual ways'(to) {
    const { body } = await to.ask('POST', `${a}/`, video(slow))
    await to.ask('GET', `${a}/${body.id}/`)
    await to.ask('GET', `${a}/?page_size=3`)
    await to.ask('GET', a.replace('/api', ''))
    await to.ask('GET', '/nothing/here')
    await to.send('HEAD', `${a}/${body.id}`)
    await to.send('PUT', `${a}/${body.id}`, { body: '{}' })
    await to.send('POST', a, { body: '' })
    await to.send('POST', a, { body: '[]' })
    await to.send('POST', a, { body: JSON.stringify(video(slow)), headers: { 'Content-Type': 'text/plain' } })
    await to.send('GET', a, { headers: { Authorization: key } })
    await to.send('GET', a, { headers: { Authorization: `Bearer  ${key}` } })
    await to.send('GET', a, { headers: { Authorization: `bearer ${key}` } })
  },
  async 'downloads in parts'(to) {
    const { content } = await succeeded(to, { return_last_frame: true })
    for (const range of [
      'bytes=0-0',
      'bytes=-500',
      'bytes=100-',
      'bytes=99999999-',
      'bytes=5-2',
      'lines=1-2',
    ])
      await to.download(content.video_url, { Range: range })
    const whole = await fetch(content.video_url)
    await whole.arrayBuffer()
    await to.download(content.video_url, { 'If-None-Match': whole.headers.get('etag') ?? '' })
    await fetch(content.video_url, { method: 'HEAD' })
    await to.download(content.last_frame_url)
    await to.download(`${content.video_url}x`)
    await to.download(content.video_url, { Authorization: `Bearer ${key}` })
  },
  async 'uploads large files inside JSON'(to) {
    const large = Buffer.concat([sample('portrait.jpg'), Buffer.alloc(6_000_000, 7)])
    const uri = `data:image/jpeg;base64,${large.toString('base64')}`
    await to.ask('POST', a, animated('walk', uri))
    const tooLarge = `data:image/png;base64,${Buffer.alloc(31_000_000, 1).toString('base64')}`
    await to.ask('POST', image, { model: 'model_image', prompt: 'x', image: tooLarge, size: '1K' })
    const square = `data:image/png;base64,${sample('square.png').toString('base64')}`
    await to.ask('POST', image, { model: 'model_image', prompt: 'x', image: [square, square], size: '1K' })
    await to.ask('POST', image, { model: 'model_image', prompt: 'x', image: 'data:image/png;base64,AAAA' })
  },
  async 'creates many tasks at once, with three keys'(to) {
    const keys = [key, `${key}.second`, `${key}.third`]
    const made = await Promise.all(
      Array.from({ length: 18 }, (_, i) => to.ask('POST', a, video(slow), keys[i % 3])),
    )
    const all = () =>
      Promise.all(made.map(({ body }, i) => to.ask('GET', `${a}/${body.id}`, undefined, keys[i % 3])))
    await all()
    await to.advance('25s')
    await Promise.all([all(), all()])
    await Promise.all(made.map(({ body }, i) => to.ask('DELETE', `${a}/${body.id}`, undefined, keys[i % 3])))
    await to.advance('2m')
    await Promise.all([all(), ...keys.map(own => to.ask('GET', `${a}?page_size=4`, undefined, own))])
    await to.ask('GET', `${a}/${made[0]?.body.id}`, undefined, keys[1])
  },
  async 'asks for batches of K by every kind of id'(to) {
    const request = (own?: string) => ({
      prompt: slow,
      settings: { duration: 3, resolution: '720p' },
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
      ...(own && { external_task_id: own }),
    })
    const one = await to.ask('POST', '/image-to-video/model_k_30', request('own-1'))
    const two = await to.ask('POST', '/image-to-video/model_k_30_turbo', request())
    for (const wait of ['1s', '30s', '60s']) {
      await to.ask('GET', `/tasks?task_ids=${one.body.data.id},${two.body.data.id}`)
      await to.ask('GET', `/tasks?task_ids=${one.body.data.id},123456789012345678`)
      await to.ask('GET', `/tasks?external_task_ids=own-1,own-2`)
      await to.ask('GET', `/tasks?task_ids=${two.body.data.id}&external_task_ids=own-1`)
      await to.advance(wait)
    }
    await to.ask('GET', '/tasks?task_ids=')
    await to.ask('GET', '/v1/general/advanced-presets-elements?pageNum=2&pageSize=2')
  },
  async 'makes a video from the last frame of another'(to) {
    const { content } = await succeeded(to, { return_last_frame: true })
    const next = await to.ask('POST', a, animated('go on', content.last_frame_url))
    await to.advance('10m')
    await to.ask('GET', `${a}/${next.body.id}`)
  },
  async 'refers to assets, some of which do not exist'(to) {
    for (const url of ['asset://asset-20260101-none', 'http://127.0.0.1:9/none.png'])
      await to.ask('POST', a, animated('x', url))
  },
  async 'polls long after the end, and removes what it made twice'(to) {
    const { body } = await to.ask('POST', a, video(slow))
    await to.advance('2m')
    for (let poll = 0; poll < 5; poll++) {
      await to.ask('GET', `${a}/${body.id}`)
      await to.advance('1h')
    }
    await to.ask('DELETE', `${a}/${body.id}`)
    await to.ask('DELETE', `${a}/${body.id}`)
    const other = await to.ask('POST', a, video(slow))
    await to.advance('2m')
    await to.ask('GET', `${a}/${other.body.id}`)
    await to.advance('170h')
    await to.ask('GET', `${a}/${other.body.id}`)
    await to.ask('GET', a)
  },
  async 'disconnects before replies are complete'(to) {
    const { id, content } = await succeeded(to)
    const leaving = new AbortController()
    const reply = await fetch(content.video_url, { signal: leaving.signal })
    await reply.body?.getReader().read()
    leaving.abort()
    await to.ask('GET', `${a}/${id}`)
  },
}

async function recordedAt(
  upstream: string,
  client: (to: Odd) => Promise<unknown>,
  setting: { gateway?: typeof gateway; rate?: number } = {},
): Promise<GatewayEntry[]> {
  const recorder = await recordAt(upstream)
  const to = traveller(setting.gateway ?? gateway, recorder.url, setting.rate ?? 0)
  const send: Send = (method, path, { body, headers } = {}) =>
    fetch(recorder.url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    }).then(async reply => {
      await reply.arrayBuffer()
      return reply
    })
  await client({ ...to, send, url: recorder.url })
  await recorder.close()
  return recorder.entries()
}

const differences = async (entries: readonly GatewayEntry[]) => differencesIn(await judge(entries))

describe('an unchanged gateway shows no difference', () => {
  it.each(Object.entries(clients))('when a client %s', async (_, client) => {
    expect(await differences(await recordedAt(gateway.url, client))).toEqual([])
  })

  it('when a client uses two keys of one account', async () => {
    const entries = await recordedAt(gateway.url, async to => {
      const { body } = await to.ask('POST', a, video(slow))
      await to.ask('GET', `${a}/${body.id}`)
      await to.ask('GET', a)
      await to.ask('DELETE', `${a}/${body.id}`)
      await to.ask('GET', `${a}/${body.id}`)
    })
    const withTwo = entries.map((entry, place) =>
      place % 2 === 0 ? entry : JSON.parse(JSON.stringify(entry).replaceAll('key-1', 'key-2')),
    )
    expect(await differences(withTwo)).toEqual([])
  })

  it('when a client polls a slow gateway ten times a second', async () => {
    const fast = await openGateway({ clock: { mode: 'realtime', rate: 60 }, strict: false })
    const slowly = await changedGateway(fast.url)
    slowly.change = ({ count }) => new Promise(resolve => setTimeout(resolve, 20 + ((count * 37) % 60)))
    const client = async (to: Odd) => {
      const prompt = `a pier ${to.tags(150, 250)}`
      const made = await Promise.all([to.ask('POST', a, video(prompt)), to.ask('POST', c, videoC(prompt))])
      await Promise.all([
        to.until(`${a}/${made[0].body.id}`, ['queued', 'running']),
        to.until(`${query}/${made[1].body.task_id}`, ['queued', 'running']),
        ...Array.from({ length: 8 }, () => to.ask('GET', `${a}?filter.status=running`)),
      ])
      await to.ask('DELETE', `${a}/${made[0].body.id}`)
    }
    const entries = await recordedAt(slowly.url, client, { gateway: fast, rate: 60 })
    slowly.close()
    expect(await differences(entries)).toEqual([])
  })
})
