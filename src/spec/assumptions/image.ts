import { agrees, sums } from '../agreements.ts'
import { neverShown, such } from '../forms.ts'
import { at, valuesAt } from '../json.ts'
import { type Agrees, fields } from '../predicates.ts'
import { answersOf, client, documented, measured, specification } from './assumption.ts'

/** Left, top, right and bottom, in thousandths of the base image. */
const box = such(
  'a box within 0 to 1000',
  value => {
    if (!Array.isArray(value)) return true
    const [left, top, right, bottom] = value.map(Number) as [number, number, number, number]
    return left >= 0 && top >= 0 && left <= right && top <= bottom && right <= 1000 && bottom <= 1000
  },
  [0, 0, 10, 10],
  [0, 0, 1200, 10],
)
const items = (reply: unknown) => valuesAt(reply, 'data[]').map(([, item]) => item)
const usage = (reply: unknown, name: string, wanted: number) => {
  const told = at(reply, 'usage', name)
  return typeof told === 'number' && !Number.isNaN(wanted) ? ([told, wanted] as const) : undefined
}
const count: Agrees['read'] = reply => usage(reply, 'generated_images', items(reply).length)
/** A token for every 256 pixels of all pictures together. */
const tokens: Agrees['read'] = reply => {
  const sizes = items(reply).map(item => /^(\d+)x(\d+)$/.exec(String(at(item, 'size'))))
  const pixels = sizes.reduce((sum, size) => sum + Number(size?.[1]) * Number(size?.[2]), 0)
  return usage(reply, 'output_tokens', Math.round(pixels / 256))
}
/** A recording describes the file that a reply contains. */
const typeOfFile: Agrees['read'] = item => [
  at(item, 'b64_json', 'type'),
  `image/${at(item, 'output_format')}`,
]
const sizeOfFile: Agrees['read'] = item => {
  const [width, height] = [at(item, 'b64_json', 'width'), at(item, 'b64_json', 'height')]
  return width === undefined ? undefined : [`${width}x${height}`, at(item, 'size')]
}

