import { describe, expect, test } from 'vitest'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import {
  audio,
  enhanceBody,
  image,
  inWorldsOfC,
  regenerateBody,
  special,
  standard,
  text,
  textBody,
  variants,
  video,
} from '../support/family-c.ts'
import { shows } from '../support/shows.ts'
import { fetchedFile, probe, renderedVideo } from '../support/video-files.ts'

const { gateway, world, sample: at } = await inWorldsOfC()

const words = text('a windmill on a meadow')
const base = (url = at('clip-768p-107f.mp4')) => video(url, 'base_video')
const picture = image(at('square.png'), 'reference_image')
const from = (...content: unknown[]) => regenerateBody({ content })
const path = 'video_regeneration'

/** Small inline files, which the tests of both variants send. */
const inlines = new Map<string, Promise<string>>()

/** A small inline file with the properties that a test changes. */
function inline(differences: Partial<VideoRecipe>): Promise<string> {
  const key = JSON.stringify(differences)
  const known = inlines.get(key) ?? rendered(differences)
  inlines.set(key, known)
  return known
}

async function rendered(differences: Partial<VideoRecipe>): Promise<string> {
  const small = { width: 128, height: 128, frames: 107, audio: 'stereo' } as const
  return `data:video/mp4;base64,${(await renderedVideo({ ...small, ...differences })).toString('base64')}`
}

/** The output of ffprobe for the file behind a link. */
async function fileAt(url: string) {
  const { streams } = await probe((await fetchedFile(gateway, url)).file)
  const [pictures, sound] = ['video', 'audio'].map(type => streams.find(one => one.codec_type === type))
  return {
    size: `${pictures?.width}x${pictures?.height}`,
    frames: Number(pictures?.nb_read_frames),
    fps: pictures?.r_frame_rate,
    codec: pictures?.codec_name,
    sound: sound?.codec_name,
    channels: sound?.channels,
  }
}

const sounding = { fps: '24/1', codec: 'h264', sound: 'aac', channels: 2 }

describe.each(variants)('regenerating a task in $id (Spec, "Endpoints", video_regeneration)', variant => {
  const it = test.extend('client', () => world(variant))
  it('gives a 2K video of the source’s length, shape and prompt, with task_type regeneration', async () => {
    const client = world(variant)
    const { id: source } = await client.finished(textBody({ ratio: '9:16', duration: 5 }))
    const task = await client.finished(regenerateBody({ source_task_id: source }), path)
    expect(task).toMatchObject({
      status: 'succeeded',
      resolution: '2K',
      duration: 5,
      ratio: '',
      task_type: 'regeneration',
      modality: 'video',
      usage: { total_seconds: 5, input_seconds: 0, output_seconds: 5, input_image_count: 0 },
    })
    expect(await fileAt(task.content.url)).toEqual({ size: '1440x2560', frames: 124, ...sounding })
    const [made, original] = await Promise.all(
      [task.id, source].map(async id => (await client.control('GET', `/tasks/${id}`)).body),
    )
    expect(made.job.prompt).toBe(original.job.prompt)
    // The same seed draws the same pictures.
    expect(made.media[0].recipe.seed).toBe(original.media[0].recipe.seed)
    shows('c.task.type', 'c.regenerate.reply', 'special.regenerate.reply', 'c.regenerate.resolution')
  })

  it('accepts a source only if the query finds it: own, of this variant, of the last 7 days (C-regeneration)', async () => {
    const name = gateway.freshWorld()
    const client = world(variant, name)
    const other = world(variant.id === 'c' ? special : standard, name)
    const refusal = { ...variant.unknown, message: 'invalid source_task_id (2013)' }
    const ofOther = await other.made()
    const foreign = await client.made(textBody(), 'video_generation', `${client.key}.other`)
    const [kept, deleted] = [await client.made(), await client.made()]
    await client.advance({ until: 'idle' })
    await client.delete(deleted)
    for (const id of ['123456789012345', ofOther, foreign, deleted])
      await client.refused(regenerateBody({ source_task_id: id }), refusal, path)
    await client.made(regenerateBody({ source_task_id: kept }), path)
    await client.advance('7d')
    await client.refused(regenerateBody({ source_task_id: kept }), refusal, path)
    shows('special.regenerate.source')
  })

  it('refuses a source that is not a succeeded generation, and charges nothing (C-regeneration)', async () => {
    const client = world(variant)
    const tagged = (tag: string) => textBody({ content: [text(`a cat ${tag}`)] })
    const sources: [id: string, message: string][] = [
      [await client.made(tagged('[[queue:1h]]')), 'is a task that is queued'],
      [await client.made(tagged('[[queue:0s]] [[run:1h]]')), 'is a task that is running'],
      [await client.made(tagged('[[fail:1027]]')), 'is a task that is failed'],
      [await client.made(tagged('[[cancel]]')), 'is a task that is cancelled'],
      [await client.made(enhanceBody(), 'h3_context_ir'), 'is a task of type h3_context_ir'],
      [await client.made(from(base()), path), 'is a task of type regeneration'],
    ]
    await client.advance('10m')
    for (const [id, message] of sources)
      await client.refused(regenerateBody({ source_task_id: id }), { message }, path)
    shows('c.regenerate.source', 'special.regenerate.source')
  })

  it.for(['768P', '2K'])(
    'accepts a succeeded generation at %s as source (Spec, "Endpoints", video_regeneration)',
    async (resolution, { client }) => {
      const id = await client.made(textBody({ resolution }))
      await client.advance('10m')
      const task = await client.finished(regenerateBody({ source_task_id: id }), path)
      expect(task).toMatchObject({ resolution: '2K', task_type: 'regeneration' })
      shows('c.regenerate.source')
    },
  )
})

