import { describe, expect } from 'vitest'
import { audio, image, text, textBody, video, worldOfA } from '../support/family-a.ts'
import { plainPicture, sample } from '../support/input-samples.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it, sample: at } = await inWorldsOf(worldOfA)
const dataUri = (name: string, type: string) => `data:${type};base64,${sample(name).toString('base64')}`

const landscape = at('landscape.jpg')
const portrait = at('portrait.jpg')
const clip = at('clip-720p-5s.mp4')
const voice = at('voice-8s.mp3')
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
const body = (content: unknown[], changes: Record<string, unknown> = {}) => ({
  model: 'model_a_20',
  content,
  ...changes,
})

/** The mode that a task was made in, as the emulator keeps it. */
async function typeOf(content: unknown[], changes: Record<string, unknown> = {}): Promise<string> {
  const client = world()
  const id = await client.made(body(content, changes))
  return (await client.control('GET', `/tasks/${id}`)).body.job.type
}

describe('the combination of items selects the mode (Spec, "Family A: create request", content)', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['a text', [text('a cat')], 'text'],
    ['one image without a role', [image(landscape)], 'first_frame'],
    ['one image with an empty role (A-content)', [image(landscape, '')], 'first_frame'],
    ['a first frame', [text('a cat'), image(landscape, 'first_frame')], 'first_frame'],
    ['an empty text at the end', [image(landscape, 'first_frame'), text('')], 'first_frame'],
    ['a first and a last frame', [image(landscape, 'first_frame'), image(portrait, 'last_frame')], 'first_last_frame'],
    ['a last frame before the first', [image(portrait, 'last_frame'), image(landscape, 'first_frame')], 'first_last_frame'],
    ['the same picture as both frames', [image(landscape, 'first_frame'), image(landscape, 'last_frame')], 'first_last_frame'],
    ['a reference image', [text('a cat'), image(landscape, 'reference_image')], 'reference'],
    ['a reference video', [video(clip)], 'reference'],
    ['references of all kinds', [text('a cat'), image(landscape, 'reference_image'), video(clip), audio(voice)], 'reference'],
  ],
  )('%s', async (_, content, type) => {
    expect(await typeOf(content)).toBe(type)
    expect(await typeOf(content, { model: 'model_a_25' })).toBe(type)
    shows('a.create.content-kinds', 'a.create.modes')
  })
})

describe('combinations that no mode allows (A-content, upstream)', () => {
  const mixing = 'first/last frame content cannot be mixed with reference media content'
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['several images, no role', [image(landscape), image(portrait)], 'role must be specified for image contents'],
    ['several images, one without a role', [image(landscape, 'first_frame'), image(portrait)], 'role must be specified for image contents'],
    ['an unknown image role', [image(landscape, 'middle_frame')], 'invalid role specified for image content'],
    ['a video’s role on an image', [image(landscape, 'reference_video')], 'invalid role specified for image content'],
    ['a frame and a reference image', [image(landscape, 'first_frame'), image(portrait, 'reference_image')], mixing],
    ['a frame and a reference video', [image(landscape, 'first_frame'), video(clip)], mixing],
    ['a frame and a reference audio', [image(landscape, 'first_frame'), audio(voice)], mixing],
    ['an image without a role, and audio', [image(landscape), audio(voice)], mixing],
    ['an image with an empty role, and audio', [image(landscape, ''), audio(voice)], mixing],
    ['a last frame and a reference', [image(landscape, 'last_frame'), video(clip)], mixing],
    ['video without role', [{ type: 'video_url', video_url: { url: clip } }], 'reference media mode requires video role to be reference_video'],
    ['video of another role', [video(clip, 'first_frame')], 'reference media mode requires video role to be reference_video'],
    ['audio without role', [{ type: 'audio_url', audio_url: { url: voice } }], 'reference media mode requires audio role to be reference_audio'],
    ['two first frames', [image(landscape, 'first_frame'), image(portrait, 'first_frame')], 'expected at most one first frame image content but got 2 instead'],
    ['two last frames', [image(landscape, 'first_frame'), ...times(2, image(portrait, 'last_frame'))], 'expected at most one last frame image content but got 2 instead'],
    ['a last frame alone', [image(landscape, 'last_frame')], 'last frame'],
    ['an empty text and nothing else', [text('')], 'text must not be empty when there is no media'],
    ['a blank text and nothing else', [text('  \n')], 'text must not be empty when there is no media'],
  ],
  )('%s', async (_, content, message) => {
    for (const model of ['model_a_20', 'model_a_25'])
      await world().refused(body(content, { model }), { code: 'InvalidParameter', param: 'content', message })
  })

  it('a role inside image_url is ignored, so the images have no role (upstream)', async () => {
    const nested = (url: string, role: string) => ({ type: 'image_url', image_url: { url, role } })
    await world().refused(body([nested(landscape, 'first_frame'), nested(portrait, 'last_frame')]), {
      message: 'role must be specified for image contents',
    })
  })
})

