import { fetchJson } from './fetch-json.ts'
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
  const ask: Traveller['ask'] = (method, path, body, own = key) => fetchJson(url + path, method, body, own)
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

/** Where each family makes and shows tasks; those of C also below `/special`. */
export const paths = {
  a: '/api/v3/contents/generations/tasks',
  b: '/api/v1/services/aigc/video-generation/video-synthesis',
  bTasks: '/api/v1/tasks',
  c: '/v2/video_generation',
  cTasks: '/v2/query/video_generation',
  k: '/image-to-video/model_k_30',
  images: '/api/v3/images/generations',
}
const { a, b, bTasks, images } = paths

/** Makes a task, and gives the path that shows it. */
export const newTask = {
  a: async (to: Traveller, body: object) => `${a}/${(await to.ask('POST', a, body)).body.id}`,
  b: async (to: Traveller, body: object) =>
    `${bTasks}/${(await to.ask('POST', b, body)).body.output.task_id}`,
  /** `own` is the path that deletes it. */
  async c(to: Traveller, body: object, prefix = '', operation = 'video_generation') {
    const { task_id: id } = (await to.ask('POST', `${prefix}/v2/${operation}`, body)).body
    return { id, query: `${prefix}${paths.cTasks}/${id}`, own: `${prefix}${paths.c}/${id}` }
  },
  k: async (to: Traveller, body: object, path = paths.k) =>
    `/tasks?task_ids=${(await to.ask('POST', path, body)).body.data.id}`,
}

/** The words for tasks that have not ended. */
export const still = ['queued', 'running', 'PENDING', 'RUNNING', 'submitted', 'processing']

/** A create of C. */
export const videoC = (words: string) => ({
  ...video(words),
  ...{ model: 'model_c', resolution: '768P', duration: 5 },
})

/** A create of A that makes a small video. */
export const video = (text: string, more: object = {}) => ({
  model: 'model_a_25',
  content: [{ type: 'text', text }],
  resolution: '480p',
  ratio: '16:9',
  duration: 4,
  ...more,
})
const ofB = (prompt: string, more: object = {}) => ({ model: 'model_b', input: { prompt }, ...more })

type Leg = (to: Traveller) => Promise<void>