/** The image operation. */
export const imageOperation = answersOf('image', {
  'I-defaults': [
    'Which defaults do the image fields have that the specification shows without one?',
    'size 2K (in layer mode auto), output_format jpeg, response_format url, background opaque, optimize_prompt_options.mode standard (fast is the other value; thinking may be auto, enabled or disabled), watermark false.',
    'Upstream’s defaults, except watermark: false as for video.',
    documented('medium', 'Defaults of the image request; watermark is true upstream.'),
    { completes: { 'image.reply': /^data\[\]\.(?:url|b64_json)$/ } },
  ],
  'I-images': [
    'Which references does image take, and how many?',
    'A string or a list of 1 to 10 strings: http(s) URLs, data URIs and asset:// references. An empty list is 400. The label of a data URI must name the format of its bytes; jpg is jpeg, tif is tiff, and application/octet-stream names no format. HEVC-coded HEIC is measured and accepted; the picture shows a card in its place.',
    'By the specification, all generation requests take certified faces as asset:// references, although upstream’s image operation refuses them.',
    specification(
      'medium',
      'What the service does',
      'A certified face is referenced with asset:// in generation requests.',
    ),
  ],
  'I-nothing': [
    'Are unsupported fields refused when their value asks for nothing?',
    'n: 1, stream: false and tools: [] are allowed; null means absent. sequential_image_generation and its options are a 400 whatever their value is, also "disabled". Every other value of n and tools is a 400 that names the field. callback_url is 400; an empty one counts as not sent.',
    'Clients send n: 1 and tools: [] as their defaults, and the specification asks for one image without tools. Third-party documentation of the newest upstream model says that it refuses the fields of group generation whatever they say; a request that passes here and fails there is worse than the other way round.',
    client(
      'medium',
      'Clients send n: 1 as a default; documentation of the newest model lists the fields of group generation as refused.',
    ),
  ],
  'I-ratio': [
    'Which ratio does a picture have when only a tier is given?',
    'The ratio that the prompt names (16:9, portrait, 竖版, …); without one, the ratio nearest to the first input; without an input, 3:2.',
    'Upstream picks it from the prompt; 3:2 was measured.',
    measured('medium', 'A tier alone gave 3:2; the prompt decides.'),
  ],
  'I-size': [
    'What does size auto mean, and what may size be in layer mode?',
    'In layer mode, size is a tier, WxH or auto. With WxH, the base has this size. With a tier, the base has the proportions of the source, sides that are multiples of 16 and about the tier’s pixels. With auto, it has the size of the source, within the limits of explicit sizes. In normal mode auto means 2K.',
    'The specification allows tiers and WxH in both modes. It names auto for layer mode and does not refuse it elsewhere, so in normal mode it means the default. The sizes come from the upstream’s documentation and one measured sample.',
    measured('medium', 'One measured decomposition, and the published list of sizes.'),
    {
      seen: {
        image: [
          agrees('image.item', 'b64_json.size', sizeOfFile),
          agrees('image.item', 'b64_json.type', typeOfFile),
        ],
      },
      claims: [[/^image\./, /^data\.size$/, 'value']],
      completes: { 'image.reply': /size|^file/ },
    },
  ],
  'I-transparent': [
    'Which input does a transparent background need?',
    'Exactly one picture of any listed format. Layer mode is not an edit and is 400.',
    'The specification requires exactly one input image and output_format png, and nothing else.',
    measured('medium', 'Refusals and their messages.'),
  ],
  'I-places': [
    'What is the exact form of points and boxes in prompts?',
    'Whole numbers from 0 to 999 with blanks between them. Anything else between the tags, and a tag without its counterpart, is 400. They point into the picture named before them (图2, image 2), else into the first.',
    'The specification gives the range; upstream’s samples show the form.',
    specification(
      'high',
      'Image: request and response',
      'Coordinates are 0 to 999; the form of the tags is not shown.',
    ),
  ],
  'I-layers': [
    'What do the items of a decomposition look like?',
    'The base is first, with z_index 0 and no bounding_box, name or description; layers follow in z order and are always PNG, of the size of their box. absolute is [left, top, right, bottom] in pixels of the base; normalized is the same from 0 to 1000. Names are in the language of the prompt, or in English without a prompt. A picture without distinct objects has no layers.',
    'Upstream’s documentation and one measured sample.',
    measured('high', 'One measured decomposition, and the documentation.'),
    {
      seen: { image: [fields('image.item', { 'bounding_box.normalized': neverShown(box) })] },
      completes: { 'image.reply': /^data(?!\[\]\.(?:url|b64_json|size)$)/ },
    },
  ],
  'I-usage': [
    'How is usage counted?',
    'input_images is the number of references, generated_images the number of items; output_tokens = total_tokens = the pixels of all items together / 256, rounded.',
    'Measured upstream.',
    measured('high', '2048 x 2048 pixels gave 16384 tokens.'),
    {
      seen: {
        image: [
          sums('image.generate', 'usage.total_tokens', 'usage.output_tokens'),
          agrees('image.generate', 'usage.output_tokens', tokens),
          agrees('image.generate', 'usage.generated_images', count),
        ],
      },
      claims: [
        [/^image\./, /^usage\.(?:input_images|generated_images|output_tokens|total_tokens)$/, 'value'],
      ],
      completes: { 'image.reply': /^usage/ },
    },
  ],
  'I-outcome': [
    'What do scenario outcomes do in a synchronous call?',
    'Queue and run times are ignored, and every outcome except succeeded is a failure. The reply has the failure’s code and message. Its status is 403 for codes of content moderation, the status of the table of errors for the codes listed there, else 500. The task is stored as failed and refunded.',
    'The specification says that 5XX codes follow the real cause.',
    specification('medium', 'Errors', '5XX codes and messages follow the real cause.'),
  ],
  'I-rate': [
    'Where does an image request wait for its rate-limit slot?',
    'In realtime mode the reply waits, up to 60 s of virtual time; in manual and auto mode it is 429 RateLimitExceeded at once, with Retry-After.',
    'The gateway queues requests. On a clock that does not run by itself, a waiting caller would wait for ever.',
    specification('medium', 'Limits', 'The gateway queues requests.'),
  ],
  'I-codes': [
    'Which codes do the image errors have that are declared without one?',
    '403 AccessDenied (model), InputImageSensitiveContentDetected.PrivacyInformation (real face), InputTextSensitiveContentDetected (moderation by scenario), AccountOverdueError (balance); 413 RequestTooLarge; 500 InternalServiceError; 503 ServiceUnavailable.',
    'The upstream contract of the same provider.',
    documented('medium', 'Codes of the same provider’s other operations.'),
    {
      claims: [
        [
          /^image\.error$/,
          /^error\.code$/,
          'value',
          /^(?!(?:InvalidParameter|AuthenticationError|RateLimitExceeded)$)/,
        ],
      ],
      completes: { 'image.error': /^error|^header\.content-type$/ },
    },
  ],
})