describe('counts (A-content, upstream)', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['model_a_20', 10, image(landscape, 'reference_image'), 'expected at most 9 reference images but got 10 instead'],
    ['model_a_20', 4, video(clip), 'expected at most 3 video contents but got 4 instead'],
    ['model_a_20', 4, audio(voice), 'expected at most 3 audio contents but got 4 instead'],
    ['model_a_25', 31, image(landscape, 'reference_image'), 'expected at most 30 reference images but got 31 instead'],
    ['model_a_25', 11, video(clip), 'expected at most 10 video contents but got 11 instead'],
    ['model_a_25', 11, audio(voice), 'expected at most 10 audio contents but got 11 instead'],
  ],
  )('%s refuses %i of %j', async (model, count, item, message) => {
    await world().refused(body(times(count, item), { model }), { param: 'content', message })
  })

  it.each([
    ['model_a_20', 9],
    ['model_a_25', 30],
  ])('%s takes %i reference images', async (model, count) => {
    await world().made(body(times(count, image(landscape, 'reference_image')), { model }))
  })

  it('audio as the only media is refused on 2.0, also with a text', async () => {
    for (const content of [[audio(voice)], [text('sing'), audio(voice)]])
      await world().refused(body(content), { message: 'reference_audio cannot be the only reference input' })
  })

  it('audio as the only media is allowed on 2.5', async () => {
    await world().made(body([audio(voice)], { model: 'model_a_25' }))
  })
})

describe('invalid items', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['an unknown type', { type: 'image' }, 'content[1].type', 'text, image_url, video_url, audio_url'],
    ['a draft task (A-forbidden)', { type: 'draft_task', draft_task: { id: 'x' } }, 'content[1].type', 'draft_task'],
    ['no type', { text: 'a' }, 'content[1].type', 'missing'],
    ['a type that is not a string', { type: 1 }, 'content[1].type', 'string'],
    ['an item that is not an object', 'a cat', 'content[1]', 'object'],
    ['no text', { type: 'text' }, 'content[1].text', 'missing'],
    ['no image_url', { type: 'image_url' }, 'content[1].image_url.url', 'missing'],
    ['image_url as a string', { type: 'image_url', image_url: landscape }, 'content[1].image_url', 'object'],
    ['an image_url without url', { type: 'image_url', image_url: {} }, 'content[1].image_url.url', 'missing'],
    ['an empty url', image('', 'first_frame'), 'content[1].image_url.url', 'empty'],
    ['a url that is not a string', { type: 'image_url', image_url: { url: 7 } }, 'content[1].image_url.url', 'string'],
    ['a role that is not a string', { ...image(landscape), role: 1 }, 'content[1].role', 'string'],
    ['the field of another kind', { type: 'video_url', image_url: { url: clip } }, 'content[1].video_url.url', 'missing'],
  ],
  )('%s names the parameter (Spec, "Errors")', async (_, item, param, message) => {
    await world().refused(body([text('a cat'), item]), { param, message })
    shows('a.create.content-kinds')
  })
})

