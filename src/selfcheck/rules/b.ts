import type { Answer, Gateway } from '../gateway.ts'
import { errorShapes, refusals } from '../refusals.ts'
import { at, must, oneOf, type Rule, same, shown, textAt, wholeAt } from '../rule.ts'
import { isVideo, pollUntil, reads } from '../watch.ts'

const create = '/api/v1/services/aigc/video-generation/video-synthesis'
const table = 'family B, "create request"'
const going = ['PENDING', 'RUNNING']
const states = [...going, 'SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN']

const plain = (gateway: Gateway) => ({
  model: gateway.model('model_b'),
  input: { prompt: 'a lighthouse at dawn' },
  parameters: { resolution: '480P', ratio: '16:9', duration: 4 },
})
const parameters = (change: Record<string, unknown>) => (gateway: Gateway) => ({
  parameters: { ...plain(gateway).parameters, ...change },
})

const refusing = refusals('b', create, plain, [
  {
    id: 'no-model',
    says: 'a request without a model is a 400',
    cites: table,
    send: () => ({ model: undefined }),
  },
  { id: 'no-input', says: 'neither prompt nor media is a 400', cites: table, send: () => ({ input: {} }) },
  {
    id: 'prompt-type',
    says: 'a prompt that is not a text is a 400',
    cites: table,
    send: () => ({ input: { prompt: 7 } }),
  },
  {
    id: 'media-type',
    says: 'media that are not a list are a 400',
    cites: table,
    send: () => ({ input: { prompt: 'a cat', media: 'picture.png' } }),
  },
  {
    id: 'duration-type',
    says: 'a duration that is not a number is a 400',
    cites: table,
    send: parameters({ duration: 'long' }),
  },
  {
    id: 'duration-part',
    says: 'a duration with half seconds is a 400',
    cites: table,
    send: parameters({ duration: 4.5 }),
  },
  {
    id: 'resolution',
    says: 'an unknown resolution is a 400',
    cites: '"Errors" 1',
    send: parameters({ resolution: '999P' }),
  },
  {
    id: 'extend-type',
    says: 'a prompt_extend that is not a boolean is a 400',
    cites: table,
    send: parameters({ prompt_extend: 'maybe' }),
  },
  {
    id: 'callback',
    says: 'callback_url is a 400',
    cites: '"Errors" 2',
    send: () => ({ callback_url: 'https://example.org/' }),
  },
  { id: 'not-json', says: 'a body that is not JSON is a 400', cites: '"Endpoints"', send: () => '{' },
])

function finished(gateway: Gateway): Promise<{ made: Answer; seen: string[]; reply: unknown }> {
  return gateway.once('b.finished', async () => {
    const headers = { 'X-Vendor-Async': 'enabled' }
    const made = await gateway.ask('POST', create, { body: plain(gateway), headers })
    same(`The status (${shown(made.body)})`, made.status, 200)
    const path = `/api/v1/tasks/${textAt(made.body, 'output', 'task_id')}`
    const { seen, body } = await pollUntil(
      gateway,
      path,
      found => textAt(found, 'output', 'task_status'),
      going,
    )
    return { made, seen, reply: body }
  })
}

const watched = reads('b', finished)

/** Specification, "Errors" 4: a missing task is reported as `UNKNOWN`; a 404 is declared too. */
async function isUnknown(gateway: Gateway, id: string, key: string): Promise<void> {
  const answer = await gateway.ask('GET', `/api/v1/tasks/${id}`, { key })
  oneOf('The status', answer.status, [200, 404])
  if (answer.status === 404) errorShapes.b(answer)
  else same('task_status', at(answer.body, 'output', 'task_status'), 'UNKNOWN')
}

export const bRules: readonly Rule[] = [
  ...refusing,
  {
    id: 'b.missing',
    family: 'b',
    says: 'a task that does not exist is UNKNOWN or a 404',
    cites: '"Errors" 4',
    costs: false,
    check: gateway => isUnknown(gateway, '00000000-0000-4000-8000-000000000000', gateway.key),
  },
  watched('create', 'a create answers with a pending task', 'family B, "Create response"', ({ made }) => {
    same('task_status', at(made.body, 'output', 'task_status'), 'PENDING')
    textAt(made.body, 'request_id')
  }),
  watched(
    'states',
    'a task reaches SUCCEEDED through the listed states',
    '"States and transitions"',
    ({ seen }) => {
      for (const state of seen) oneOf('A state', state, states)
      same('The last state', seen.at(-1), 'SUCCEEDED')
    },
  ),
  watched(
    'times',
    'times have the form YYYY-MM-DD HH:MM:SS.mmm',
    'family B, "Query response"',
    ({ reply }) => {
      for (const name of ['submit_time', 'scheduled_time', 'end_time']) {
        const time = textAt(reply, 'output', name)
        must(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(time), `${name} is ${time}`)
      }
    },
  ),
  watched('prompt', 'the prompt comes back', 'family B, "Query response"', ({ reply }) => {
    same('orig_prompt', at(reply, 'output', 'orig_prompt'), 'a lighthouse at dawn')
  }),
  watched('usage', 'usage has seconds, frames and shape', 'family B, "Query response"', ({ reply }) => {
    same('video_count', at(reply, 'usage', 'video_count'), 1)
    for (const name of ['duration', 'input_video_duration', 'output_video_duration'])
      must(typeof at(reply, 'usage', name) === 'number', `usage.${name} is not a number`)
    wholeAt(reply, 'usage', 'fps')
    wholeAt(reply, 'usage', 'SR')
    must(/^\d+:\d+$/.test(textAt(reply, 'usage', 'ratio')), 'usage.ratio does not have the form W:H')
  }),
  watched(
    'link',
    'the video is downloaded without a key',
    '"Authentication" 6',
    async ({ reply }, gateway) => {
      isVideo(await gateway.download(textAt(reply, 'output', 'video_url')))
    },
  ),
  watched(
    'other-account',
    'a task of another account is UNKNOWN or a 404',
    '"Errors" 4',
    ({ reply }, gateway) => isUnknown(gateway, textAt(reply, 'output', 'task_id'), gateway.otherKey ?? ''),
    'other account',
  ),
]