describe.each(variants)('regenerating content in $id (Spec, "Endpoints", video_regeneration)', variant => {
  const it = test.extend('client', () => world(variant))
  it('gives a 2K video with the frames of the base video, and usage with the inputs', async ({ client }) => {
    const task = await client.finished(from(words, picture, base()), path)
    expect(task).toMatchObject({
      resolution: '2K',
      duration: 4,
      ratio: '',
      usage: { total_seconds: 4, input_seconds: 0, output_seconds: 4, input_image_count: 1 },
    })
    expect(await fileAt(task.content.url)).toEqual({ size: '2560x1440', frames: 107, ...sounding })
    shows('c.content.base-video', 'c.regenerate.content')
  })

  it.each<[string, Partial<VideoRecipe>, string]>([
    ['without sound', { audio: 'none' }, 'has no audio track'],
    ['with 25 frames a second', { fps: 25 }, 'has 25 frames per second, must have 24'],
    ['with 30 frames a second', { fps: 30, frames: 124 }, 'has 30 frames per second, must have 24'],
    ['with a side that 32 does not divide', { height: 144 }, 'is 128x144'],
    ['larger than 1344x768', { width: 1376, height: 768 }, 'is 1376x768, must have at most 1032192 pixels'],
    ['of 108 frames', { frames: 108 }, 'has 108 frames, must have 107 to 362 in steps of 17'],
    ['of 90 frames', { frames: 90 }, 'has 90 frames'],
    ['of 379 frames', { frames: 379 }, 'has 379 frames'],
  ])(
    'refuses a base video %s and charges nothing (Spec, special video_regeneration; C-base-video)',
    async (_, differences, message) => {
      const url = await inline(differences)
      const refusal = { message: `content[1].video_url.url: base_video ${message}` }
      await world(variant).refused(from(words, base(url)), refusal, path)
      shows('special.regenerate.base-video')
    },
  )

  it.each([124, 362])('accepts a base video of %d frames (C-base-video)', async frames => {
    const url = await inline({ frames, width: 160 })
    const task = await world(variant).finished(from(words, base(url)), path)
    expect(task.duration).toBe(Math.round(frames / 24))
    shows('special.regenerate.base-video')
  })

  it('accepts a base video that is not fetched in the standard variant only (Spec, "Endpoints", C-special; C-base-video)', async () => {
    const client = world(variant)
    const request = from(words, base('https://example.com/base.mp4'))
    if (variant.id === 'special') {
      await client.refused(request, { message: '--inputs all' }, path)
      return
    }
    const id = await client.made(request, path)
    const { body } = await client.control('GET', `/tasks/${id}`)
    expect(body.notes).toEqual([expect.stringContaining('https://example.com/base.mp4 was not read')])
    shows('special.regenerate.not-assumed')
  })

  it('refuses both sources together and no source (Spec: "the two are mutually exclusive")', async () => {
    const client = world(variant)
    const both = regenerateBody({ source_task_id: '123456789012345', content: [words, base()] })
    await client.refused(both, { message: 'source_task_id: excludes content' }, path)
    const none = regenerateBody({ source_task_id: null, content: null })
    await client.refused(none, { message: 'one of source_task_id and content is required' }, path)
    shows('c.regenerate.exclusive', 'special.regenerate.exclusive')
  })

  it.each<[string, unknown[], string]>([
    ['no base video', [words, picture], 'has 0 items with role base_video'],
    ['two base videos', [words, base(), base()], 'has 2 items with role base_video, must have exactly one'],
    ['a frame mixed with references', [words, image('x', 'first_frame'), picture, base()], 'cannot be mixed'],
    ['10 images', [words, ...Array(10).fill(picture), base()], 'has 10 items with role reference_image'],
    ['audio alone beside it', [words, audio('x', 'reference_audio'), base()], 'reference_audio needs'],
    ['two texts', [words, words, base()], 'has 2 non-empty text items'],
    ['a text of 40001 characters', [text('x'.repeat(40_001)), base()], 'has 40001 characters'],
    ['a WebM', [words, base(at('clip-2s.webm'))], 'the format is webm'],
  ])('refuses %s and charges nothing (C-regeneration)', async (_, content, message) => {
    await world(variant).refused(from(...content), { message }, path)
    shows('c.regenerate.content', 'special.regenerate.content', 'special.regenerate.no-mix')
  })

  it('accepts frames, a text of 40000 characters, and no text at all (C-regeneration)', async () => {
    const client = world(variant)
    await client.made(from(words, image(at('landscape.jpg')), base()), path)
    await client.made(from(text('x'.repeat(40_000)), base()), path)
    await client.made(from(base()), path)
  })

  it.each(['768P', '2k', undefined])(
    'refuses the resolution %s: output is always 2K (Spec)',
    async resolution => {
      await world(variant).refused({ ...from(base()), resolution }, { message: 'resolution' }, path)
      shows('c.regenerate.resolution', 'special.regenerate.resolution')
    },
  )

  it('refuses callback_url (Spec, "Errors" rule 2), and ignores ratio and duration (C-regeneration)', async () => {
    const client = world(variant)
    const hook = { ...from(base()), callback_url: 'https://example.com' }
    await client.refused(hook, { message: 'callback_url' }, path)
    const id = await client.made({ ...from(base()), ratio: '1:1', duration: 9 }, path)
    expect((await client.control('GET', `/tasks/${id}`)).body.unread).toEqual(['ratio', 'duration'])
  })

  it('costs its seconds at the price of regenerations (A-prices)', async ({ client }) => {
    await client.finished(from(base()), path)
    expect(await client.charges()).toContainEqual(['settled', variant.id === 'c' ? 2.8 : 1.6])
  })
})

