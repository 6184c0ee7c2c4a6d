import { describe, expect, it } from 'vitest'
import { worldOfImages } from '../support/family-image.ts'
import { openGateway } from '../support/gateway.ts'
import { plainPicture, pngClaiming, sample as sampleBytes } from '../support/input-samples.ts'
import { shows } from '../support/shows.ts'

const gateway = await openGateway({ maxBodyBytes: 44 * 1024 * 1024 })
const client = worldOfImages(gateway, 'images-request')
const sample = (name: string) => `${gateway.url}/__emulator/samples/${name}`
const inline = (bytes: Buffer, label = 'png') => `data:image/${label};base64,${bytes.toString('base64')}`

describe('fields', () => {
  it.each([
    ['no model', { model: null }, 'missing `model`'],
    ['no prompt', { prompt: null }, 'missing `prompt`'],
    ['an empty prompt', { prompt: '' }, 'missing `prompt`'],
    ['a blank prompt', { prompt: ' \n' }, 'missing `prompt`'],
    ['a prompt that is not a string', { prompt: 7 }, '`prompt`'],
    ['an unknown model', { model: 'model_a_25' }, '`model`'],
    ['another output format', { output_format: 'webp' }, 'must be one of jpeg, png'],
    ['another response format', { response_format: 'base64' }, 'must be one of url, b64_json'],
    ['another background', { background: 'white' }, 'must be one of opaque, transparent'],
    ['a text for layer_decomposition', { layer_decomposition: 'true' }, '`layer_decomposition`'],
    ['a text for watermark', { watermark: 'yes' }, '`watermark`'],
    ['another mode', { optimize_prompt_options: { mode: 'slow' } }, '`optimize_prompt_options.mode`'],
    ['an empty list of images', { image: [] }, '`image`'],
    ['an image that is not a string', { image: [7] }, '`image[0]`'],
  ])('refuses %s and charges nothing (Spec, "Image: request and response")', async (_, changes, message) => {
    await client.refused(changes, { message })
    shows('all.service.no-charge', 'image.request.model', 'image.request.prompt')
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['stream: true', { stream: true }, 'stream', 'true'],
    ['n: 2', { n: 2 }, 'n', '2'],
    ['n: []', { n: [] }, 'n', '[]'],
    ['group generation', { sequential_image_generation: 'auto' }, 'sequential_image_generation', '"auto"'],
    ['group generation, also as disabled', { sequential_image_generation: 'disabled' }, 'sequential_image_generation', '"disabled"'],
    ['group options, also empty ones', { sequential_image_generation_options: {} }, 'sequential_image_generation_options', '{}'],
    ['group options', { sequential_image_generation_options: { max_images: 3 } }, 'sequential_image_generation_options', '{"max_images":3}'],
    ['tools', { tools: [{ type: 'web_search' }] }, 'tools', '[{"type":"web_search"}]'],
  ],
  )('refuses %s (Spec, "Errors" rule 3)', async (_, changes, param, value) => {
    const told = `${value} is not supported by the current model, must be `
    for (const message of [`\`${param}\``, told]) await client.refused(changes, { message })
    shows('image.request.stream', 'image.request.no-n', 'image.request.no-group', 'image.request.no-tools')
  })

  it('accepts values that change nothing, as clients send them (I-nothing)', async () => {
    const nulls = { sequential_image_generation: null, sequential_image_generation_options: null }
    const others = { callback_url: null, image: null, size: null, layer_decomposition: false }
    await client.made({ n: 1, stream: false, tools: [], ...nulls, ...others })
    shows('image.request.stream')
  })

  it.each(['standard', 'fast'])('accepts optimize_prompt_options.mode %s (I-defaults)', async mode => {
    await client.made({ optimize_prompt_options: { mode } })
    shows('image.request.optimize')
  })

  it('lists unknown keys on the task (A-unknown-keys)', async () => {
    await client.made({ seed: 7, guidance_scale: 2.5 })
    const { body } = await client.control('GET', '/tasks?limit=1')
    expect(body.items[0].unread).toEqual(['seed', 'guidance_scale'])
  })
})