/** The steps in each family. Times are wall milliseconds. */
export const legs: Readonly<Record<string, Leg>> = {
  async 'a success'(to) {
    const path = await newTask.a(to, video(`a pier ${to.tags(40, 60)}`, { return_last_frame: true }))
    const task = await to.until(path, still)
    await to.download(task.content.video_url)
    await to.ask('GET', `${a}?page_size=5`)
    await to.ask('DELETE', path)
    await to.ask('GET', path)
  },
  async 'a choices'(to) {
    const prompt = `a pier ${to.tags(10, 10)}`
    const first = await newTask.a(to, video(prompt, { ratio: null, duration: -1, watermark: null }))
    const old = { model: 'model_a_20', duration: undefined, generate_audio: false }
    const second = await newTask.a(to, video(prompt, old))
    await to.until(first, still)
    await to.until(second, still)
  },
  async 'a failure'(to) {
    const prompt = `a pier ${to.tags(10, 20)} [[fail:OutputVideoSensitiveContentDetected]]`
    await to.until(await newTask.a(to, video(prompt)), still)
  },
  async 'a cancelled'(to) {
    const path = await newTask.a(to, video(`a pier ${to.tags(60_000, 10)}`))
    for (const method of ['GET', 'DELETE', 'GET', 'DELETE']) await to.ask(method, path)
  },
  async 'a running'(to) {
    const path = await newTask.a(to, video(`a pier ${to.tags(1, 60_000)}`))
    await to.until(path, ['queued'])
    await to.ask('DELETE', path)
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
    await to.until(await newTask.a(to, video('', { content: [text, frame], ratio: 'adaptive' })), still)
    const face = { ...frame, image_url: { url: `${to.samples}/real-face.jpg` } }
    await to.ask('POST', a, video('', { content: [text, face], ratio: 'adaptive' }))
  },
  async 'a expired'(to) {
    const path = await newTask.a(to, video('a pier [[never]]', { execution_expires_after: 3600 }))
    await to.ask('GET', path)
    await to.advance('61m')
    await to.ask('GET', path)
  },
  async 'a link ends'(to) {
    const task = await to.until(await newTask.a(to, video(`a pier ${to.tags(1, 1)}`)), still)
    await to.advance('2h1m')
    await to.download(task.content.video_url)
  },
  async 'b success'(to) {
    const parameters = { resolution: '480P', ratio: '16:9', duration: 2 }
    const path = await newTask.b(to, ofB(`a pier ${to.tags(20, 30)}`, { parameters }))
    const task = await to.until(path, still)
    await to.download(task.output.video_url)
    await to.ask('POST', `${path}/cancel`)
    await to.ask('GET', `${bTasks}/0f0f0f0f-0000-4000-8000-000000000000`)
    await to.ask('GET', `${bTasks}?page_size=3`)
  },
  async 'b failure and refusals'(to) {
    const failing = ofB(`a pier ${to.tags(5, 10)} [[fail:InternalError]]`, { model: 'model_b_prime' })
    await to.until(await newTask.b(to, failing), still)
    await to.ask('POST', b, ofB('x', { parameters: { resolution: '9P' } }))
    await to.ask('POST', b, { model: 'model_b' })
    await to.ask('POST', b, ofB('x'), null)
    const waiting = await newTask.b(to, ofB(`a pier ${to.tags(60_000, 10)}`))
    await to.ask('POST', `${waiting}/cancel`)
    await to.ask('GET', waiting)
  },
  'c life': to => family(to, ''),
  'special life': to => family(to, '/special'),
  async 'k life'(to) {
    const turbo = '/image-to-video/model_k_30_turbo'
    const request = {
      prompt: `walk ${to.tags(20, 30)}`,
      settings: { resolution: '720p', duration: 3 },
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
      external_task_id: 'mine-1',
      callback_url: '',
    }
    await to.until(await newTask.k(to, request, turbo), still)
    await to.ask('GET', '/tasks?external_task_ids=mine-1')
    await to.ask('GET', '/tasks')
    await to.ask('POST', turbo, request)
    const failing = { ...request, prompt: `walk ${to.tags(5, 10)} [[fail:5000]]`, external_task_id: 'mine-2' }
    await to.until(await newTask.k(to, failing), still)
    await to.ask('GET', '/videos/avatar/image2video/123456789012345678')
    await to.ask('GET', '/general/advanced-presets-elements?pageSize=3')
  },
  async 'image life'(to) {
    const picture = (more: object = {}) => ({ model: 'model_image', prompt: 'a pier', ...more })
    const { body } = await to.ask('POST', images, picture({ size: '1K', watermark: null }))
    await to.download(body.data[0].url)
    await to.ask('POST', images, picture({ size: '1024x1024', response_format: 'b64_json' }))
    await to.ask('POST', images, picture({ stream: true }))
    await to.ask('POST', images, picture({ size: '10x10' }))
    await to.ask('POST', images, picture({ prompt: '' }))
    await to.ask('POST', images, picture(), 'sk-live-not-a-key-1234')
    await to.ask('POST', images, picture({ prompt: 'x [[refuse:internal]]' }))
  },
}

async function family(to: Traveller, prefix: string): Promise<void> {
  const request = (text: string, more: object = {}) => ({ ...videoC(text), ...more })
  const query = `${prefix}${paths.cTasks}`
  const create = `${prefix}${paths.c}`
  const first = await newTask.c(to, request(`a pier ${to.tags(20, 30)}`), prefix)
  const { task } = await to.until(first.query, still)
  if (prefix === '') await to.download(task.content.url)
  const failing = await newTask.c(to, request(`a pier ${to.tags(5, 10)} [[fail:1027]]`), prefix)
  await to.until(failing.query, still)
  const text = request(`a pier ${to.tags(5, 5)}`, { resolution: undefined })
  await to.until((await newTask.c(to, text, prefix, 'h3_context_ir')).query, still)
  const again = { model: 'model_c', resolution: '2K', source_task_id: first.id, content: undefined }
  await to.ask('GET', (await newTask.c(to, again, prefix, 'video_regeneration')).query)
  const waiting = await newTask.c(to, request(`a pier ${to.tags(60_000, 5)}`), prefix)
  await to.ask('DELETE', waiting.own)
  await to.ask('GET', waiting.query)
  await to.ask('GET', `${query}?page_size=2`)
  await to.ask('GET', `${query}?filter.status=succeeded`)
  await to.ask('DELETE', first.own)
  await to.ask('GET', first.query)
  await to.ask('POST', create, request('a pier', { ratio: 'adaptive' }))
  await to.ask('POST', create, request('a pier', { duration: 3 }))
  await to.ask('GET', `${query}/123456789012345`)
  await to.ask('GET', query, undefined, null)
}
