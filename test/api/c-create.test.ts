import { describe, expect, test } from 'vitest'
import { familyOf } from '../../src/emulator/families/index.ts'
import { modes } from '../../src/emulator/scenarios/operations.ts'
import {
  audio,
  image,
  inWorldsOfC,
  special,
  standard,
  text,
  textBody,
  variants,
  video,
} from '../support/family-c.ts'
import { accepted } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'

const { world, it, sample: at } = await inWorldsOfC()
const times = <T>(count: number, item: T) => Array.from({ length: count }, () => item)

const words = text('a lighthouse at dawn')
const first = image(at('landscape.jpg'), 'first_frame')
const last = image(at('portrait.jpg'), 'last_frame')
const picture = image(at('landscape.jpg'), 'reference_image')
/** Three seconds long. */
const clip = video(at('clip-silent.mp4'), 'reference_video')
const voice = audio(at('voice-8s.mp3'), 'reference_audio')
/** Never fetched: inputs are loopback only, so properties are assumed. */
const farVoice = audio('https://example.com/voice.mp3', 'reference_audio')
const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']

async function jobOf(body: unknown) {
  const client = world()
  const id = await client.made(body)
  return (await client.control('GET', `/tasks/${id}`)).body.job
}

describe.each(variants)('creating in $id, where the variants have rows of their own', variant => {
  const it = test.extend('client', () => world(variant))

  it('answers 200 with only the task_id (Spec, "Endpoints", video_generation)', async () => {
    const body = accepted(await world(variant).make('video_generation', textBody()))
    expect(body).toEqual({ task_id: expect.stringMatching(/^[1-9]\d{14}$/) })
    shows('c.create.reply', 'special.create.reply')
  })

  it.for(['model_c', 'MiniMax-H3'])(
    'accepts the model %s and echoes the name as it was sent (A-unknown-model)',
    async (model, { client }) => {
      expect((await client.task(await client.made(textBody({ model })))).model).toBe(model)
      shows('c.task.model', 'special.create.model')
    },
  )

  it.each(['model_b', 'MiniMax-H9', ''])(
    'refuses the model "%s" with 400, or 404 in the special variant (A-unknown-model)',
    async model => {
      const isUnknown = variant.id === 'special' && model !== ''
      const wanted = isUnknown ? { status: 404, type: 'not_found_error' } : {}
      await world(variant).refused(textBody({ model }), { message: 'model', ...wanted })
    },
  )

  it.for(['768P', '2K'])(
    'accepts the resolution %s (Spec, special video_generation: "`768P` or `2K`")',
    async (resolution, { client }) => {
      expect((await client.task(await client.made(textBody({ resolution })))).resolution).toBe(resolution)
      shows('special.create.resolution')
    },
  )

  it.each(['480P', '720p', '768p', '1080P', '2k', '4K', 768])(
    'refuses the resolution %j and charges nothing (Spec, "Errors" rule 1)',
    async resolution => {
      await world(variant).refused(textBody({ resolution }), { message: 'resolution' })
      shows('special.create.resolution')
    },
  )

  it(`takes ${variant.shortest} to 15 whole seconds (Spec, "Limits", Family C duration)`, async () => {
    const client = world(variant)
    for (const duration of [variant.shortest, 15])
      expect((await client.task(await client.made(textBody({ duration })))).duration).toBe(duration)
    for (const duration of [variant.shortest - 1, 16, 0, -1, 5.5, '5', true])
      await client.refused(textBody({ duration }), { message: 'duration' })
    shows('c.create.fields', 'special.create.duration', 'special.limits.duration')
  })
})

