import sharp from 'sharp'
import { afterAll, describe, expect } from 'vitest'
import { mediaBody, worldOfB } from '../support/family-b.ts'
import { plainPicture } from '../support/input-samples.ts'
import { startInputServer } from '../support/input-server.ts'
import { chargesOf } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { renderedVideo } from '../support/video-files.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { world, it, sample } = await inWorldsOf(worldOfB)

const landscape = sample('landscape.jpg')
const clip = sample('clip-720p-5s.mp4')
const voice = sample('voice-8s.mp3')

const files = new Map<string, Buffer>([
  ['/notes.txt', Buffer.from('Scene one: a lighthouse.')],
  ['/notes.md', Buffer.from('# Scene one')],
  ['/50.pdf', pdfOf(50)],
  ['/51.pdf', pdfOf(51)],
  ['/slow.mp4', await renderedVideo({ fps: 12, frames: 24 })],
  ['/16fps.mp4', await renderedVideo({ fps: 16, frames: 32 })],
  ['/short.mp4', await renderedVideo({ fps: 30, frames: 27 })],
  ['/narrow.mp4', await renderedVideo({ width: 480, height: 238 })],
])
/** Sends only the header: a file with too large a length is not read. */
const announced = new Map([
  ['/100mb-and-1.mp4', 104_857_601],
  ['/15mb-and-1.mp3', 15_728_641],
  ['/100mb-and-1.pdf', 104_857_601],
])
const web = await startInputServer((request, response) => {
  const bytes = announced.get(request.url ?? '')
  if (bytes !== undefined) return response.writeHead(200, { 'Content-Length': bytes }).flushHeaders()
  const file = files.get(request.url ?? '')
  response.statusCode = file ? 200 : 404
  response.end(file)
})
afterAll(() => web.close())

function pdfOf(pages: number): Buffer {
  const page = '1 0 obj << /Type /Page >> endobj\n'
  return Buffer.from(`%PDF-1.4\n${page.repeat(pages)}trailer << >>\n%%EOF\n`)
}

type Items = (readonly [type: string, url: string])[]
const times = (count: number, type: string, url: string): Items =>
  Array.from({ length: count }, () => [type, url] as const)