describe('size', () => {
  const of = async (size: string | undefined, changes: Record<string, unknown> = {}) =>
    (await client.made({ size, ...changes })).data[0].size

  it.each([
    ['1K', '1:1', '1024x1024'],
    ['1k', '16:9', '1424x800'],
    ['1.5K', '3:4', '1344x1792'],
    ['1.5k', '21:9', '2352x1008'],
    ['2K', '4:3', '2368x1776'],
    ['2k', '9:16', '1584x2816'],
    ['2K', '2:3', '1664x2496'],
  ])('%s with %s in the prompt is %s (I-ratio)', async (size, ratio, expected) => {
    expect(await of(size, { prompt: `a lighthouse, ${ratio}` })).toBe(expected)
    shows('image.request.tiers')
  })

  it('is 2K and 3:2 by default, also with auto (I-defaults, I-ratio, I-size)', async () => {
    expect(await of(undefined)).toBe('2496x1664')
    expect(await of('auto')).toBe('2496x1664')
  })

  it('follows the words of the prompt, then the first input (I-ratio)', async () => {
    expect(await of('1K', { prompt: '一座灯塔，竖版' })).toBe('832x1248')
    expect(await of('1K', { image: sample('portrait.jpg') })).toMatch(/^8\d\dx1\d\d\d$/)
    expect(await of('1K', { image: sample('square.png') })).toBe('1024x1024')
  })

  it.each(['960x960', '2150x2150', '3840x240', '240x3840', '8000x500'])(
    'accepts the explicit size %s (Spec, "Limits")',
    async size => {
      expect(await of(size)).toBe(size)
      shows('image.request.size-pixels', 'image.request.size-aspect')
    },
  )

  it.each([
    ['959x960', 'image size must be at least 921600 pixels, and "959x960" has 920640'],
    ['2151x2150', 'image size must be at most 4624220 pixels, and "2151x2150" has 4624650'],
    ['3856x240', '"3856x240" is not allowed, the aspect ratio'],
    ['240x3856', '"240x3856" is not allowed, the aspect ratio'],
    ['921600x1', '"921600x1" is not allowed, the aspect ratio'],
    ['0x1024', 'at least 921600 pixels'],
    ['4K', 'must be 1K, 1.5K, 2K or of the form WxH'],
    ['01024x1024', 'must be 1K, 1.5K, 2K or of the form WxH'],
    ['1024x01024', 'must be 1K, 1.5K, 2K or of the form WxH'],
    ['2048*2048', 'must be 1K, 1.5K, 2K or of the form WxH'],
    ['', 'must be 1K, 1.5K, 2K or of the form WxH'],
  ])('refuses %s (Spec, "Limits")', async (size, message) => {
    await client.refused({ size }, { message })
    shows('image.request.pixels', 'image.request.aspect')
    shows('image.request.size-pixels', 'image.request.size-aspect')
  })
})

describe('points and boxes', () => {
  const newestJob = async () => (await client.control('GET', '/tasks?limit=1')).body.items[0].job

  it('accepts 0 and 999 (Spec, "Limits")', async () => {
    const prompt = 'put a bird at <point>0 999</point> into <bbox>0 0 999 999</bbox>'
    await client.made({ image: sample('landscape.jpg'), prompt })
    const { places, caption } = await newestJob()
    expect(places).toEqual([
      { input: 0, left: 0, top: 999, right: 0, bottom: 999 },
      { input: 0, left: 0, top: 0, right: 999, bottom: 999 },
    ])
    expect(caption).toBe('put a bird at [1] into [2]')
    shows('image.request.places')
  })

  it.each([
    ['that is named before the tag', '把图2<bbox>1 2 3 4</bbox>放到图1<point>5 6</point>', [1, 0]],
    [
      'that is the first, when the named one does not exist',
      'image 0 <point>1 2</point> and image 3 <point>3 4</point>',
      [0, 0],
    ],
  ])('points into the picture %s (I-places)', async (_, prompt, inputs) => {
    await client.made({ image: [sample('landscape.jpg'), sample('square.png')], prompt })
    const { places } = await newestJob()
    expect(places.map((place: { input: number }) => place.input)).toEqual(inputs)
  })

  it.each([
    '<point>1000 0</point>',
    '<point>0 -1</point>',
    '<bbox>0 0 1000 10</bbox>',
    '<point>5</point>',
    '<bbox>1 2 3</bbox>',
    '<point>a b</point>',
    '<point>1,2</point>',
    '<point>1.5 2</point>',
    '<bbox>1 2 3 4',
  ])('refuses %s (Spec, "Limits"; I-places)', async tag => {
    await client.refused({ image: sample('landscape.jpg'), prompt: `here ${tag}` }, { message: '`prompt`' })
    shows('image.request.places')
  })
})

