import { lives } from '../agreements.ts'
import type { Form, Inputs } from '../forms.ts'
import * as is from '../forms.ts'

import { at } from '../json.ts'
import {
  always,
  answers,
  asks,
  type Due,
  elsewhere,
  expires,
  fields,
  type RequestKind,
  replies,
  sentWith,
  withStatus,
} from '../predicates.ts'
import { statementsOf } from '../statement.ts'

const image = 'image.generate'
const pictures =
  (count: number) =>
  ({ picture }: Inputs) =>
    Array.from({ length: count }, () => picture)
const many = (value: unknown) => (Array.isArray(value) ? value.length : Number(value !== undefined))
const isLayered = (body: unknown) => at(body, 'layer_decomposition') === true
const normal: RequestKind = { holds: body => !isLayered(body), change: () => ({}) }
const layered: RequestKind = {
  holds: isLayered,
  by: 'layer_decomposition',
  change: ({ picture }) => ({ layer_decomposition: true, image: picture }),
}
const clear: RequestKind = {
  holds: body => at(body, 'background') === 'transparent',
  by: 'background',
  change: ({ picture }) => ({ background: 'transparent', image: picture, output_format: 'png' }),
}
const edit: RequestKind = {
  holds: body => many(at(body, 'image')) > 0,
  change: ({ picture }) => ({ image: picture }),
}
const samples: RequestKind = { ...edit, needs: 'samples' }

const filled = is.inParts(
  is.such('a string that is not empty', value => /\S/.test(String(value ?? '')), 'a word', '', undefined),
  { empty: value => value !== undefined, absent: value => value === undefined },
)
const one = is.inParts(
  is.such('exactly one image', value => many(value) === 1, 'x', undefined, pictures(2)),
  { none: value => many(value) === 0, two: value => many(value) === 2 },
)
const upToTen = is.inParts(
  is.such('at most 10 images', value => many(value) <= 10, 'x', pictures(11)),
  { eleven: value => many(value) === 11 },
)
const anyFormat = is.such(
  'JPEG, PNG, WEBP, BMP, TIFF, GIF, HEIC or HEIF',
  value => !/\.(?:avif|svg|mp4)$/.test(String(value)),
  'https://example.org/picture.png',
  ({ sample }: Inputs) => sample('landscape.avif'),
)
/** A PNG of 14×14 pixels, which are as many as are allowed. */
const dot = `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAA4AAAAOCAMAAAAolt3jAAAAA1BMVEWIiIhYZW6zAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgGG4AAADSAAEFhK0ZAAAAAElFTkSuQmCC`
const large = is.such('above 14 px wide and high', value => value !== dot, 'x', dot)
const tiers = is.listed(
  is.such(
    'a tier, WxH or auto',
    value => /^(?:1|1\.5|2)[kK]$|^\d+x\d+$|^auto$/.test(String(value)),
    '1K',
    '3K',
  ),
  ...['1K', '1k', '1.5K', '1.5k', '2K', '2k'],
)
const sides = (value: unknown) => /^(\d+)x(\d+)$/.exec(String(value))?.slice(1).map(Number) ?? []
const within = ([width = 1000, height = 1000]: number[]) =>
  width * height >= 921_600 && width * height <= 4_624_220
const pixelsOf = (value: unknown) => sides(value).reduce((product, side) => product * side, 1)
/** A size within 1 % of a limit shows the limit. */
const pixels = is.inParts(
  is.such('of 921600 to 4624220 pixels', value => within(sides(value)), '1024x1024', '960x959', '2151x2150'),
  {
    below: value => pixelsOf(value) > 912_384 && pixelsOf(value) < 921_600,
    above: value => pixelsOf(value) > 4_624_220 && pixelsOf(value) < 4_670_462,
  },
)
const ratioOf = (value: unknown) => (sides(value)[0] ?? 1) / (sides(value)[1] ?? 1)
const shaped = ([width = 1, height = 1]: number[]) => width <= 16 * height && height <= 16 * width
const aspect = is.inParts(
  is.such(
    'of an aspect ratio from 1/16 to 16',
    value => shaped(sides(value)),
    '1024x1024',
    '4250x250',
    '250x4250',
  ),
  {
    wide: value => ratioOf(value) > 16 && ratioOf(value) < 17.1,
    tall: value => ratioOf(value) > 1 / 17.1 && ratioOf(value) < 1 / 16,
  },
)
const marks = (prompt: unknown) =>
  [...String(prompt).matchAll(/<(?:point|bbox)>([\d ]+)</g)].flatMap(([, at = '']) => at.split(' '))
