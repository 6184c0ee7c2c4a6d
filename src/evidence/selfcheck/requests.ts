import type { Inputs } from '../spec/forms.ts'

/** A request that every gateway accepts, at the lowest price. */
export interface PlainRequest {
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
    [`${family}.list`]: {
      method: 'GET',
      path: () => `${prefix}/query/video_generation`,
      body: () => ({}),
    },
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
