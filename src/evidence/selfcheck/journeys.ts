import { factsOfFamily } from '../../emulator/words.ts'
import type { Inputs } from '../spec/forms.ts'
import { at, shown } from '../spec/json.ts'
import type { Observation, SpecFamily } from '../spec/observation.ts'
import { type Gateway, must, pollToEnd, textAt, type Watch, watchOn } from './gateway.ts'

/** A request that every gateway accepts, at the lowest price. */
interface PlainRequest {
  method: 'GET' | 'POST'
  path(inputs: Inputs): string
  body(inputs: Inputs): Record<string, unknown>
}

const prompt = 'a lighthouse at dawn'
const content = [{ type: 'text', text: prompt }]

function post(path: string | ((inputs: Inputs) => string), body: PlainRequest['body']): PlainRequest {
  return { method: 'POST', path: typeof path === 'string' ? () => path : path, body }
}

function requestsOfC(family: 'c' | 'special', prefix: string): Record<string, PlainRequest> {
  const enhance = ({ model }: Inputs) => ({ model: model('model_c'), content, duration: 5, ratio: '16:9' })
  return {
    [`${family}.create`]: post(`${prefix}/video_generation`, inputs => ({
      ...enhance(inputs),
      resolution: '768P',
    })),
    [`${family}.enhance`]: post(`${prefix}/h3_context_ir`, enhance),
    [`${family}.regenerate`]: post(`${prefix}/video_regeneration`, ({ model }) => ({
      model: model('model_c'),
      resolution: '2K',
      source_task_id: '123',
    })),
    [`${family}.list`]: { method: 'GET', path: () => `${prefix}/query/video_generation`, body: () => ({}) },
  }
}

/** By operation. Rows change single fields. */
export const plainRequests: Readonly<Record<string, PlainRequest>> = {
  'a.create': post('/api/v3/contents/generations/tasks', ({ model }) => ({
    model: model('model_a_25'),
    content,
    resolution: '480p',
    ratio: '16:9',
    duration: 4,
  })),
  'b.create': post('/api/v1/services/aigc/video-generation/video-synthesis', ({ model }) => ({
    model: model('model_b'),
    input: { prompt },
    parameters: { resolution: '480P', ratio: '16:9', duration: 4 },
  })),
  ...requestsOfC('c', '/v2'),
  ...requestsOfC('special', '/special/v2'),
  'k.create': post(
    ({ model }) => `/image-to-video/${model('model_k_30_turbo')}`,
    ({ picture }) => ({
      prompt: 'it moves',
      settings: { resolution: '720p', duration: 5 },
      contents: [{ type: 'first_frame', url: picture }],
    }),
  ),
  'image.generate': post('/api/v3/images/generations', ({ model }) => ({
    model: model('model_image'),
    prompt: 'a red bicycle',
    size: '1K',
    output_format: 'png',
    response_format: 'url',
  })),
}

/** What the requests of one journey showed, and the id of its task. */
export interface Journey {
  observations: Observation[]
  id: string
}

/** Where a family shows a task: its id in the reply to the create, the path that its id completes, and the link in its record. */
const routes = {
  a: { id: 'id', query: '/api/v3/contents/generations/tasks/', url: 'content.video_url' },
  b: { id: 'output.task_id', query: '/api/v1/tasks/', url: 'output.video_url' },
  c: { id: 'task_id', query: '/v2/query/video_generation/', url: 'task.content.url' },
  special: { id: 'task_id', query: '/special/v2/query/video_generation/', url: 'task.content.url' },
  k: { id: 'data.id', query: '/tasks?task_ids=', url: 'data.0.outputs.0.url' },
} as const

type VideoFamily = keyof typeof routes

const queryOperation = (family: VideoFamily) => (family === 'k' ? 'k.tasks.get' : `${family}.get`)

async function make(gateway: Gateway, operation: string, change: Record<string, unknown> = {}) {
  const { method, path, body } = plainRequests[operation] as (typeof plainRequests)[string]
  const sent = { ...body(gateway), ...change }
  const watch = watchOn(gateway, operation.split('.')[0] as SpecFamily, sent)
  const headers = operation === 'b.create' ? { 'X-Vendor-Async': 'enabled' } : {}
  const answer = await watch.ask(operation, [method, path(gateway)], { body: sent, headers })
  must(answer.status === 200, `The status is ${answer.status}: ${shown(answer.body)}`)
  return { watch, reply: answer.body }
}