describe('where media come from (A-content)', () => {
  it.each([
    ['landscape.jpg', 'image/jpeg'],
    ['square.png', 'image/png'],
    ['landscape.webp', 'image/webp'],
    ['landscape.bmp', 'image/bmp'],
    ['landscape.tiff', 'image/tiff'],
    ['balloon.gif', 'image/gif'],
    ['landscape.heic', 'image/heic'],
  ])('%s is accepted as a data URI and as a link (upstream)', async (name, type) => {
    await world().made(body([image(dataUri(name, type))]))
    await world().made(body([image(at(name))]))
  })

  it.each([
    ['voice-8s.mp3', 'audio/mpeg'],
    ['voice-8s.wav', 'audio/wav'],
  ])('%s is accepted as audio (upstream)', async (name, type) => {
    await world().made(body([audio(dataUri(name, type)), image(landscape, 'reference_image')]))
  })

  it('an inline video is refused in upstream’s words (upstream)', async () => {
    await world().refused(body([video(dataUri('clip-silent.mp4', 'video/mp4'))]), {
      param: 'content[0].video_url.url',
      message: 'reference_video must be provided as a web url',
    })
  })

  it.each([
    ['a picture', () => image(dataUri('square.png', 'image/jpeg')), '.UnsupportedImageFormat', 'image_url'],
    ['a sound', () => audio(dataUri('voice-8s.mp3', 'audio/wav')), '', 'audio_url'],
    ['a sound as a picture', () => image(dataUri('voice-8s.mp3', 'image/png')), '', 'image_url'],
  ])('%s with a false label is refused (A-labels)', async (_, item, detail, part) => {
    await world().refused(body([item()], { model: 'model_a_25' }), {
      code: `InvalidParameter${detail}`,
      param: `content[0].${part}.url`,
    })
  })

  it('an asset of the account is accepted by its reference (Spec, "What the service does" 6)', async () => {
    const client = world()
    const file = { kind: 'image', data: dataUri('landscape.jpg', 'image/jpeg') }
    const { body: asset } = await client.control('POST', '/assets', file)
    await client.made(body([image(asset.reference)]))
  })

  it('the refusal of an unknown asset names it (upstream)', async () => {
    await world().refused(body([text('a'), image('asset://asset-20260101000000-bcdfg')]), {
      param: 'content[1].image_url.url',
      message: /asset asset-20260101000000-bcdfg is not found/,
    })
  })

  it('an asset of the wrong kind is refused (upstream)', async ({ client }) => {
    const file = { kind: 'audio', data: dataUri('voice-8s.mp3', 'audio/mpeg') }
    const { body: asset } = await client.control('POST', '/assets', file)
    await client.refused(body([image(asset.reference)]), {
      param: 'content[0].image_url.url',
      message: /the specified asset asset-\S+ is not an image/,
    })
  })

  it.each([
    ['a link to nothing', () => at('nothing.jpg')],
    ['an unknown scheme', () => 'file:///etc/passwd'],
    ['a text that is not an address', () => 'landscape.jpg'],
    ['a data URI without data', () => 'data:image/png;base64,'],
    ['a data URI of random bytes', () => `data:image/png;base64,${btoa('noise'.repeat(50))}`],
    ['an audio as image', () => voice],
    ['a page as image', () => `${gateway.url}/__emulator/health`],
  ])('%s is 400 and names the item (Spec, "What the service does" 7)', async (_, url) => {
    await world().refused(body([text('a'), image(url())]), {
      code: 'InvalidParameter',
      param: 'content[1].image_url.url',
    })
  })
})