describe('combinations of media', () => {
  const references: Items = [
    ['reference_image', landscape],
    ['reference_video', clip],
    ['reference_audio', voice],
  ]
  // biome-ignore format: a table, one row a line
  const legal: [string, Items][] = [
    ['a first frame', [['first_frame', landscape]]],
    ['first and last frame', [['first_frame', landscape], ['last_frame', landscape]]],
    ['last and first frame', [['last_frame', landscape], ['first_frame', landscape]]],
    ...references.map(([type, url]): [string, Items] => [`${type} alone`, [[type, url]]]),
    ['all references', references],
    ['a file alone', [['file', 'https://a.example/a.pdf']]],
    ['a link alone', [['link', 'https://a.example/article']]],
    ['a file with references', [...references, ['file', 'https://a.example/a.pdf']]],
    ['a link with references', [['link', 'https://a.example/article'], ...references]],
    ['ten reference images', times(10, 'reference_image', landscape)],
    ['five reference videos', times(5, 'reference_video', sample('clip-2s.mov'))],
    ['five reference audios', times(5, 'reference_audio', 'https://a.example/a.mp3')],
  ]
  it.each(legal)('%s is a mode (B-media)', async (_, media) => {
    await world().made(mediaBody(media))
    shows('b.create.media', 'b.create.modes')
  })

  const exclusive =
    'The two modes are mutually exclusive. Do not pass reference_xx and first_frame/last_frame'
  // biome-ignore format: a table, one row a line
  const illegal: [string, Items, string][] = [
    ['a last frame alone', [['last_frame', landscape]], 'a last_frame needs a first_frame'],
    ['two first frames', times(2, 'first_frame', landscape), 'at most 1 of type first_frame but got 2'],
    ['two last frames', [['first_frame', landscape], ...times(2, 'last_frame', landscape)], 'at most 1 of type last_frame but got 2'],
    ...references.map(([type, url]): [string, Items, string] => [`a first frame with a ${type}`, [['first_frame', landscape], [type, url]], exclusive]),
    ['a last frame with a file', [['file', 'https://a.example/a.pdf'], ['last_frame', landscape]], exclusive],
    ['a first frame with a link', [['first_frame', landscape], ['link', 'https://a.example/']], exclusive],
    ['a file with a link', [['file', 'https://a.example/a.pdf'], ['link', 'https://a.example/']], 'file and link must not be given together'],
    ['two files', times(2, 'file', 'https://a.example/a.pdf'), 'at most 1 of type file'],
    ['two links', times(2, 'link', 'https://a.example/'), 'at most 1 of type link'],
    ['eleven reference images', times(11, 'reference_image', landscape), 'at most 10 of type reference_image'],
    ['six reference videos', times(6, 'reference_video', clip), 'at most 5 of type reference_video'],
    ['six reference audios', times(6, 'reference_audio', voice), 'at most 5 of type reference_audio'],
    ['an item of an older model', [['driving_audio', voice]], 'input.media[0].type: "driving_audio"'],
  ]
  it.each(illegal)('%s is not a mode: 400 and no charge (B-media)', async (_, media, message) => {
    await world().refused(mediaBody(media), { code: 'InvalidParameter', message })
  })

  it.for(['file', 'link'])(
    '%s needs prompt_extend to be true, which is its default (B-parameters)',
    async (type, { client }) => {
      const media: Items = [[type, 'https://a.example/a.pdf']]
      await client.made(mediaBody(media, { parameters: { prompt_extend: true } }))
      await client.refused(mediaBody(media, { parameters: { prompt_extend: false } }), {
        message: `parameters.prompt_extend: must be true with an item of type ${type}`,
      })
      shows('b.create.prompt-extend')
    },
  )

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['text', []],
    ['first_frame', [['first_frame', landscape]]],
    ['first_last_frame', [['first_frame', landscape], ['last_frame', landscape]]],
    ['reference', [['reference_image', landscape]]],
    ['reference', [['reference_video', clip]], 'the man of Video 1 sings on a contained address'],
    ['extend', [['reference_video', clip]], 'extend Video 1 with a sunset'],
    ['extend', [['reference_video', clip]], '将视频1向后延长'],
    ['edit', [['reference_video', clip]], 'replace the balloon by a kite'],
    ['reference', [['reference_image', landscape]], 'replace the balloon by a kite'],
  ] as [string, Items, string?][],
  )('select the mode %s for scenarios: %j', async (mode, media, prompt) => {
    const client = world()
    await client.control('POST', '/scenarios', {
      name: 'by-mode',
      // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language
      rules: [{ when: { mode }, then: { task: { label: 'hit' } } }],
    })
    await client.control('PUT', '/scenarios/active', { names: ['by-mode'] })
    const id = await client.made(mediaBody(media, { input: prompt === undefined ? {} : { prompt } }))
    expect((await client.control('GET', `/tasks/${id}`)).body.label).toBe('hit')
    shows('b.create.modes')
  })
})

