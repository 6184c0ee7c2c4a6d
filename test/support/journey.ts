import type { Gateway } from './gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape, and a wrong reading fails the test
type Reply = any

/** The calls of a client, to the gateway or to a proxy before it. */
export interface Traveller {
  /** Sends one request with a key; returns status and JSON. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    key?: string | null,
  ): Promise<{ status: number; body: Reply }>
  /** Fetches the file behind a link; returns the status. */
  download(link: string, headers?: Record<string, string>): Promise<number>
  /** Polls a path until it shows none of the words. */
  until(path: string, going: readonly string[]): Promise<Reply>
  /** Moves the gateway's clock, without the proxy. */
  advance(by: string): Promise<void>
  /** Prompt tags: how long the task waits and runs. */
  tags(queue: number, run: number): string
  samples: string
}

export const journeyWorld = 'journey'
const key = `sk-test-${journeyWorld}`
const mostPolls = 3000

/**
 * A client that uses the gateway at `url`. `rate` is the gateway's speed; with 0 its clock is stopped and is moved between polls.
 */
export function traveller(gateway: Pick<Gateway, 'url' | 'control'>, url: string, rate: number): Traveller {
  const ask: Traveller['ask'] = async (method, path, body, own = key) => {
    const reply = await fetch(url + path, {
      method,
      headers: {
        ...(own !== null && { Authorization: `Bearer ${own}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    ask,
    samples: `${gateway.url}/__emulator/samples`,
    async download(link, headers = {}) {
      const reply = await fetch(link, { headers })
      await reply.arrayBuffer()
      return reply.status
    },
    async until(path, going) {
      for (let poll = 0; poll < mostPolls; poll++) {
        const { body } = await ask('GET', path)
        const text = JSON.stringify(body)
        if (!going.some(word => text.includes(`"${word}"`))) return body
        if (rate === 0)
          await gateway.control('POST', `/worlds/${journeyWorld}/clock/advance`, { until: 'next' })
      }
      throw new Error(`${path} was still going after ${mostPolls} polls`)
    },
    async advance(by) {
      await gateway.control('POST', `/worlds/${journeyWorld}/clock/advance`, { by })
    },
    tags: (queue, run) =>
      `[[queue:${Math.ceil(queue * (rate || 1000))}ms]] [[run:${Math.ceil(run * (rate || 1000))}ms]]`,
  }
}

const a = '/api/v3/contents/generations/tasks'
const b = '/api/v1/services/aigc/video-generation/video-synthesis'

const video = (text: string, more: object = {}) => ({
  model: 'model_a_25',
  content: [{ type: 'text', text }],
  resolution: '480p',
  ratio: '16:9',
  duration: 4,
  ...more,
})

type Leg = (to: Traveller) => Promise<void>

/** The steps in each family. Times are wall milliseconds. */
export const legs: Readonly<Record<string, Leg>> = {
  async 'a success'(to) {
    const { body } = await to.ask('POST', a, video(`a pier ${to.tags(40, 60)}`, { return_last_frame: true }))
    const task = await to.until(`${a}/${body.id}`, ['queued', 'running'])
    await to.download(task.content.video_url)
    await to.ask('GET', `${a}?page_size=5`)
    await to.ask('DELETE', `${a}/${body.id}`)
    await to.ask('GET', `${a}/${body.id}`)
  },
  async 'a choices'(to) {
    const first = await to.ask(
      'POST',
      a,
      video(`a pier ${to.tags(10, 10)}`, { ratio: null, duration: -1, watermark: null }),
    )
    const old = {
      ...video(`a pier ${to.tags(10, 10)}`),
      model: 'model_a_20',
      duration: undefined,
      generate_audio: false,
    }
    const second = await to.ask('POST', a, old)
    await to.until(`${a}/${first.body.id}`, ['queued', 'running'])
    await to.until(`${a}/${second.body.id}`, ['queued', 'running'])
  },
  async 'a failure'(to) {
    const { body } = await to.ask(
      'POST',
      a,
      video(`a pier ${to.tags(10, 20)} [[fail:OutputVideoSensitiveContentDetected]]`),
    )
    await to.until(`${a}/${body.id}`, ['queued', 'running'])
  },
  async 'a cancelled'(to) {
    const { body } = await to.ask('POST', a, video(`a pier ${to.tags(60_000, 10)}`))
    await to.ask('GET', `${a}/${body.id}`)
    await to.ask('DELETE', `${a}/${body.id}`)
    await to.ask('GET', `${a}/${body.id}`)
    await to.ask('DELETE', `${a}/${body.id}`)
  },
  async 'a running'(to) {
    const { body } = await to.ask('POST', a, video(`a pier ${to.tags(1, 60_000)}`))
    await to.until(`${a}/${body.id}`, ['queued'])
    await to.ask('DELETE', `${a}/${body.id}`)
  },
  async 'a refusals'(to) {
    await to.ask('POST', a, video('a pier', { duration: 31 }))
    await to.ask('POST', a, video('a pier', { resolution: '4k' }))
    await to.ask('POST', a, video('a pier', { callback_url: 'https://example.com' }))
    await to.ask('POST', a, video('a pier', { model: 'model_z' }))
    await to.ask('POST', a, '{"model":')
    await to.ask('POST', a, video('a pier'), null)
    await to.ask('POST', a, video('a pier'), 'sk-live-not-a-key-1234')
    await to.ask('GET', `${a}/cgt-20200101000000-zzzzz`)
    await to.ask('GET', `${a}?page_size=0`)
    await to.ask('POST', a, video('a pier [[refuse:rate_limited]]'))
    await to.ask('POST', a, video('a pier [[refuse:moderated]]'))
    await to.ask('POST', a, video('a pier [[refuse:unavailable]]'))
    await to.ask('POST', a, video('a pier'), `sk-test-${journeyWorld}.poor`)
    await to.ask('POST', a, video('a pier', { resolution: '480p' }), `sk-test-${journeyWorld}.limited`)
  },
  async 'a inputs'(to) {
    const frame = { type: 'image_url', image_url: { url: `${to.samples}/portrait.jpg` }, role: 'first_frame' }
    const text = { type: 'text', text: `walk ${to.tags(10, 10)}` }
    const { body } = await to.ask('POST', a, video('', { content: [text, frame], ratio: 'adaptive' }))
    await to.until(`${a}/${body.id}`, ['queued', 'running'])
    const face = { ...frame, image_url: { url: `${to.samples}/real-face.jpg` } }
    await to.ask('POST', a, video('', { content: [text, face], ratio: 'adaptive' }))
  },
  async 'a expired'(to) {
    const { body } = await to.ask('POST', a, video('a pier [[never]]', { execution_expires_after: 3600 }))
    await to.ask('GET', `${a}/${body.id}`)
    await to.advance('61m')
    await to.ask('GET', `${a}/${body.id}`)
  },
  async 'a link ends'(to) {
    const { body } = await to.ask('POST', a, video(`a pier ${to.tags(1, 1)}`))
    const task = await to.until(`${a}/${body.id}`, ['queued', 'running'])
    await to.advance('2h1m')
    await to.download(task.content.video_url)
  },
  async 'b success'(to) {
    const request = {
      model: 'model_b',
      input: { prompt: `a pier ${to.tags(20, 30)}` },
      parameters: { resolution: '480P', ratio: '16:9', duration: 2 },
    }
    const { body } = await to.ask('POST', b, request)
    const task = await to.until(`/api/v1/tasks/${body.output.task_id}`, ['PENDING', 'RUNNING'])
    await to.download(task.output.video_url)
    await to.ask('POST', `/api/v1/tasks/${body.output.task_id}/cancel`)
    await to.ask('GET', '/api/v1/tasks/0f0f0f0f-0000-4000-8000-000000000000')
    await to.ask('GET', '/api/v1/tasks?page_size=3')
  },
  async 'b failure and refusals'(to) {
    const request = {
      model: 'model_b_prime',
      input: { prompt: `a pier ${to.tags(5, 10)} [[fail:InternalError]]` },
    }
    const { body } = await to.ask('POST', b, request)
    await to.until(`/api/v1/tasks/${body.output.task_id}`, ['PENDING', 'RUNNING'])
    await to.ask('POST', b, { model: 'model_b', input: { prompt: 'x' }, parameters: { resolution: '9P' } })
    await to.ask('POST', b, { model: 'model_b' })
    await to.ask('POST', b, { model: 'model_b', input: { prompt: 'x' } }, null)
    const waiting = { model: 'model_b', input: { prompt: `a pier ${to.tags(60_000, 10)}` } }
    const second = await to.ask('POST', b, waiting)
    await to.ask('POST', `/api/v1/tasks/${second.body.output.task_id}/cancel`)
    await to.ask('GET', `/api/v1/tasks/${second.body.output.task_id}`)
  },
  async 'c life'(to) {
    await family(to, '')
  },
  async 'special life'(to) {
    await family(to, '/special')
  },
  async 'k life'(to) {
    const request = {
      prompt: `walk ${to.tags(20, 30)}`,
      settings: { resolution: '720p', duration: 3 },
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
      external_task_id: 'mine-1',
      callback_url: '',
    }
    const { body } = await to.ask('POST', '/image-to-video/model_k_30_turbo', request)
    await to.until(`/tasks?task_ids=${body.data.id}`, ['submitted', 'processing'])
    await to.ask('GET', '/tasks?external_task_ids=mine-1')
    await to.ask('GET', '/tasks')
    await to.ask('POST', '/image-to-video/model_k_30_turbo', request)
    const failing = { ...request, prompt: `walk ${to.tags(5, 10)} [[fail:5000]]`, external_task_id: 'mine-2' }
    const second = await to.ask('POST', '/image-to-video/model_k_30', failing)
    await to.until(`/tasks?task_ids=${second.body.data.id}`, ['submitted', 'processing'])
    await to.ask('GET', '/videos/avatar/image2video/123456789012345678')
    await to.ask('GET', '/general/advanced-presets-elements?pageSize=3')
  },
  async 'image life'(to) {
    const image = '/api/v3/images/generations'
    const { body } = await to.ask('POST', image, {
      model: 'model_image',
      prompt: 'a pier',
      size: '1K',
      watermark: null,
    })
    await to.download(body.data[0].url)
    await to.ask('POST', image, {
      model: 'model_image',
      prompt: 'a pier',
      size: '1024x1024',
      response_format: 'b64_json',
    })
    await to.ask('POST', image, { model: 'model_image', prompt: 'a pier', stream: true })
    await to.ask('POST', image, { model: 'model_image', prompt: 'a pier', size: '10x10' })
    await to.ask('POST', image, { model: 'model_image', prompt: '' })
    await to.ask('POST', image, { model: 'model_image', prompt: 'x' }, 'sk-live-not-a-key-1234')
    await to.ask('POST', image, { model: 'model_image', prompt: 'x [[refuse:internal]]' })
  },
}

async function family(to: Traveller, prefix: string): Promise<void> {
  const request = (text: string, more: object = {}) => ({
    model: 'model_c',
    content: [{ type: 'text', text }],
    resolution: '768P',
    duration: 5,
    ratio: '16:9',
    ...more,
  })
  const query = `${prefix}/v2/query/video_generation`
  const create = `${prefix}/v2/video_generation`
  const { body } = await to.ask('POST', create, request(`a pier ${to.tags(20, 30)}`))
  const { task } = await to.until(`${query}/${body.task_id}`, ['queued', 'running'])
  if (prefix === '') await to.download(task.content.url)
  const failing = await to.ask('POST', create, request(`a pier ${to.tags(5, 10)} [[fail:1027]]`))
  await to.until(`${query}/${failing.body.task_id}`, ['queued', 'running'])
  const text = { ...request(`a pier ${to.tags(5, 5)}`), resolution: undefined }
  const enhanced = await to.ask('POST', `${prefix}/v2/h3_context_ir`, text)
  await to.until(`${query}/${enhanced.body.task_id}`, ['queued', 'running'])
  const again = { model: 'model_c', resolution: '2K', source_task_id: body.task_id, content: undefined }
  const made = await to.ask('POST', `${prefix}/v2/video_regeneration`, again)
  await to.ask('GET', `${query}/${made.body.task_id}`)
  const waiting = await to.ask('POST', create, request(`a pier ${to.tags(60_000, 5)}`))
  await to.ask('DELETE', `${create}/${waiting.body.task_id}`)
  await to.ask('GET', `${query}/${waiting.body.task_id}`)
  await to.ask('GET', `${query}?page_size=2`)
  await to.ask('GET', `${query}?filter.status=succeeded`)
  await to.ask('DELETE', `${create}/${body.task_id}`)
  await to.ask('GET', `${query}/${body.task_id}`)
  await to.ask('POST', create, request('a pier', { ratio: 'adaptive' }))
  await to.ask('POST', create, request('a pier', { duration: 3 }))
  await to.ask('GET', `${query}/123456789012345`)
  await to.ask('GET', query, undefined, null)
}