describe('creating, in which the variants do not differ', () => {
  it.each(['model', 'content', 'resolution', 'duration'])(
    'refuses a body without %s (C-required)',
    async field => {
      const message = `invalid params, ${field} is required (2013)`
      await world().refused(textBody({ [field]: undefined }), { message })
      await world().refused(textBody({ [field]: null }), { message })
      shows('c.create.fields')
    },
  )

  it('refuses a resolution outside the account’s group and charges nothing (Spec, "Errors" rule 1; C-group)', async () => {
    const client = world()
    await client.made(textBody({ resolution: '2K' }))
    await client.control('PATCH', '/accounts/default', { resolutions: ['768P'] })
    const message = "2K is outside the account's group, must be 768P"
    await client.refused(textBody({ resolution: '2K' }), { message })
    await client.made(textBody())
    await client.control('PATCH', '/accounts/default', { resolutions: ['768p', '2k'] })
    await client.made(textBody({ resolution: '2K' }))
  })

  it('a group that names only resolutions of other families says nothing of this one (Spec, "Family A: create request", resolution; C-group)', async () => {
    const client = world()
    for (const resolutions of [['480p', '720p', '1080p', '4k'], ['720p', '1080P'], ['720p']]) {
      await client.control('PATCH', '/accounts/default', { resolutions })
      for (const resolution of ['768P', '2K']) await client.made(textBody({ resolution }))
    }
  })

  it('an empty group allows no resolution (A-groups)', async ({ client }) => {
    await client.control('PATCH', '/accounts/default', { resolutions: [] })
    const message = "outside the account's group, and no value is allowed"
    for (const resolution of ['768P', '2K'])
      await client.refused(textBody({ resolution }), { message: `${resolution} is ${message}` })
  })

  it.each([null, ''])('accepts callback_url %j as absent (A-null, C-callback)', async callback_url => {
    await world().made(textBody({ callback_url }))
  })

  it('accepts unknown keys and lists them as unread (A-unknown-keys)', async ({ client }) => {
    const id = await client.made(textBody({ seed: 3, extra: { prompt_expansion_mode: 'balanced' } }))
    expect((await client.control('GET', `/tasks/${id}`)).body.unread).toEqual(['seed', 'extra'])
  })

  it.each(ratios)('makes an explicit %s with only a text (Spec, "Endpoints", ratio)', async ratio => {
    expect(await jobOf(textBody({ ratio }))).toMatchObject({ ratio })
  })

  it('refuses adaptive, a missing ratio and an unknown one with only a text (C-ratio)', async () => {
    const client = world()
    await client.refused(textBody({ ratio: 'adaptive' }), { message: /adaptive"? is not .*, must be one of/ })
    await client.refused(textBody({ ratio: undefined }), { message: 'ratio is required' })
    await client.refused(textBody({ ratio: '5:4' }), { message: 'ratio: "5:4" is not allowed' })
    await client.refused(textBody({ ratio: '' }), { message: 'ratio' })
  })

  it('refuses a model that the token may not use with 403 and its own message (Spec, "Authentication" 4)', async () => {
    const client = world()
    await client.control('PATCH', '/accounts/default', { models: ['model_b'] })
    const refusal = { status: 403, type: 'permission_error', message: 'may not use the model model_c' }
    for (const path of ['video_generation', 'h3_context_ir', 'video_regeneration'] as const)
      await client.refused(textBody({ resolution: '2K' }), refusal, path)
  })
})

describe('content (C-content)', () => {
  const accepted: [string, unknown[], string][] = [
    ['text', [words], 'text'],
    ['a first frame', [words, first], 'first_frame'],
    ['one image without a role as first frame', [image(at('landscape.jpg')), words], 'first_frame'],
    ['a last frame', [words, last], 'last_frame'],
    ['first and last frame', [words, last, first], 'first_last_frame'],
    ['one reference image', [words, picture], 'reference'],
    ['one reference video', [words, clip], 'reference'],
    ['a picture with a voice', [words, picture, voice], 'reference'],
    ['9 images and 3 videos', [words, ...times(9, picture), ...times(3, clip)], 'reference'],
    ['3 audios', [words, ...times(9, picture), ...times(3, farVoice)], 'reference'],
    ['an empty text beside a full one', [words, text(' ')], 'text'],
    ['a text of 7000 characters', [text('猫'.repeat(7000))], 'text'],
  ]
  it.each(accepted)(
    'accepts %s, in the mode that the scenario language gives it',
    async (_, content, mode) => {
      await world().made(textBody({ content }))
      const create = familyOf('c').endpoints.find(({ operation }) => operation === 'c.create')
      expect(create?.reads?.mode?.(textBody({ content }))).toBe(mode)
      expect(modes).toContain(mode)
      shows('c.content.text', 'c.content.video')
    },
  )

  it.each<[string, unknown, string]>([
    ['no items', [], 'content: must have at least 1 item'],
    ['a value that is not a list', 'a cat', 'content: "a cat" is not of type array'],
    ['no text', [first], 'content must include a non-empty text item (prompt is required)'],
    ['an empty text', [text('  ')], 'content must include a non-empty text item (prompt is required)'],
    ['a text item without text', [{ type: 'text' }], 'content[0].text is required'],
    ['two texts', [words, words], 'has 2 non-empty text items'],
    ['a text of 7001 characters', [text('猫'.repeat(7001))], 'content[0].text: has 7001 characters'],
    ['an unknown type', [words, { type: 'gif' }], 'content[1].type: "gif" is not allowed'],
    ['an image without address', [words, { type: 'image_url' }], 'content[1].image_url.url is required'],
    ['an unknown role', [words, image('x', 'middle')], 'content[1].role: "middle" is not allowed'],
    ['an image role on a video', [words, video('x', 'reference_image')], 'content[1].role'],
    ['a video without a role', [words, video('x')], 'content[1].role is required'],
    ['an audio without a role', [words, picture, audio('x')], 'content[2].role is required'],
    ['two images, one without a role', [words, first, image('x')], 'content[2].role is required'],
    ['two first frames', [words, first, first], 'has 2 items with role first_frame'],
    ['two last frames', [words, last, last], 'has 2 items with role last_frame'],
    ['a frame with a reference image', [words, first, picture], 'cannot be mixed'],
    ['a last frame with a reference video', [words, last, clip], 'cannot be mixed'],
    ['a frame with a reference audio', [words, first, voice], 'cannot be mixed'],
    ['an image without a role with a reference video', [words, image('x'), clip], 'cannot be mixed'],
    ['10 images', [words, ...times(10, picture)], 'has 10 items with role reference_image'],
    ['4 videos', [words, ...times(4, clip)], 'has 4 items with role reference_video'],
    ['4 audios', [words, picture, ...times(4, voice)], 'has 4 items with role reference_audio'],
    ['13 files', [words, ...times(9, picture), ...times(3, clip), voice], 'has 13 reference files'],
    ['audio alone', [words, voice], 'reference_audio needs at least one reference_image'],
    ['a base video', [words, video('x', 'base_video')], 'content[1].role: "base_video" is not allowed here'],
  ])('refuses %s and charges nothing', async (_, content, message) => {
    await world().refused(textBody({ content }), { message })
  })

  it.each<[string, unknown[], string]>(
    // biome-ignore format: a table, one row a line
    [
    ['a GIF', [image(at('balloon.gif'), 'first_frame')], 'content[1].image_url.url: the format is gif'],
    ['a TIFF', [image(at('landscape.tiff'), 'first_frame')], 'format'],
    ['a WebM', [video(at('clip-2s.webm'), 'reference_video')], 'content[1].video_url.url: the format is webm'],
    ['M4A sound', [picture, audio(at('voice-8s.m4a'), 'reference_audio')], 'content[2].audio_url.url: the format is m4a'],
    ['a video as image', [image(at('clip-silent.mp4'), 'first_frame')], 'image is needed'],
    ['a file that does not exist', [image(at('nothing.jpg'), 'first_frame')], 'nothing.jpg'],
    ['16 s of sound in all', [picture, voice, voice], 'reference_audio: the total length in seconds is 16'],
  ],
  )('refuses %s (C-media)', async (_, media, message) => {
    await world().refused(textBody({ content: [words, ...media] }), { message })
  })

  it.each(['landscape.jpg', 'square.png', 'landscape.webp', 'landscape.heic'])(
    'accepts %s as a frame (C-media)',
    async name => {
      await world().made(textBody({ content: [words, image(at(name), 'first_frame')] }))
    },
  )

  it('of the special variant is read by the same rules', async () => {
    const client = world(special)
    for (const [, content] of [accepted[4], accepted[7]] as typeof accepted)
      await client.made(textBody({ content }))
    await client.refused(textBody({ content: [first] }), { message: 'content must include a non-empty text' })
    await client.refused(textBody({ content: [words, first, picture] }), { message: 'cannot be mixed' })
    const gif = image(at('balloon.gif'), 'first_frame')
    await client.refused(textBody({ content: [words, gif] }), { message: 'the format is gif' })
  })
})

describe('the ratio of the standard variant (C-ratio)', () => {
  const portrait = image(at('portrait.jpg'), 'first_frame')

  it('is that of the frame, for every listed value', async ({ client }) => {
    for (const ratio of [undefined, null, 'adaptive', '16:9', '21:9']) {
      const id = await client.made(textBody({ ratio, content: [words, portrait] }))
      expect((await client.task(id)).ratio).toBe('9:16')
    }
    await client.refused(textBody({ ratio: '5:4', content: [words, portrait] }), { message: 'ratio' })
  })

  it('is that of the first frame if there is one, else that of the last frame', async () => {
    expect((await jobOf(textBody({ content: [words, last, first] }))).ratio).toBe('16:9')
    expect((await jobOf(textBody({ content: [words, last] }))).ratio).toBe('9:16')
  })

  it('is adaptive by default with references and follows the first of them; an explicit ratio wins', async () => {
    const content = [words, image(at('portrait.jpg'), 'reference_image')]
    for (const ratio of [undefined, 'adaptive', '1:1'])
      expect((await jobOf(textBody({ content, ratio }))).ratio).toBe(ratio === '1:1' ? ratio : '9:16')
  })
})

describe('the ratio of the special variant: "must be an explicit ratio, `adaptive` unsupported" (Spec, special video_generation)', () => {
  it.each([
    ['a first frame', [words, first]],
    ['both frames', [words, first, last]],
    ['references', [words, picture]],
  ])('is required with %s, and is the ratio of the video', async (_, content) => {
    const client = world(special)
    await client.refused(textBody({ content, ratio: undefined }), { message: 'ratio is required' })
    for (const ratio of ['adaptive', '16:10'])
      await client.refused(textBody({ content, ratio }), {
        message: `"${ratio}" is not allowed, must be one of 16:9, 4:3, 1:1, 3:4, 9:16, 21:9 (`,
      })
    expect((await client.task(await client.made(textBody({ content, ratio: '3:4' })))).ratio).toBe('3:4')
    shows('special.create.ratio')
  })
})

describe('charges are pre-deducted and settled (Spec, "What the service does" 7; A-prices)', () => {
  it.each([
    [standard, '768P', 2.5],
    [standard, '2K', 6],
    [special, '768P', 1.5],
    [special, '2K', 3.5],
  ] as const)('of five seconds in $id at %s: %d credits', async (variant, resolution, amount) => {
    const client = world(variant)
    await client.made(textBody({ resolution }))
    expect(await client.charges()).toEqual([['reserved', amount]])
    await client.advance({ until: 'idle' })
    expect(await client.charges()).toEqual([
      ['reserved', amount],
      ['settled', amount],
    ])
  })

  it('include the seconds of reference videos, as usage does (C-usage)', async ({ client }) => {
    const { usage } = await client.finished(textBody({ content: [words, picture, clip] }))
    expect(usage).toEqual({ total_seconds: 8, input_seconds: 3, output_seconds: 5, input_image_count: 1 })
    expect(await client.charges()).toContainEqual(['settled', 4])
    shows('c.task.usage')
  })
})