describe('videos of the family', () => {
  const it = test.extend('client', () => world(standard))
  it.each([
    ['c', '16:9', 4, '1344x768', 107],
    ['c', '4:3', 5, '1152x864', 124],
    ['c', '1:1', 6, '992x992', 141],
    ['c', '21:9', 7, '1536x672', 175],
    ['special', '9:16', 5, '768x1344', 124],
  ] as const)(
    'at 768P can be base videos: %s %s of %d s (C-frames, C-pixels)',
    async (id, ratio, duration, size, frames) => {
      const client = world(id === 'c' ? standard : special)
      const { content } = await client.finished(textBody({ ratio, duration }))
      expect(await fileAt(content.url)).toEqual({ size, frames, ...sounding })
      const made = await client.made(from(base(content.url)), path)
      expect((await client.task(made)).duration).toBe(duration)
    },
  )

  it('have 24 fps, stereo sound, and at 2K exactly the requested length (C-frames, C-pixels)', async () => {
    const body = textBody({ resolution: '2K', duration: 4, ratio: '21:9' })
    const { content } = await world(standard).finished(body)
    expect(await fileAt(content.url)).toEqual({ size: '2912x1248', frames: 96, ...sounding })
  })

  it('have the AI mark only when aigc_watermark is true (Spec is silent; upstream’s field)', async () => {
    const client = world(standard)
    for (const aigc_watermark of [true, false, undefined]) {
      const { id } = await client.finished(textBody({ aigc_watermark }))
      const { media } = (await client.control('GET', `/tasks/${id}`)).body
      expect(media[0].recipe.mark).toBe(aigc_watermark === true)
    }
  })

  it('start with the first frame and end with the last', async ({ client }) => {
    const frames = [image(at('landscape.jpg'), 'first_frame'), image(at('portrait.jpg'), 'last_frame')]
    const { id } = await client.finished(textBody({ content: [words, ...frames] }))
    const { recipe } = (await client.control('GET', `/tasks/${id}`)).body.media[0]
    for (const frame of [recipe.firstFrame, recipe.lastFrame]) expect(frame).toMatch(/^[0-9a-f]{64}$/)
    expect(recipe.lastFrame).not.toBe(recipe.firstFrame)
  })

  it('of 15.5 s in total are too long as references (C-media)', async ({ client }) => {
    const { content } = await client.finished()
    const clip = video(content.url, 'reference_video')
    await client.made(textBody({ content: [words, clip, clip] }))
    const message = 'reference_video: the total length in seconds is 15.5'
    await client.refused(textBody({ content: [words, clip, clip, clip] }), { message })
  })
})