describe('one file', () => {
  it.each([
    ['first_frame', sample('landscape.bmp')],
    ['last_frame', sample('landscape.webp')],
    ['reference_image', sample('square.png')],
    ['reference_video', sample('clip-2s.mov')],
    ['reference_video', `${web.origin}/16fps.mp4`],
    ['reference_audio', sample('voice-8s.wav')],
    ['reference_video', 'oss://dashscope-instant/x/clip.mp4'],
    ['file', `${web.origin}/notes.txt`],
    ['file', `${web.origin}/notes.md`],
    ['file', `${web.origin}/50.pdf`],
  ])('%s may be %s (B-media)', async (type, url) => {
    const before: Items = type === 'last_frame' ? [['first_frame', landscape]] : []
    await world().made(mediaBody([...before, [type, url]]))
  })

  it.each([
    ['first_frame', sample('balloon.gif'), 'the format is gif, must be one of jpeg, png, bmp, webp'],
    ['first_frame', sample('landscape.heic'), 'the format is heic'],
    ['reference_image', sample('landscape.tiff'), 'the format is tiff'],
    ['reference_image', sample('transparent.png'), 'the picture has an alpha channel'],
    ['reference_image', clip, 'the file is video (mp4), and image is needed'],
    ['reference_video', landscape, 'the file is image (jpeg), and video is needed'],
    ['reference_video', sample('clip-2s.webm'), 'the format is webm, must be one of mp4, mov'],
    ['reference_video', `${web.origin}/slow.mp4`, 'the frame rate is 12, must be at least 16'],
    ['reference_video', `${web.origin}/short.mp4`, 'the length in seconds is 0.9, must be 1 to 15'],
    ['reference_video', `${web.origin}/narrow.mp4`, 'the height in pixels is 238, must be 240 to 4096'],
    ['reference_audio', sample('voice-8s.m4a'), 'the format is m4a, must be one of wav, mp3'],
    ['reference_audio', sample('voice-8s.aac'), 'the format is aac'],
    ['reference_video', `${web.origin}/100mb-and-1.mp4`, '104857601 bytes; at most 104857600 are allowed'],
    ['reference_audio', `${web.origin}/15mb-and-1.mp3`, '15728641 bytes; at most 15728640 are allowed'],
    ['file', `${web.origin}/100mb-and-1.pdf`, '104857601 bytes; at most 104857600 are allowed'],
    ['file', `${web.origin}/51.pdf`, 'the number of pages is 51, must be at most 50'],
    ['file', landscape, 'the file is image (jpeg), and document is needed'],
    ['reference_video', `${web.origin}/missing.mp4`, '404'],
    [
      'first_frame',
      'not an address',
      'must be an http or https URL, a data URI, an asset:// reference or an oss:',
    ],
    ['first_frame', 'ftp://a.example/a.png', 'must be an http or https URL'],
    ['first_frame', 'asset://unknown', 'The specified asset unknown is not found'],
    ['link', 'a.example/article', 'must be an http or https URL'],
    ['link', 'oss://dashscope-instant/x/page.html', 'is not an http or https address'],
    ['link', 'data:text/html;base64,PGh0bWw+', 'must be a link, inline files are not supported here'],
    ['reference_video', 'data:video/mp4;base64,AAAA', 'must be a link, inline files are not supported here'],
    ['reference_audio', 'data:audio/mp3;base64,AAAA', 'must be a link, inline files are not supported here'],
    ['file', 'data:application/pdf;base64,AAAA', 'must be a link, inline files are not supported here'],
  ])('%s must not be %s: 400 and no charge (B-media)', async (type, url, message) => {
    await world().refused(mediaBody([[type, url]]), {
      code: 'InvalidParameter',
      message: new RegExp(`input\\.media\\[0\\]\\.url: .*${message.replace(/[()]/g, '\\$&')}`),
    })
  })

  it.each([
    [240, 240],
    [8000, 1000],
    [1000, 8000],
  ])('a picture of %i × %i is inside the limits (B-media)', async (width, height) => {
    await world().made(mediaBody([['first_frame', await plainPicture(width, height, 'jpeg')]]))
  })

  it.each([
    [239, 500, 'the width in pixels is 239, must be 240 to 8000'],
    [8001, 2000, 'the width in pixels is 8001'],
    [240, 1930, 'the aspect ratio (width / height) is 0.124, must be 0.125 to 8'],
    [1930, 240, 'the aspect ratio (width / height) is 8.042'],
  ])('a picture of %i × %i is outside: 400 and no charge (B-media)', async (width, height, message) => {
    await world().refused(mediaBody([['first_frame', await plainPicture(width, height, 'jpeg')]]), {
      message,
    })
  })

  it('a picture of more than 20 MB is refused (B-media)', async () => {
    const noise = { width: 2700, height: 2700, channels: 3, background: '#000' } as const
    const bytes = await sharp({ create: noise }).png({ compressionLevel: 0 }).toBuffer()
    expect(bytes.length).toBeGreaterThan(20 * 1024 * 1024)
    const url = `data:image/png;base64,${bytes.toString('base64')}`
    await world().refused(mediaBody([['first_frame', url]]), { message: 'at most 20971520' })
  })

  it('refuses transparency in PNG only (B-media)', async () => {
    await world().made(mediaBody([['reference_image', await plainPicture(300, 300, 'webp', true)]]))
    await world().refused(mediaBody([['reference_image', await plainPicture(300, 300, 'png', true)]]), {
      message: 'alpha channel',
    })
  })

  it('does not read the file behind a link, and adds a note to the story (B-media)', async ({ client }) => {
    const id = await client.made(mediaBody([['link', `${web.origin}/page`]]))
    expect(web.asked).not.toContain('/page')
    expect((await client.control('GET', `/tasks/${id}`)).body.notes).toEqual([
      `The page ${web.origin}/page was not opened: only its address was checked.`,
    ])
  })
})