const places = is.inParts(
  is.such(
    'with coordinates from 0 to 999',
    prompt => marks(prompt).every(place => Number(place) <= 999),
    'remove <point>10 5</point>',
    'remove <point>1000 5</point>',
    'remove <bbox>0 0 10 1000</bbox>',
  ),
  {
    point: value => /<point>/.test(String(value)) && marks(value).includes('1000'),
    box: value => /<bbox>/.test(String(value)) && marks(value).includes('1000'),
  },
)
const onePicture = is.such('an array of one item', value => many(value) === 1, [{}], [{}, {}])
const upTo17 = is.such(
  'an array of 1 to 17 items',
  value => many(value) >= 1 && many(value) <= 17,
  Array(17).fill({}),
  Array(18).fill({}),
)
const full17 = is.inParts(upTo17, { '17 items': value => many(value) === 17 })
/** Layers have a z_index from 1. */
const isLayer = (item: unknown) => Number(at(item, 'z_index')) >= 1
const stacked = is.inParts(
  is.such(
    'an array with the base at z_index 0 and layers from 1',
    value =>
      Array.isArray(value) &&
      value.every((item, place) =>
        place === 0 ? at(item, 'z_index') === 0 : Number(at(item, 'z_index')) >= 1,
      ),
    [{ z_index: 0 }, { z_index: 1 }],
    [{ z_index: 1 }, { z_index: 2 }],
    [{ z_index: 0 }, {}],
  ),
  { layers: value => Array.isArray(value) && value.some(isLayer) },
)
const everyLayer = (called: string, has: (item: unknown) => boolean, good: object): Form =>
  is.inParts(
    is.such(
      `an array in which every layer has ${called}`,
      value => Array.isArray(value) && value.every(item => !isLayer(item) || has(item)),
      [{ z_index: 0 }, { z_index: 1, ...good }],
      [{ z_index: 0 }, { z_index: 1 }],
    ),
    { layers: value => Array.isArray(value) && value.some(isLayer) },
  )
const png = everyLayer('png as output_format', item => at(item, 'output_format') === 'png', {
  output_format: 'png',
})
const named = everyLayer(
  'name and description',
  item => [at(item, 'name'), at(item, 'description')].every(value => typeof value === 'string'),
  { name: 'x', description: 'x' },
)
const inLayers = sentWith('layer_decomposition', true)
const autoInLayers: Due = {
  holds: (_, { body }) => isLayered(body) && at(body, 'size') === 'auto',
  example: { sent: { layer_decomposition: true, size: 'auto' } },
}
const inNormal = sentWith('layer_decomposition', undefined, false)
const usage = {
  'usage.input_images': is.whole,
  'usage.generated_images': is.whole,
  'usage.output_tokens': is.whole,
  'usage.total_tokens': is.whole,
}
const boxes = { 'bounding_box.absolute': is.fourWhole, 'bounding_box.normalized': is.fourWhole }
const withBox: Due = {
  holds: item => at(item, 'bounding_box') !== undefined,
  example: { record: { bounding_box: {} } },
}

