import type { Gateway } from '../gateway.ts'
import { refusals } from '../refusals.ts'

export const tasks = '/api/v3/contents/generations/tasks'

const table = 'family A, "create request"'
const text = { type: 'text', text: 'a lighthouse at dawn' }

/** The cheapest valid request. */
export const plain = (gateway: Gateway) => ({
  model: gateway.model('model_a_25'),
  content: [text],
  resolution: '480p',
  ratio: '16:9',
  duration: 4,
})
const old = (gateway: Gateway) => ({ model: gateway.model('model_a_20') })
const image = (gateway: Gateway, role: string) => ({
  type: 'image_url',
  image_url: { url: gateway.picture },
  role,
})
const video = (gateway: Gateway) => ({
  type: 'video_url',
  video_url: { url: gateway.sample('clip-720p-5s.mp4') },
  role: 'reference_video',
})

/** Requests that must be refused, with the reason. */
export const aRefusals = refusals('a', tasks, plain, [
  {
    id: 'resolution-4k',
    says: '4k on 2.5 is a 400',
    cites: '"Errors" 1',
    send: () => ({ resolution: '4k' }),
  },
  {
    id: 'resolution',
    says: 'an unknown resolution is a 400',
    cites: table,
    send: () => ({ resolution: '999p' }),
  },
  { id: 'ratio', says: 'an unknown ratio is a 400', cites: table, send: () => ({ ratio: '5:1' }) },
  { id: 'duration-25-max', says: '31 s on 2.5 is a 400', cites: '"Limits"', send: () => ({ duration: 31 }) },
  { id: 'duration-25-min', says: '3 s on 2.5 is a 400', cites: '"Limits"', send: () => ({ duration: 3 }) },
  {
    id: 'duration-20-max',
    says: '16 s on 2.0 is a 400',
    cites: '"Limits"',
    send: gateway => ({ ...old(gateway), duration: 16 }),
  },
  {
    id: 'duration-part',
    says: 'a duration with half seconds is a 400',
    cites: table,
    send: () => ({ duration: 4.5 }),
  },
  {
    id: 'callback',
    says: 'callback_url is a 400',
    cites: '"Errors" 2',
    send: () => ({ callback_url: 'https://example.org/' }),
  },
  {
    id: 'format-20',
    says: 'output_format on 2.0 is a 400',
    cites: table,
    send: gateway => ({ ...old(gateway), output_format: 'mp4' }),
  },
  {
    id: 'format-unknown',
    says: 'an unknown output_format is a 400',
    cites: table,
    send: () => ({ output_format: 'avi' }),
  },
  {
    id: 'task-type-20',
    says: 'omni_reference_task_type on 2.0 is a 400',
    cites: table,
    send: gateway => ({ ...old(gateway), omni_reference_task_type: 'auto' }),
  },
  { id: 'seed', says: 'seed on 2.5 is a 400', cites: table, send: () => ({ seed: 7 }) },
  {
    id: 'no-model',
    says: 'a request without a model is a 400',
    cites: table,
    send: () => ({ model: undefined }),
  },
  {
    id: 'no-content',
    says: 'a request without content is a 400',
    cites: table,
    send: () => ({ content: undefined }),
  },
  {
    id: 'expiry-min',
    says: 'an expiry of 3599 s is a 400',
    cites: '"Limits"',
    send: () => ({ execution_expires_after: 3599 }),
  },
  {
    id: 'expiry-max',
    says: 'an expiry of 259201 s is a 400',
    cites: '"Limits"',
    send: () => ({ execution_expires_after: 259201 }),
  },
  {
    id: 'first-frame-ratio',
    says: 'a first frame with a ratio other than adaptive is a 400 on 2.5',
    cites: '"Task-type rules" 1',
    send: gateway => ({ content: [text, image(gateway, 'first_frame')] }),
  },
  {
    id: 'edit-duration',
    says: 'an edit with a duration is a 400',
    cites: '"Task-type rules" 2',
    needs: 'samples',
    send: gateway => ({
      content: [text, video(gateway)],
      ratio: 'adaptive',
      omni_reference_task_type: 'edit',
      duration: 5,
    }),
  },
  {
    id: 'edit-without-video',
    says: 'an edit without a video is a 400',
    cites: '"Task-type rules" 2',
    send: gateway => ({
      content: [text, image(gateway, 'reference_image')],
      ratio: 'adaptive',
      omni_reference_task_type: 'edit',
      duration: -1,
    }),
  },
  {
    id: 'extend-without-video',
    says: 'an extension without a video is a 400',
    cites: '"Task-type rules" 3',
    send: gateway => ({
      content: [text, image(gateway, 'reference_image')],
      ratio: 'adaptive',
      omni_reference_task_type: 'extend',
    }),
  },
  { id: 'not-json', says: 'a body that is not JSON is a 400', cites: '"Endpoints"', send: () => '{' },
])