describe('total lengths', () => {
  it.each([
    ['reference_video', clip, 3, 4, '20.* must be at most 15'],
    ['reference_audio', voice, 1, 2, '16.* must be at most 15'],
  ])('%s may have 15 seconds in total (B-media)', async (type, url, enough, tooMany, message) => {
    const client = world()
    await client.made(mediaBody(times(enough, type, url)))
    await client.refused(mediaBody(times(tooMany, type, url)), {
      message: new RegExp(`${type}: the total length in seconds is ${message}`),
    })
  })

  it('input videos and output may have 30 seconds together (B-parameters)', async ({ client }) => {
    await client.made(mediaBody([['reference_video', clip]], { parameters: { duration: 25 } }))
    await client.refused(mediaBody([['reference_video', clip]], { parameters: { duration: 26 } }), {
      message: 'parameters.duration: 26 seconds and 5 of input videos are more than 30 together',
    })
    await client.made(mediaBody([['reference_audio', voice]], { parameters: { duration: 30 } }))
  })

  it('input videos are billed with the output, and usage reports both (B-usage)', async ({ client }) => {
    const media: Items = [
      ['reference_video', clip],
      ['reference_video', sample('clip-silent.mp4')],
    ]
    const { usage } = await client.finished(mediaBody(media, { parameters: { duration: 4 } }))
    expect(usage).toMatchObject({ duration: 12, input_video_duration: 8, output_video_duration: 4 })
    expect(await chargesOf(client)).toEqual(['reserved 10.8', 'settled 10.8'])
    shows('b.get.seconds')
  })

  it('a duration of -1 leaves time for the input videos (B-parameters)', async ({ client }) => {
    const media = times(3, 'reference_video', clip)
    for (let i = 0; i < 8; i++) {
      const { usage } = await client.finished(mediaBody(media, { parameters: { duration: -1 } }))
      expect(usage.input_video_duration).toBe(15)
      expect(usage.duration).toBeLessThanOrEqual(30)
    }
  })

  it('a duration of -1 reserves the longest whole seconds beside the input videos (B-usage)', async () => {
    const client = world()
    const media: Items = [['reference_video', sample('clip-768p-107f.mp4')]]
    const { usage } = await client.finished(mediaBody(media, { parameters: { duration: -1 } }))
    const { totals } = (await client.control('GET', '/ledger')).body
    expect(usage.input_video_duration).toBeCloseTo(107 / 24, 2)
    expect(totals.reserved).toBeCloseTo((usage.input_video_duration + 25) * 0.9, 4)
  })
})

describe('an adaptive ratio', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['a first frame', [['first_frame', sample('portrait.jpg')]], '9:16'],
    ['a first frame of no listed ratio', [['first_frame', sample('landscape.bmp')]], '3:2'],
    ['a reference video', [['reference_video', sample('clip-silent.mp4')]], '9:16'],
    ['a reference picture', [['reference_image', sample('square.png')]], '1:1'],
    ['a video before a picture', [['reference_image', sample('square.png')], ['reference_video', clip]], '16:9'],
  ] as [string, Items, string][],
  )('follows %s (B-ratio)', async (_, media, ratio) => {
    const { usage } = await world().finished(mediaBody(media, { parameters: { ratio: 'adaptive' } }))
    expect(usage.ratio).toBe(ratio)
  })

  it('does not replace an explicit one (Spec, "Family B: create request", parameters.ratio)', async () => {
    const media: Items = [['first_frame', sample('portrait.jpg')]]
    expect((await world().finished(mediaBody(media))).usage.ratio).toBe('16:9')
  })
})

describe('chains', () => {
  it('the result of one task is the reference of the next (Spec, "Family B: create request", input.media)', async () => {
    const client = world()
    const first: Items = [['first_frame', sample('portrait.jpg')]]
    const parameters = { ratio: 'adaptive', duration: 3 }
    const { output } = await client.finished(mediaBody(first, { parameters }))
    const chained = async (prompt: string) => {
      const changes = { input: { prompt }, parameters: { ratio: 'adaptive', duration: 2 } }
      const { usage, output: next } = await client.finished(
        mediaBody([['reference_video', output.video_url]], changes),
      )
      expect(usage).toMatchObject({ input_video_duration: 3, ratio: '9:16' })
      return (await client.control('GET', `/tasks/${next.task_id}`)).body.job
    }
    const job = await chained('extend Video 1')
    expect(job).toMatchObject({ mode: 'extend', firstPicture: expect.stringMatching(/^[0-9a-f]{64}$/) })
    // Backward, it ends where its input starts.
    const back = await chained('extend Video 1 backward')
    expect(back).toMatchObject({ mode: 'extend', lastPicture: back.references[0] })
    expect(back).not.toHaveProperty('firstPicture')
    // An edit starts where its input starts, an extension where it ends.
    const edit = await chained('edit Video 1')
    expect(edit.mode).toBe('edit')
    expect(edit.firstPicture).not.toBe(job.firstPicture)
    expect(edit.firstPicture).toBe(edit.references[0])
  })
})
