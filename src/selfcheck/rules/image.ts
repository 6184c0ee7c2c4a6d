import type { Answer, Gateway } from '../gateway.ts'
import { refusals } from '../refusals.ts'
import { at, must, type Rule, same, shown, textAt, wholeAt } from '../rule.ts'
import { isPng, pngSize, reads } from '../watch.ts'

const path = '/api/v3/images/generations'
const table = '"Image: request and response"'

const plain = (gateway: Gateway) => ({
  model: gateway.model('model_image'),
  prompt: 'a red bicycle',
  size: '1K',
  output_format: 'png',
  response_format: 'url',
})
const pictures = (count: number) => (gateway: Gateway) => ({
  image: Array.from({ length: count }, () => gateway.picture),
})

const refusing = refusals('image', path, plain, [
  { id: 'stream', says: 'stream is a 400', cites: '"Errors" 3', send: () => ({ stream: true }) },
  { id: 'n', says: 'n is a 400', cites: '"Errors" 3', send: () => ({ n: 2 }) },
  {
    id: 'group',
    says: 'a group of pictures is a 400',
    cites: '"Errors" 3',
    send: () => ({ sequential_image_generation: 'auto' }),
  },
  {
    id: 'tools',
    says: 'tools are a 400',
    cites: '"Errors" 3',
    send: () => ({ tools: [{ type: 'web_search' }] }),
  },
  {
    id: 'callback',
    says: 'callback_url is a 400',
    cites: '"Errors" 2',
    send: () => ({ callback_url: 'https://example.org/' }),
  },
  {
    id: 'no-model',
    says: 'a request without a model is a 400',
    cites: table,
    send: () => ({ model: undefined }),
  },
  {
    id: 'no-prompt',
    says: 'a request without a prompt is a 400',
    cites: table,
    send: () => ({ prompt: undefined }),
  },
  { id: 'empty-prompt', says: 'an empty prompt is a 400', cites: table, send: () => ({ prompt: '' }) },
  { id: 'eleven', says: '11 pictures are a 400', cites: '"Limits"', send: pictures(11) },
  {
    id: 'size-min',
    says: 'a size below 921600 pixels is a 400',
    cites: '"Limits"',
    send: () => ({ size: '960x959' }),
  },
  {
    id: 'size-max',
    says: 'a size above 4624220 pixels is a 400',
    cites: '"Limits"',
    send: () => ({ size: '2151x2150' }),
  },
  {
    id: 'size-aspect',
    says: 'a picture 17 times as wide as high is a 400',
    cites: '"Limits"',
    send: () => ({ size: '4250x250' }),
  },
  { id: 'size-word', says: 'an unknown size is a 400', cites: table, send: () => ({ size: '3K' }) },
  {
    id: 'format',
    says: 'an unknown output_format is a 400',
    cites: table,
    send: () => ({ output_format: 'webp' }),
  },
  {
    id: 'response-format',
    says: 'an unknown response_format is a 400',
    cites: table,
    send: () => ({ response_format: 'file' }),
  },
  {
    id: 'transparent-text',
    says: 'a transparent background without an image is a 400',
    cites: table,
    send: () => ({ background: 'transparent' }),
  },
  {
    id: 'transparent-jpeg',
    says: 'a transparent JPEG is a 400',
    cites: table,
    send: gateway => ({ image: gateway.picture, background: 'transparent', output_format: 'jpeg' }),
  },
  {
    id: 'layers-two',
    says: 'layer mode with two pictures is a 400',
    cites: table,
    send: gateway => ({ ...pictures(2)(gateway), layer_decomposition: true }),
  },
  {
    id: 'layers-none',
    says: 'layer mode without a picture is a 400',
    cites: table,
    send: () => ({ layer_decomposition: true }),
  },
  {
    id: 'point',
    says: 'a point at 1000 is a 400',
    cites: '"Limits"',
    send: gateway => ({ image: gateway.picture, prompt: 'remove <point>1000 5</point>' }),
  },
  { id: 'not-json', says: 'a body that is not JSON is a 400', cites: '"Endpoints"', send: () => '{' },
])

function made(name: string, change: Record<string, unknown>) {
  return (gateway: Gateway): Promise<Answer> =>
    gateway.once(`image.${name}`, async () => {
      const answer = await gateway.ask('POST', path, { body: { ...plain(gateway), ...change } })
      same(`The status (${shown(answer.body)})`, answer.status, 200)
      return answer
    })
}

const linked = reads('image', made('url', {}))
const inside = reads('image', made('b64', { response_format: 'b64_json', size: '1280x720' }))

export const imageRules: readonly Rule[] = [
  ...refusing,
  linked('create', 'one call answers with one picture', table, ({ body }) => {
    textAt(body, 'model')
    wholeAt(body, 'created')
    const data = at(body, 'data')
    must(Array.isArray(data) && data.length === 1, 'data is not a list of one picture')
    must(/^\d+x\d+$/.test(textAt(body, 'data', 0, 'size')), 'size does not have the form WxH')
    same('output_format', at(body, 'data', 0, 'output_format'), 'png')
  }),
  linked('usage', 'usage counts pictures and tokens', table, ({ body }) => {
    same('input_images', at(body, 'usage', 'input_images'), 0)
    same('generated_images', at(body, 'usage', 'generated_images'), 1)
    for (const name of ['output_tokens', 'total_tokens']) wholeAt(body, 'usage', name)
  }),
  linked(
    'link',
    'the picture is downloaded without a key',
    '"Authentication" 6',
    async ({ body }, gateway) => {
      isPng(await gateway.download(textAt(body, 'data', 0, 'url')))
    },
  ),
  inside('base64', 'b64_json answers with the picture itself', table, ({ body, ...rest }) => {
    isPng({ ...rest, body, bytes: Buffer.from(textAt(body, 'data', 0, 'b64_json'), 'base64') })
  }),
  inside('size', 'an explicit size is the picture’s size', table, ({ body }) => {
    const png = Buffer.from(textAt(body, 'data', 0, 'b64_json'), 'base64')
    same('The size', pngSize(png), '1280x720')
    same('size', at(body, 'data', 0, 'size'), '1280x720')
  }),
]
