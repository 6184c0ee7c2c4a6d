import type { Gateway } from '../gateway.ts'
import type { RefusedRequest } from '../refusals.ts'

const text = { type: 'text', text: 'a lighthouse at dawn' }

/** The cheapest valid request. */
export const plain = (gateway: Gateway) => ({
  model: gateway.model('model_c'),
  content: [text],
  resolution: '768P',
  duration: 5,
  ratio: '16:9',
})

const baseVideo = (gateway: Gateway) => ({
  type: 'video_url',
  video_url: { url: gateway.sample('clip-768p-107f.mp4') ?? 'https://example.org/video.mp4' },
  role: 'base_video',
})

/** Refusals of both variants. */
export const common = (prefix: string, cites: string): readonly RefusedRequest[] => [
  { id: 'no-model', says: 'a request without a model is a 400', cites, send: () => ({ model: undefined }) },
  {
    id: 'no-content',
    says: 'a request without content is a 400',
    cites,
    send: () => ({ content: undefined }),
  },
  {
    id: 'resolution',
    says: 'an unknown resolution is a 400',
    cites: '"Errors" 1',
    send: () => ({ resolution: '999P' }),
  },
  { id: 'ratio', says: 'an unknown ratio is a 400', cites, send: () => ({ ratio: 'wide' }) },
  {
    id: 'duration-part',
    says: 'a duration with half seconds is a 400',
    cites,
    send: () => ({ duration: 5.5 }),
  },
  {
    id: 'callback',
    says: 'callback_url is a 400',
    cites: '"Errors" 2',
    send: () => ({ callback_url: 'https://example.org/' }),
  },
  { id: 'not-json', says: 'a body that is not JSON is a 400', cites: '"Endpoints"', send: () => '{' },
  {
    id: 'regenerate-both',
    says: 'a regeneration with both a source task and contents is a 400',
    cites,
    path: `${prefix}/video_regeneration`,
    send: gateway => ({ resolution: '2K', source_task_id: '123', content: [text, baseVideo(gateway)] }),
  },
  {
    id: 'regenerate-neither',
    says: 'a regeneration without a source is a 400',
    cites,
    path: `${prefix}/video_regeneration`,
    send: () => ({ resolution: '2K', content: undefined }),
  },
  {
    id: 'regenerate-two',
    says: 'a regeneration with two base videos is a 400',
    cites,
    path: `${prefix}/video_regeneration`,
    send: gateway => ({ resolution: '2K', content: [text, baseVideo(gateway), baseVideo(gateway)] }),
  },
  {
    id: 'enhance-no-content',
    says: 'an enhancement without content is a 400',
    cites,
    path: `${prefix}/h3_context_ir`,
    send: () => ({ content: [], resolution: undefined }),
  },
]

/** The discounted variant allows less. */
export const onlySpecial: readonly RefusedRequest[] = [
  {
    id: 'adaptive',
    says: 'the ratio adaptive is a 400',
    cites: '"Family C-special"',
    send: () => ({ ratio: 'adaptive' }),
  },
  {
    id: 'duration-min',
    says: 'a duration of 4 s is a 400',
    cites: '"Limits"',
    send: () => ({ duration: 4 }),
  },
  {
    id: 'duration-max',
    says: 'a duration of 16 s is a 400',
    cites: '"Limits"',
    send: () => ({ duration: 16 }),
  },
  {
    id: 'resolution-1080',
    says: '1080P is a 400',
    cites: '"Family C-special"',
    send: () => ({ resolution: '1080P' }),
  },
  {
    id: 'enhance-min',
    says: 'an enhancement for 3 s is a 400',
    cites: '"Limits"',
    path: '/special/v2/h3_context_ir',
    send: () => ({ duration: 3, resolution: undefined }),
  },
  {
    id: 'enhance-max',
    says: 'an enhancement for 16 s is a 400',
    cites: '"Limits"',
    path: '/special/v2/h3_context_ir',
    send: () => ({ duration: 16, resolution: undefined }),
  },
]