// biome-ignore format: a table, one row a line
export const imageOperation = statementsOf('image', {
  'request.model': [140, 'model is the image model.', asks(image, { model: is.required })],
  'request.prompt': [141, 'prompt is not empty and required in normal mode.', asks(image, { prompt: filled }, normal)],
  'request.places': [141, 'Coordinates of points and boxes in the prompt are 0 to 999.', asks(image, { prompt: places }, edit)],
  'request.image-count': [142, 'Normal mode takes up to 10 reference images.', asks(image, { image: upToTen }, normal)],
  'request.image-forms': [142, 'An image is a URL or a data URI, one or a list.'],
  'request.layer-one': [142, 'Layer mode takes exactly one image.', asks(image, { image: one }, layered)],
  'request.layer-format': [142, 'The image of layer mode is PNG or JPEG, at most 30 MB.'],
  'request.formats': [142, 'An image is JPEG, PNG, WEBP, BMP, TIFF, GIF, HEIC or HEIF.', asks(image, { image: anyFormat }, samples)],
  'request.bytes': [142, 'An image has at most 30 MB.'],
  'request.sides': [142, 'Width and height of an image are above 14 px.', asks(image, { image: large }, edit)],
  'request.pixels': [142, 'An image has 196 to 36000000 pixels.'],
  'request.aspect': [142, 'The aspect ratio of an image is 1/16 to 16.'],
  'request.tiers': [143, 'size is 1K, 1.5K or 2K, with either case of the letter.', asks(image, { size: tiers }, normal)],
  'request.size-pixels': [143, 'An explicit size has 921600 to 4624220 pixels.', asks(image, { size: pixels })],
  'request.size-aspect': [143, 'The aspect ratio of an explicit size is 1/16 to 16.', asks(image, { size: aspect })],
  'request.size-auto': [143, 'auto is a size in layer mode.', 'I-size', fields(image, { data: is.list }, autoInLayers, elsewhere)],
  'request.optimize': [144, 'The options of prompt optimization are an object.', 'I-defaults', asks(image, { optimize_prompt_options: is.object })],
  'request.format': [145, 'output_format is jpeg or png.', asks(image, { output_format: is.oneOf('jpeg', 'png') })],
  'request.background': [146, 'background is opaque or transparent.', asks(image, { background: is.oneOf('opaque', 'transparent') })],
  'request.transparent-one': [146, 'transparent is only for an edit with exactly one input image.', asks(image, { image: one }, clear)],
  'request.transparent-png': [146, 'transparent requires output_format png.', asks(image, { output_format: is.only('png', 'jpeg') }, clear)],
  'request.response-format': [147, 'response_format is url or b64_json.', asks(image, { response_format: is.oneOf('url', 'b64_json') })],
  'request.link-life': [147, 'Links are valid for 24 hours after generation.', lives(image, 24), expires('image', 24)],
  'request.layer-flag': [148, 'layer_decomposition true selects layer mode.', asks(image, { image: one }, layered)],
  'request.stream': [149, 'stream may be false or left out; true is a parameter error.', asks(image, { stream: is.only(false, true) })],
  'request.watermark': [150, 'watermark is a boolean.', asks(image, { watermark: is.flag })],
  'request.mark': [150, 'watermark adds a mark.'],
  'request.no-n': [152, 'n is not supported.', asks(image, { n: is.never(2) })],
  'request.no-group': [152, 'Group generation is not supported.', asks(image, { sequential_image_generation: is.never('auto') })],
  'request.no-tools': [152, 'Web search (tools) is not supported.', asks(image, { tools: is.never([{ type: 'web_search' }]) })],
  'modes.text': [154, 'Normal mode makes an image from a text.', fields(image, { data: is.notNone }, sentWith('image', undefined))],
  'modes.edit': [154, 'Normal mode edits one image.'],
  'modes.fusion': [154, 'Normal mode merges several references.'],
  'modes.interactive': [154, 'Normal mode edits at points and boxes.'],
  'modes.one-base': [154, 'Normal mode returns one image.', fields(image, { data: onePicture }, inNormal)],
  'modes.layers': [154, 'Layer mode returns one base image and at most 16 PNG layers, at most 17 items.', fields(image, { data: full17 }, inLayers, elsewhere), fields(image, { data: png }, inLayers, elsewhere)],
  'modes.transparent': [154, 'Layers are transparent.'],
  'reply.fields': [156, 'The reply is a 200 with model, created, data and usage.', replies(image, { model: is.text, created: is.whole, data: is.list, usage: is.object })],
  'reply.url': [160, 'An item has url with response_format url.', fields(image, { 'data[].url': is.link }, sentWith('response_format', 'url'))],
  'reply.b64': [161, 'An item has b64_json with response_format b64_json.', fields(image, { 'data[].b64_json': is.base64 }, sentWith('response_format', 'b64_json'))],
  'reply.size': [162, 'size of an item has the form WxH.', fields(image, { 'data[].size': is.size }, always)],
  'reply.format': [163, 'output_format of an item is jpeg or png.', fields(image, { 'data[].output_format': is.oneOf('jpeg', 'png') }, always)],
  'reply.z-index': [164, 'The base has z_index 0, layers 1 and up.', fields(image, { data: stacked }, inLayers, elsewhere)],
  'reply.box': [165, 'bounding_box has absolute and normalized, four whole numbers each, in layer mode.', fields('image.item', boxes, withBox, elsewhere)],
  'reply.names': [167, 'Layers have name and description.', fields(image, { data: named }, inLayers, elsewhere)],
  'reply.usage': [169, 'usage has input_images, generated_images, output_tokens and total_tokens.', fields(image, usage, always)],
  'errors.shape': [282, 'An error is {error: {code, message}}.', fields('image.error', { 'error.code': is.text, 'error.message': is.text }, always)],
  'errors.parameter': [282, 'A bad parameter is 400 InvalidParameter.', fields('image.error', { 'error.code': is.only('InvalidParameter', 'bad') }, withStatus(400))],
  'errors.key': [282, 'A bad key is 401 AuthenticationError.', fields('image.error', { 'error.code': is.only('AuthenticationError', 'bad') }, withStatus(401))],
  'errors.right': [282, 'No right to the model or resource is a 403.', answers(403)],
  'errors.size': [282, 'A body that is too large is a 413.', answers(413)],
  'errors.rate': [282, 'Too many requests are 429 RateLimitExceeded.', fields('image.error', { 'error.code': is.only('RateLimitExceeded', 'busy') }, withStatus(429), elsewhere)],
  'errors.server': [282, 'Code and message of a 5XX follow the real cause.'],
  'versioning.path': [314, 'The path carries /api/v3.', answers(404, { method: 'POST', path: '/v3/images/generations', isNoPath: true })],
  'versioning.snapshot': [315, 'The model identifier carries the suffix of a snapshot date.'],
})