describe('limits of media (upstream)', () => {
  it.each([
    [750, 300, true],
    [751, 300, false],
  ])('a picture of %i by %i px: %s', async (width, height, passes) => {
    const request = body([image(await plainPicture(width, height))])
    if (passes) await world().made(request)
    else await world().refused(request, { param: 'content[0].image_url.url' })
  })

  it.each([
    ['clip-2s.webm', 'format'],
    ['clip-2s.mov', 'number of pixels'],
  ])('the video %s is refused for its %s', async (name, message) => {
    await world().refused(body([video(at(name))]), { param: 'content[0].video_url.url', message })
  })

  it.each([
    ['voice-8s.m4a', 'format'],
    ['voice-8s.aac', 'format'],
  ])('the audio %s is refused for its %s', async (name, message) => {
    await world().refused(body([audio(at(name)), image(landscape, 'reference_image')]), {
      param: 'content[0].audio_url.url',
      message,
    })
  })

  it('family A refuses AVIF', async () => {
    await world().refused(body([image(at('landscape.avif'))]), { message: 'format' })
  })

  it('one video may have 15 s on 2.0 and 30 s on 2.5', async ({ client }) => {
    const { content } = await client.finished(textBody({ duration: 16, resolution: '480p', ratio: '4:3' }))
    const request = body([video(content.video_url)])
    await client.refused(request, {
      param: 'content[0].video_url.url',
      message: /length in seconds is 16.042, must be .*15/,
    })
    await client.made({ ...request, model: 'model_a_25' })
  })

  it('all videos together, and all audios, may have 15 s on 2.0 and 30 s on 2.5', async () => {
    await world().made(body(times(3, video(clip))))
    const { content } = await world().finished(textBody({ duration: 6, resolution: '480p', ratio: '4:3' }))
    const refused = (sent: object, message: RegExp) => world().refused(sent, { param: 'content', message })
    const videos = [video(content.video_url), ...times(2, video(clip))]
    await refused(body(videos), /video: .*total length in seconds is 16/)
    await refused(body([video(clip), ...times(2, audio(voice))]), /audio: .*total length in seconds is 16/)
    await world().made(body(times(6, video(clip)), { model: 'model_a_25' }))
    const seven = body(times(7, video(clip)), { model: 'model_a_25' })
    await refused(seven, /video: .*total length in seconds is 35/)
  })
})

describe('real faces (Spec, "What the service does" 6, "Authentication" 4)', () => {
  const moderated = {
    status: 403,
    type: 'Forbidden',
    code: 'InputImageSensitiveContentDetected.PrivacyInformation',
    message: 'content moderation',
  }

  it('a real face sent directly is refused with 403, as a link and as a data URI, in every role', async () => {
    for (const url of [at('real-face.jpg'), dataUri('real-face.jpg', 'image/jpeg')])
      for (const content of [
        [image(url)],
        [image(landscape, 'first_frame'), image(url, 'last_frame')],
        [image(url, 'reference_image')],
      ])
        await world().refused(body(content), moderated)
    shows('all.service.face-refused', 'all.auth.moderated')
  })

  it('names the item with the face', async () => {
    const pictures = [landscape, at('real-face.jpg')].map(url => image(url, 'reference_image'))
    await world().refused(body(pictures), { ...moderated, param: 'content[1].image_url.url' })
  })

  it('the code differs between a face in a video and in a picture (upstream)', async () => {
    await world().refused(body([video('https://example.com/a-real-face.mp4')]), {
      ...moderated,
      code: 'InputVideoSensitiveContentDetected.PrivacyInformation',
    })
  })

  it('its message differs from the refusal of a model that the key may not use (Spec, "Authentication" 4)', async () => {
    const client = world()
    await client.control('PATCH', '/accounts/other', { models: ['model_a_25'] })
    const face = await client.refused(body([image(at('real-face.jpg'))]), { status: 403 })
    const model = await client.refused(body([text('a cat')]), { status: 403 }, `${client.key}.other`)
    expect(model.message).not.toContain('moderation')
    expect(face.code).not.toBe(model.code)
    shows('all.auth.two-403')
  })
})

it('the story of the task names the inputs that were not fetched (A-unknown-keys, interface `--inputs`)', async () => {
  const client = world()
  const id = await client.made(body([image('https://example.com/cat.png')]))
  expect((await client.control('GET', `/tasks/${id}`)).body.notes.join(' ')).toContain('example.com')
})

it('records do not contain large media: the request is digested', async ({ client }) => {
  const id = await client.made(body([image(dataUri('landscape.jpg', 'image/jpeg'))]))
  const task = await client.control('GET', `/tasks/${id}`)
  expect(task.text.length).toBeLessThan(6000)
  expect(sample('landscape.jpg').length).toBeGreaterThan(6000)
})