describe('images', () => {
  it.each([
    'landscape.jpg',
    'square.png',
    'landscape.webp',
    'landscape.bmp',
    'landscape.tiff',
    'balloon.gif',
    'landscape.heic',
  ])(
    'accepts %s by link, and inline with the right label (Spec, "Image: request and response", image)',
    async name => {
      const format = name.replace(/.*\./, '')
      await client.made({ image: sample(name) })
      await client.made({ image: inline(sampleBytes(name), format) })
      if (format === 'jpg') return
      await client.refused(
        { image: inline(sampleBytes(name), 'jpeg') },
        { message: `the data URI says image/jpeg and holds ${format}` },
      )
      shows('image.request.image-forms', 'image.request.formats')
    },
  )

  it.each(['jpg', 'jpeg'])(
    'accepts a JPEG labelled %s (Spec, "Image: request and response", image)',
    async label => {
      await client.made({ image: inline(sampleBytes('landscape.jpg'), label) })
      shows('image.request.formats')
    },
  )

  it.each([
    ['an avif picture', () => sample('landscape.avif'), 'format is avif'],
    ['a video', () => sample('clip-2s.mov'), 'video'],
    ['a text labelled as a picture', () => inline(Buffer.from('no picture at all, only words')), 'document'],
    ['a picture cut short', () => inline(sampleBytes('square.png').subarray(0, 4000)), 'decoded'],
    ['a side of 14 px', () => plainPicture(14, 100), 'width in pixels is 14'],
    ['more than 36 million pixels', () => inline(pngClaiming(6001, 6000)), 'pixels'],
    ['an aspect above 16', () => plainPicture(321, 20), 'aspect ratio'],
    ['an aspect below 1/16', () => plainPicture(20, 321), 'aspect ratio'],
    ['base64 without a scheme', () => sampleBytes('square.png').toString('base64'), '`image`'],
    ['an unknown asset', () => 'asset://asset-unknown', 'asset-unknown'],
  ])('refuses %s (Spec, "Limits")', async (_, make, message) => {
    await client.refused({ image: await make() }, { message })
  })

  it('accepts the smallest picture within the limits (Spec, "Limits")', async () => {
    await client.made({ image: await plainPicture(15, 15) })
    await client.made({ image: await plainPicture(320, 20) })
    shows('image.request.sides')
  })

  it('accepts 30 MB and refuses one byte more (Spec, "Limits")', async () => {
    const padded = (bytes: number) => {
      const file = sampleBytes('landscape.jpg')
      return Buffer.concat([file, Buffer.alloc(bytes - file.length)])
    }
    await client.made({ image: inline(padded(30 * 1024 * 1024), 'jpeg') })
    await client.refused({ image: inline(padded(30 * 1024 * 1024 + 1), 'jpeg') }, { message: '`image`' })
    shows('image.request.bytes')
  })

  it('accepts ten references and refuses eleven (Spec, "Limits")', async () => {
    await client.made({ image: Array.from({ length: 10 }, () => sample('square.png')) })
    const image = Array.from({ length: 11 }, () => sample('square.png'))
    await client.refused({ image }, { message: 'number of reference images cannot exceed 10' })
    shows('image.request.image-count')
  })

  it('names the wrong picture of a list', async () => {
    await client.refused({ image: [sample('square.png'), sample('clip-2s.mov')] }, { message: '`image[1]`' })
    shows('image.request.image-forms')
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['a number', 5, '`image` specified in the request is not valid: 5 is not of type string or array, must be a string that is not empty or an array'],
    ['an empty text', '', '`image` specified in the request is not valid: "" must not be empty'],
    ['an empty list', [], '`image` specified in the request is not valid: must have at least 1 item'],
    ['a number in a list', ['https://a.example/b.png', 5], '`image[1]` specified in the request is not valid: 5'],
    ['an empty text in a list', [''], '`image[0]` specified in the request is not valid: "" must not be empty'],
    ['null in a list', [null], '`image[0]` specified in the request is not valid: null is not of type'],
  ],
  )('names the actual mistake in %s, not only the type (I-images)', async (_, image, message) => {
    await client.refused({ image }, { message })
  })
})

describe('transparent background', () => {
  const png = { background: 'transparent', output_format: 'png' }

  it.each(['transparent.png', 'square.png', 'landscape.jpg', 'landscape.webp'])(
    'needs only one input image and output_format png: %s is accepted (Spec, "Image: request and response", background)',
    async name => {
      await client.made({ ...png, image: sample(name) })
      shows('image.request.transparent-one')
    },
  )

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['no picture', {}, /`background`.*requires exactly one input image/],
    ['two pictures', { image: ['transparent.png', 'transparent.png'] }, /`background`.*requires exactly one input image/],
    ['jpeg', { image: ['transparent.png'], output_format: 'jpeg' }, /`output_format`.*must be png/],
    ['the default output format', { image: ['transparent.png'], output_format: null }, /`output_format`.*must be png/],
    ['layer mode', { image: ['transparent.png'], layer_decomposition: true }, /`background`.*layer/],
  ],
  )(
    'refuses it with %s (Spec, "background"; I-transparent)',
    async (_, { image, ...changes }: { image?: string[] } & object, message) => {
      await client.refused({ ...png, ...(image && { image: image.map(sample) }), ...changes }, { message })
      shows('image.request.transparent-one', 'image.request.transparent-png')
    },
  )
})

describe('layer mode', () => {
  it.each([
    ['no picture', { image: null }, 'missing `image`'],
    ['two pictures', { image: ['layered.png', 'square.png'] }, 'exactly one image'],
    ['a webp picture', { image: ['landscape.webp'] }, 'format is webp'],
    ['an explicit size outside the limits', { image: ['layered.png'], size: '959x960' }, '`size`'],
  ])(
    'refuses %s (Spec, "Limits"; I-size)',
    async (_, { image, ...changes }: { image: string[] | null }, message) => {
      await client.refused(
        { layer_decomposition: true, image: image?.map(sample) ?? null, ...changes },
        { message },
      )
      shows('image.request.layer-one')
    },
  )
})

describe('persons, rights and money', () => {
  it('distinguishes a missing right to the model from moderation by its message (Spec, "Authentication" 4)', async () => {
    await client.control('PATCH', '/accounts/narrow', { models: ['model_a_20'] })
    const refusal = { status: 403, code: 'AccessDenied', message: 'may not use the model' }
    await client.refused({}, refusal, `${client.key}.narrow`)
    shows('image.errors.right')
  })
})
