import type { Gateway } from '../gateway.ts'
import { type RefusedRequest, refusals } from '../refusals.ts'
import type { Rule } from '../rule.ts'
import { plain as plainA, tasks } from './a-refusals.ts'
import { plain as plainC } from './c-refusals.ts'

type Send = RefusedRequest['send']
type Row = readonly [id: string, says: string, send: Send]

const text = { type: 'text', text: 'a lighthouse at dawn' }
const request = (family: string) => `family ${family}, "create request"`
const refusalsOf = (cites: string, rows: readonly Row[]): RefusedRequest[] =>
  rows.map(([id, says, send]) => ({ id, says, cites, send }))

const reference = (gateway: Gateway) => ({
  type: 'video_url',
  video_url: { url: gateway.sample('clip-720p-5s.mp4') },
  role: 'reference_video',
})
/** A reference task with a video and a declared task type. */
const typed =
  (omni_reference_task_type: string, change: object): Send =>
  gateway => ({
    content: [text, reference(gateway)],
    ratio: 'adaptive',
    duration: -1,
    omni_reference_task_type,
    ...change,
  })

const fieldsOfA = refusalsOf(request('A'), [
  [
    'content-kind',
    'an item of an unknown kind is a 400',
    () => ({ content: [text, { type: 'smell_url', smell_url: { url: 'https://example.org/' } }] }),
  ],
  ['task-type-unknown', 'an unknown task type is a 400', () => ({ omni_reference_task_type: 'paint' })],
  ['seed-20', 'seed on 2.0 is a 400', gateway => ({ model: gateway.model('model_a_20'), seed: 7 })],
  ['watermark-type', 'a watermark that is not a boolean is a 400', () => ({ watermark: 'yes' })],
  ['audio-type', 'a generate_audio that is not a boolean is a 400', () => ({ generate_audio: 'yes' })],
])

const typesOfA = refusalsOf('"Task-type rules"', [
  ['edit-ratio', 'an edit with a ratio other than adaptive is a 400', typed('edit', { ratio: '16:9' })],
  [
    'extend-ratio',
    'an extension with a ratio other than adaptive is a 400',
    typed('extend', { ratio: '16:9' }),
  ],
  ['extend-duration', 'an extension by 3 s is a 400', typed('extend', { duration: 3 })],
]).map(row => ({ ...row, needs: 'samples' as const }))

const plainB = (gateway: Gateway) => ({
  model: gateway.model('model_b'),
  input: { prompt: 'a lighthouse at dawn' },
  parameters: { resolution: '480P', ratio: '16:9', duration: 4 },
})
const fieldsOfB: RefusedRequest[] = [
  {
    id: 'ratio-type',
    says: 'a ratio that is not a text is a 400',
    cites: request('B'),
    send: gateway => ({ parameters: { ...plainB(gateway).parameters, ratio: 7 } }),
  },
]

const fieldsOfC = (prefix: string): RefusedRequest[] => [
  {
    id: 'regenerate-768',
    says: 'a regeneration at 768P is a 400',
    cites: '"Family C", regeneration',
    path: `${prefix}/video_regeneration`,
    send: () => ({ resolution: '768P', content: undefined, source_task_id: '123' }),
  },
]

const plainImage = (gateway: Gateway) => ({
  model: gateway.model('model_image'),
  prompt: 'a red bicycle',
  size: '1K',
  output_format: 'png',
})
const fieldsOfImages = refusalsOf('"Image: request and response"', [
  ['background-word', 'an unknown background is a 400', () => ({ background: 'white' })],
  [
    'optimize-type',
    'options of prompt optimization that are not an object are a 400',
    () => ({ optimize_prompt_options: 'fast' }),
  ],
  [
    'transparent-two',
    'a transparent background with two images is a 400',
    gateway => ({ image: [gateway.picture, gateway.picture], background: 'transparent' }),
  ],
  [
    'box',
    'a box with a coordinate of 1000 is a 400',
    gateway => ({ image: gateway.picture, prompt: 'remove <bbox>0 0 10 1000</bbox>' }),
  ],
])

const createB = '/api/v1/services/aigc/video-generation/video-synthesis'

/** Single fields that must be refused, in addition to those in the files of the families. */
export const fieldRules: readonly Rule[] = [
  ...refusals('a', tasks, plainA, [...fieldsOfA, ...typesOfA]),
  ...refusals('b', createB, plainB, fieldsOfB),
  ...refusals('c', '/v2/video_generation', plainC, fieldsOfC('/v2')),
  ...refusals('special', '/special/v2/video_generation', plainC, fieldsOfC('/special/v2')),
  ...refusals('image', '/api/v3/images/generations', plainImage, fieldsOfImages),
]
