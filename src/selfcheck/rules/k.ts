import type { Answer, Gateway } from '../gateway.ts'
import { refusals, refused } from '../refusals.ts'
import { at, must, oneOf, type Rule, same, shown, textAt, wholeAt } from '../rule.ts'
import { isVideo, pollUntil, reads } from '../watch.ts'

const create = (gateway: Gateway) => `/image-to-video/${gateway.model('model_k_30_turbo')}`
const any4xx = [400, 401, 403, 404, 409, 413, 415, 422, 429]
const table = '"Family K"'

const plain = (gateway: Gateway) => ({
  prompt: 'it moves',
  settings: { resolution: '720p', duration: 5 },
  contents: [{ type: 'first_frame', url: gateway.picture }],
})

/** Specification, "Errors": 4xx responses are declared without distinguishing status codes. */
const refusing = refusals('k', create, plain, [
  {
    id: 'model',
    says: 'an unknown model is refused',
    cites: table,
    path: '/image-to-video/no-model',
    send: () => ({}),
    statuses: any4xx,
  },
  {
    id: 'no-contents',
    says: 'a request without a picture is refused',
    cites: table,
    send: () => ({ contents: undefined }),
    statuses: any4xx,
  },
  {
    id: 'last-alone',
    says: 'a last frame without a first is refused',
    cites: table,
    send: gateway => ({ contents: [{ type: 'last_frame', url: gateway.picture }] }),
    statuses: any4xx,
  },
  {
    id: 'resolution',
    says: 'an unknown resolution is refused',
    cites: '"Errors" 1',
    send: () => ({ settings: { resolution: '999p' } }),
    statuses: any4xx,
  },
  {
    id: 'duration',
    says: 'a duration that is not a number is refused',
    cites: table,
    send: () => ({ settings: { duration: 'long' } }),
    statuses: any4xx,
  },
  {
    id: 'prompt',
    says: 'a prompt that is not a text is refused',
    cites: table,
    send: () => ({ prompt: 7 }),
    statuses: any4xx,
  },
  {
    id: 'callback',
    says: 'callback_url is a 400',
    cites: '"Errors" 2',
    send: () => ({ callback_url: 'https://example.org/' }),
  },
  {
    id: 'not-json',
    says: 'a body that is not JSON is refused',
    cites: table,
    send: () => '{',
    statuses: any4xx,
  },
])

/** A query of something that does not exist. */
function missing(id: string, says: string, path: string): Rule {
  return {
    id: `k.${id}`,
    family: 'k',
    says,
    cites: table,
    costs: false,
    async check(gateway) {
      refused('k', await gateway.ask('GET', path), any4xx)
    },
  }
}

/** The same list, with and without the optional prefix. */
function presets(id: string, says: string, path: string): Rule {
  return {
    id: `k.${id}`,
    family: 'k',
    says,
    cites: '"Family K", presets',
    costs: false,
    async check(gateway) {
      const { status, body } = await gateway.ask('GET', path)
      same('The status', status, 200)
      const tasks = at(body, 'data')
      must(Array.isArray(tasks), 'data is not a list')
      for (const task of tasks)
        must(at(task, 'task_result', 'elements', 0, 'element_id') !== undefined, 'A preset has no element_id')
    },
  }
}

function finished(gateway: Gateway): Promise<{ made: Answer; seen: string[]; item: unknown }> {
  return gateway.once('k.finished', async () => {
    const made = await gateway.ask('POST', create(gateway), { body: plain(gateway) })
    same(`The status (${shown(made.body)})`, made.status, 200)
    const { seen, body } = await pollUntil(
      gateway,
      `/tasks?task_ids=${textAt(made.body, 'data', 'id')}`,
      found => textAt(found, 'data', 0, 'status'),
      ['submitted', 'processing'],
    )
    return { made, seen, item: at(body, 'data', 0) }
  })
}

const watched = reads('k', finished)

export const kRules: readonly Rule[] = [
  ...refusing,
  missing('avatar-missing', 'an avatar that does not exist is refused', '/videos/avatar/image2video/none'),
  missing('voice-missing', 'a voice that does not exist is refused', '/general/custom-voices/none'),
  missing('tasks-none', 'a batch query without ids is refused', '/tasks'),
  presets(
    'presets',
    'presets are listed, each with an element to refer to',
    '/general/advanced-presets-elements',
  ),
  presets('presets-v1', 'presets are listed below /v1 too', '/v1/general/advanced-presets-elements'),
  watched(
    'create',
    'a create answers with code 0 and a submitted task',
    '"Family K: objects" 1',
    ({ made }) => {
      same('code', at(made.body, 'code'), 0)
      same('message', at(made.body, 'message'), 'SUCCEED')
      textAt(made.body, 'request_id')
      same('status', at(made.body, 'data', 'status'), 'submitted')
      for (const name of ['create_time', 'update_time']) wholeAt(made.body, 'data', name)
    },
  ),
  watched(
    'states',
    'a task reaches succeeded through the listed states',
    '"States and transitions"',
    ({ seen }) => {
      for (const state of seen) oneOf('A state', state, ['submitted', 'processing', 'succeeded', 'failed'])
      same('The last state', seen.at(-1), 'succeeded')
    },
  ),
  watched(
    'batch',
    'a batch query for one task answers with a list',
    '"Family K", tasks',
    async ({ item }, gateway) => {
      const id = textAt(item, 'id')
      const { body } = await gateway.ask('GET', `/tasks?task_ids=${id}&external_task_ids=none`)
      const found = at(body, 'data')
      must(
        Array.isArray(found) && found.length === 1,
        'data is not a list of one task, although task_ids wins',
      )
      same('id', at(found, 0, 'id'), id)
    },
  ),
  watched('outputs', 'outputs have a link and a length as text', '"Family K: objects" 3', ({ item }) => {
    textAt(item, 'outputs', 0, 'id')
    must(Number(textAt(item, 'outputs', 0, 'duration')) > 0, 'The length is not above 0')
    for (const name of ['create_time', 'update_time']) wholeAt(item, name)
  }),
  watched(
    'link',
    'the video is downloaded without a key',
    '"Authentication" 6',
    async ({ item }, gateway) => {
      isVideo(await gateway.download(textAt(item, 'outputs', 0, 'url')))
    },
  ),
]