/** A video from its create to its download. */
async function video(gateway: Gateway, family: VideoFamily): Promise<Journey> {
  const route = routes[family]
  const change = family === 'a' ? { return_last_frame: true, generate_audio: undefined } : {}
  const { watch, reply } = await make(gateway, `${family}.create`, change)
  const id = textAt(reply, route.id)
  const path = route.query + id
  const isDeletable = family === 'c' || family === 'special'
  const body = await pollToEnd(gateway, watch, {
    operation: queryOperation(family),
    path,
    onChange: async state => {
      if (isDeletable && state === 'running')
        await watch.ask(`${family}.delete`, ['DELETE', deletionOf(path)])
    },
  })
  const size = await watch.download(textAt(body, route.url))
  const frame = at(body, 'content', 'last_frame_url')
  if (typeof frame === 'string') await watch.download(frame, size)
  if (factsOfFamily(family)?.findsBy === 'list') await listed(watch, family, path.replace(/\/[^/]+$/, ''))
  return { observations: watch.observations, id }
}

function deletionOf(query: string): string {
  return query.replace('/query/', '/')
}

async function listed(watch: Watch, family: VideoFamily, path: string): Promise<void> {
  const model = at(watch.observations[0]?.body, 'model')
  const ofC = [
    '',
    `filter.model=${model}`,
    'filter.model=none',
    'filter.task_type=generation',
    'filter.task_type=regeneration',
  ]
  for (const query of ['filter.status=succeeded', 'filter.status=failed', ...(family === 'a' ? [] : ofC)])
    await watch.ask(`${family}.list`, ['GET', `${path}?${query}`])
}

/** A prompt enhancement, deleted at its end. */
async function words(gateway: Gateway, family: 'c' | 'special'): Promise<Journey> {
  const route = routes[family]
  const { watch, reply } = await make(gateway, `${family}.enhance`)
  const id = textAt(reply, route.id)
  const path = route.query + id
  await pollToEnd(gateway, watch, { operation: queryOperation(family), path })
  await watch.ask(`${family}.delete`, ['DELETE', deletionOf(path)])
  return { observations: watch.observations, id }
}

/** A task that is cancelled before its work starts. */
async function cancelled(gateway: Gateway, family: 'a' | 'c'): Promise<Journey> {
  const route = routes[family]
  const { watch, reply } = await make(gateway, `${family}.create`)
  const id = textAt(reply, route.id)
  const path = route.query + id
  await watch.ask(queryOperation(family), ['GET', path])
  await watch.ask(`${family}.delete`, ['DELETE', deletionOf(path)])
  await watch.ask(queryOperation(family), ['GET', path])
  return { observations: watch.observations, id }
}

/** One picture by link, and one inside the reply. */
async function pictures(gateway: Gateway): Promise<Journey> {
  const linked = await make(gateway, 'image.generate')
  await linked.watch.download(textAt(linked.reply, 'data.0.url'))
  const inside = await make(gateway, 'image.generate', { response_format: 'b64_json', size: '1280x720' })
  return { observations: [...linked.watch.observations, ...inside.watch.observations], id: '' }
}

/** Requests that cost nothing: refusals and lists. */
async function free(gateway: Gateway, family: SpecFamily): Promise<Journey> {
  const operation = family === 'image' ? 'image.generate' : `${family}.create`
  const { path, body } = plainRequests[operation] as (typeof plainRequests)[string]
  const watch = watchOn(gateway, family, undefined)
  const sent = { ...body(gateway), callback_url: 'https://example.org/' }
  await watch.ask(operation, ['POST', path(gateway)], { body: sent })
  await watch.ask(operation, ['POST', path(gateway)], { body: sent, authorization: null })
  if (family === 'special')
    await watch.ask('special.delete', ['DELETE', '/special/v2/video_generation/123456789'])
  if (family === 'c' || family === 'special')
    await watch.ask(`${family}.list`, ['GET', `${plainRequests[`${family}.list`]?.path(gateway)}?page_num=1`])
  if (family === 'k') {
    await watch.ask('k.presets.list', ['GET', '/general/advanced-presets-elements'])
    await watch.ask('k.tasks.get', ['GET', '/tasks?task_ids=123456789'])
  }
  return { observations: watch.observations, id: '' }
}

/** The journeys of a family that cost money, in the order in which rows are looked for in them. */
export const journeys: Readonly<Record<SpecFamily, readonly ((gateway: Gateway) => Promise<Journey>)[]>> = {
  a: [
    memoized('a', gateway => video(gateway, 'a')),
    memoized('a cancelled', gateway => cancelled(gateway, 'a')),
  ],
  b: [memoized('b', gateway => video(gateway, 'b'))],
  c: [
    memoized('c', gateway => video(gateway, 'c')),
    memoized('c words', gateway => words(gateway, 'c')),
    memoized('c cancelled', gateway => cancelled(gateway, 'c')),
  ],
  special: [
    memoized('special', gateway => video(gateway, 'special')),
    memoized('special words', gateway => words(gateway, 'special')),
  ],
  k: [memoized('k', gateway => video(gateway, 'k'))],
  image: [memoized('image', pictures)],
}

export const freeJourney = (family: SpecFamily) =>
  memoized(`${family} free`, gateway => free(gateway, family))

function memoized(name: string, run: (gateway: Gateway) => Promise<Journey>) {
  return (gateway: Gateway) => gateway.once(name, () => run(gateway))
}
