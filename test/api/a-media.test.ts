import sharp from 'sharp'
import { beforeAll, describe, expect } from 'vitest'
import { image, text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { sample } from '../support/input-samples.ts'
import { shows } from '../support/shows.ts'
import { distance, fetchedFile, frameAt, pixelsOf, probe } from '../support/video-files.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it, sample: at } = await inWorldsOf(worldOfA)
const upstream = await openGateway({ links: 'upstream' })

/** The smallest that the family gives: 4 s of 480p. */
const small = (changes: Record<string, unknown> = {}) =>
  textBody({ resolution: '480p', duration: 4, ...changes })

type Downloaded = Awaited<ReturnType<typeof gateway.download>>
const fetched = (link: string) => fetchedFile(gateway, link)

describe('the file behind a link (Spec, "Family A: create request")', () => {
  // biome-ignore format: a table, one row a line
  const cases: [string, Record<string, unknown>, [width: number, height: number], seconds: number][] = [
    ['2.5 480p 16:9', small(), [854, 480], 4],
    ['2.0 480p 16:9', small({ model: 'model_a_20' }), [864, 496], 4],
    ['720p 9:16', textBody({ ratio: '9:16' }), [720, 1280], 5],
    ['1080p 21:9 without sound', small({ resolution: '1080p', ratio: '21:9', generate_audio: false }), [2206, 946], 4],
    ['4k 1:1', small({ model: 'model_a_20', resolution: '4k', ratio: '1:1' }), [2880, 2880], 4],
    ['mov', small({ output_format: 'mov', duration: 6 }), [854, 480], 6],
  ]

  it.each(cases)(
    '%s has exactly its pixels, 24 fps, one frame more than its seconds, and mono AAC or no sound (A-frames)',
    async (_, body, [width, height], seconds) => {
      const record = await world().finished(body)
      const { file, bytes } = await fetched(record.content.video_url)
      const probed = await probe(file)
      const streams = probed.streams.toSorted((one, other) => (one.codec_type < other.codec_type ? 1 : -1))
      const rates = { r_frame_rate: '24/1', avg_frame_rate: '24/1', nb_read_frames: String(24 * seconds + 1) }
      const picture = { codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', width, height, ...rates }
      const sounds = body.generate_audio === false ? [] : [{ codec_name: 'aac', channels: 1 }]
      expect(streams).toMatchObject([picture, ...sounds])
      expect(Number(streams[0]?.duration)).toBeCloseTo(seconds + 1 / 24, 3)
      for (const length of [probed.seconds, ...streams.map(one => Number(one.duration))])
        expect(length).toBeCloseTo(seconds + 1 / 24, 1)
      expect(record.duration).toBe(seconds)
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
      expect(bytes.toString('latin1', 8, 12) === 'qt  ').toBe(body.output_format === 'mov')
      shows('a.create.audio-mono')
    },
  )

  it('has the length in the record when the service chose it (Spec, "Family A: create request", duration)', async () => {
    const record = await world().finished(small({ duration: -1 }))
    const { streams } = await probe((await fetched(record.content.video_url)).file)
    expect(streams[0]?.nb_read_frames).toBe(String(24 * record.duration + 1))
  })

  it.each([
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
  ])('%s is sent as %s with a file name', async (output_format, type) => {
    const { id, content } = await world().finished(small({ output_format }))
    const { headers } = await gateway.download(content.video_url)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.${output_format}"`)
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(headers.get('x-request-id')).toBeTruthy()
    shows('a.create.format-mov')
  })

  it.each([
    ['document', 'inline'],
    ['video', 'attachment'],
    ['empty', 'attachment'],
  ])(
    'a browser that requests a %s gets it %s: the address bar shows the video (A-downloads)',
    async (dest, kind) => {
      const { id, content } = await world().finished(small())
      const { headers } = await gateway.download(content.video_url, { 'Sec-Fetch-Dest': dest })
      expect(headers.get('content-disposition')).toBe(`${kind}; filename="${id}.mp4"`)
    },
  )
})

describe('the last frame (Spec, "Family A: create request", last-frame return flag)', () => {
  it.each([
    ['with the mark in the video', true],
    ['without', false],
  ])(
    'is a PNG of the video’s size, equal to its last picture, and never marked: %s',
    async (_, watermark) => {
      const record = await world().finished(small({ return_last_frame: true, watermark, ratio: '1:1' }))
      const { file } = await fetched(record.content.video_url)
      const { bytes } = await fetched(record.content.last_frame_url)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 640, height: 640 })
      const [last, picture] = [await frameAt(file, 96), await pixelsOf(bytes)]
      // Everything except the corner at the lower right, which has the mark.
      expect(distance(last, picture, 640, { left: 0, top: 0, right: 1, bottom: 0.8 })).toBeLessThan(3)
      const corner = distance(last, picture, 640, { left: 0.6, top: 0.85, right: 1, bottom: 1 })
      if (watermark) expect(corner).toBeGreaterThan(2)
      else expect(corner).toBeLessThan(3)
      shows('a.create.last-frame', 'a.create.last-frame-unmarked')
    },
  )

  it('the frames of a video differ: the scene moves, and the last picture is not the first', async () => {
    const record = await world().finished(small({ ratio: '1:1' }))
    const { file } = await fetched(record.content.video_url)
    const [first, second, last] = await Promise.all([0, 24, 96].map(frame => frameAt(file, frame)))
    if (!first || !second || !last) throw new Error('a frame is missing')
    expect(distance(first, second, 640)).toBeGreaterThan(0.5)
    // The scene moves back to its start; the time code has changed.
    expect(last.equals(first)).toBe(false)
  })
})

describe('given frames appear in the picture (A-content)', () => {
  async function given(name: string, width: number, height: number): Promise<Buffer> {
    return await sharp(sample(name)).resize(width, height, { fit: 'cover' }).removeAlpha().raw().toBuffer()
  }
  const middle = { left: 0.2, top: 0.3, right: 0.8, bottom: 0.6 }

  it('the video starts from the first frame and ends on the last', async () => {
    const content = [image(at('landscape.jpg'), 'first_frame'), image(at('square.png'), 'last_frame')]
    const record = await world().finished({ model: 'model_a_25', content, resolution: '480p', duration: 4 })
    const { file } = await fetched(record.content.video_url)
    const [first, last] = [await given('landscape.jpg', 854, 480), await given('square.png', 854, 480)]
    const [start, end] = [await frameAt(file, 0), await frameAt(file, 95)]
    expect(distance(start, first, 854, middle)).toBeLessThan(20)
    expect(distance(end, last, 854, middle)).toBeLessThan(20)
    expect(distance(start, last, 854, middle)).toBeGreaterThan(30)
    expect(distance(end, first, 854, middle)).toBeGreaterThan(30)
  })
})

describe('different tasks look different', () => {
  it('when the prompt differs, or only the seed that was drawn; each read of one link gets the same bytes', async () => {
    const client = world()
    const one = await client.finished(small())
    const whale = await client.finished(small({ content: [text('a whale')] }))
    const repeated = await client.finished(small())
    expect(repeated.seed).not.toBe(one.seed)
    const bytesOf = async ({ content }: typeof one) => (await gateway.download(content.video_url)).bytes
    const [first, again, ...others] = await Promise.all([one, one, whale, repeated].map(bytesOf))
    expect(again).toEqual(first)
    for (const other of others) expect(other.equals(first as Buffer)).toBe(false)
  })
})

describe('HTTP on a link (A-downloads)', () => {
  let url = ''
  let whole: Buffer = Buffer.alloc(0)
  let etag = ''
  beforeAll(async () => {
    const record = await world().finished(small({ model: 'model_a_20' }))
    url = record.content.video_url
    const reply = await gateway.download(url)
    whole = reply.bytes
    etag = reply.headers.get('etag') ?? ''
  })

  it('GET sends the whole file with its length and a strong ETag', async () => {
    const { status, headers, bytes } = await gateway.download(url)
    expect(status).toBe(200)
    expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(etag).toMatch(/^"[0-9a-f]+"$/)
    expect(headers.get('etag')).toBe(etag)
  })

  it('HEAD sends only the headers', async () => {
    const reply = await fetch(url, { method: 'HEAD' })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-length')).toBe(String(whole.length))
    expect(reply.headers.get('etag')).toBe(etag)
    expect((await reply.arrayBuffer()).byteLength).toBe(0)
  })

  it.each([
    ['bytes=100-199', 100, 200],
    ['bytes=-50', -50, undefined],
  ])('Range %s gives 206 and that part', async (range, start, end) => {
    const part = whole.subarray(start, end)
    const reply = await gateway.download(url, { Range: range })
    expect(reply.status).toBe(206)
    const first = start < 0 ? whole.length + start : start
    const shown = `bytes ${first}-${first + part.length - 1}/${whole.length}`
    expect(reply.headers.get('content-range')).toBe(shown)
    expect(reply.headers.get('content-length')).toBe(String(part.length))
    expect(reply.bytes.equals(part)).toBe(true)
  })

  it('a range beyond the end gives 416 and the size', async () => {
    const reply = await gateway.download(url, { Range: 'bytes=99999999-' })
    expect(reply.status).toBe(416)
    expect(reply.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    expect(reply.bytes.length).toBe(0)
  })

  it('If-None-Match gives 304 without a body when the tag matches', async () => {
    const reply = await gateway.download(url, { 'If-None-Match': etag })
    expect({ status: reply.status, length: reply.bytes.length }).toEqual({ status: 304, length: 0 })
    expect(reply.headers.get('etag')).toBe(etag)
  })

  it('a page of a front end may read it and its ranges', async () => {
    const { headers } = await gateway.download(url, { Origin: 'http://localhost:5173', Range: 'bytes=0-9' })
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    for (const name of ['Retry-After', 'X-Request-Id', 'Content-Range', 'Accept-Ranges'])
      expect(headers.get('access-control-expose-headers')).toContain(name)
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { Origin: 'http://localhost:5173' } })
    expect(preflight.status).toBe(204)
  })

  it.each(['Bearer sk-emulator', 'Bearer wrong', 'Basic x'])(
    'an Authorization header, %s, gives 400 as XML (Spec, "Authentication" 6)',
    async Authorization => {
      expectXml(await gateway.download(url, { Authorization }), 400, 'InvalidArgument')
      expect((await gateway.download(url)).status).toBe(200)
      shows('all.auth.download', 'a.link.no-authorization')
    },
  )

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['another signature', (link: URL) => link.searchParams.set('Signature', '0'.repeat(32)), 403, 'SignatureDoesNotMatch'],
    ['no signature', (link: URL) => link.searchParams.delete('Signature'), 403, 'SignatureDoesNotMatch'],
    ['a later expiry', (link: URL) => link.searchParams.set('Expires', '9999999999'), 403, 'SignatureDoesNotMatch'],
    ['no query', (link: URL) => { link.search = '' }, 403, 'SignatureDoesNotMatch'],
    ['another task', (link: URL) => { link.pathname = link.pathname.replace(/cgt-[^/]+/, 'cgt-1') }, 403, 'SignatureDoesNotMatch'],
    ['another file', (link: URL) => { link.pathname = link.pathname.replace('video.mp4', 'last_frame.png') }, 403, 'SignatureDoesNotMatch'],
    ['another world', (link: URL) => { link.pathname = link.pathname.replace(/fresh-\d+/, 'nowhere') }, 404, 'NoSuchKey'],
    ['a path with ..', (link: URL) => { link.pathname += '/../../x' }, 404, 'NoSuchKey'],
  ],
  )('%s gives %s', async (_, change, status, code) => {
    const link = new URL(url)
    change(link)
    expectXml(await gateway.download(link.href), status, code)
  })

  it('another method gives 405', async () => {
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405)
  })
})

function expectXml(reply: Downloaded, status: number, code: string, words = ''): void {
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toContain('application/xml')
  expect(reply.bytes.toString()).toContain(words)
  expect(reply.bytes.toString()).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>/)
  expect(reply.bytes.toString()).toContain(`<Code>${code}</Code>`)
}

describe('the life of a link (Spec, "Limits", Family A result link)', () => {
  it.each([
    ['relayed, 2 hours', gateway, 2],
    ['upstream, 24 hours', upstream, 24],
  ])('ends %s after success, to the millisecond', async (_, of, hours) => {
    const client = worldOfA(of)
    const { id, content } = await client.finished(small({ return_last_frame: true }))
    const task = (await client.control('GET', `/tasks/${id}`)).body
    const end = Date.parse(task.view.since) + hours * 3_600_000
    await client.advance({ to: new Date(end - 1).toISOString() })
    expect((await of.download(content.video_url, { Range: 'bytes=0-9' }, hours)).status).toBe(206)
    await client.advance('1ms')
    for (const link of [content.video_url, content.last_frame_url])
      expectXml(await of.download(link, {}, hours), 403, 'AccessDenied', 'expired')
    expect((await fetch(content.video_url, { method: 'HEAD' })).status).toBe(403)
    expect((await client.get(id)).body.content.video_url).toBe(content.video_url)
    shows('a.link.upstream-life', 'a.link.relayed-life')
  })

  it('begins at success, not at the poll: each poll gives the same link', async ({ client }) => {
    const { id, content } = await client.finished(small())
    await client.advance('90m')
    expect((await client.get(id)).body.content).toEqual(content)
    await client.advance('31m')
    expect((await gateway.download(content.video_url)).status).toBe(403)
  })

  it('has not begun before success: the link of a task that is running again is 404', async ({ client }) => {
    const id = await client.made(small())
    await client.advance({ until: { task: id, status: 'running' } })
    await client.control('POST', '/snapshots', { name: 'running' })
    await client.advance({ until: 'idle' })
    const { content } = (await client.get(id)).body
    expect((await gateway.download(content.video_url, { Range: 'bytes=0-0' })).status).toBe(206)
    await client.control('POST', '/snapshots/running/restore')
    expectXml(await gateway.download(content.video_url), 404, 'NoSuchKey')
  })
})

describe('at most 100 downloads on 2.5 (Spec, "Limits", Family A result link)', () => {
  const first = { Range: 'bytes=0-0' }

  it('the 101st is refused; HEAD, later ranges and 304 do not count (A-downloads)', async () => {
    const { content } = await world().finished(small())
    const { headers } = await gateway.download(content.video_url)
    const etag = headers.get('etag') ?? ''
    for (let i = 0; i < 20; i++) {
      await fetch(content.video_url, { method: 'HEAD' })
      await gateway.download(content.video_url, { Range: 'bytes=1-1' })
      await gateway.download(content.video_url, { 'If-None-Match': etag })
    }
    for (let i = 2; i <= 100; i++) expect((await gateway.download(content.video_url, first)).status).toBe(206)
    expectXml(await gateway.download(content.video_url), 403, 'AccessDenied', '100 downloads')
    const later = await gateway.download(content.video_url, { Range: 'bytes=1-1' })
    expect(later.status, 'a range that goes on with a download that was counted').toBe(206)
    shows('a.link.downloads-25')
  })

  it('holds for downloads that arrive together, while the file is still being rendered', async () => {
    const { content } = await world().finished(small({ content: [text('all at once')] }))
    const replies = await Promise.all(
      Array.from({ length: 120 }, () => gateway.download(content.video_url, first)),
    )
    expect(replies.filter(({ status }) => status === 206)).toHaveLength(100)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(20)
  })

  it('does not hold for 2.0', async () => {
    const { content } = await world().finished(small({ model: 'model_a_20' }))
    for (let i = 0; i < 105; i++) expect((await gateway.download(content.video_url, first)).status).toBe(206)
  })

  it('is the reason in a scenario’s refusal of an exhausted link, with the number in families that have one', async () => {
    const said = async (model: string) => {
      const content = [{ type: 'text', text: 'a cat [[link:exhausted]]' }]
      const record = await world().finished(small({ model, content }))
      const { status, bytes } = await gateway.download(record.content.video_url)
      return `${status} ${/<Message>(.*)<\/Message>/.exec(bytes.toString())?.[1]}`
    }
    expect(await said('model_a_25')).toBe('403 The link has reached its limit of 100 downloads.')
    expect(await said('model_a_20')).toBe('403 The link has reached its limit of downloads.')
  })

  it('counts each file separately', async () => {
    const { content } = await world().finished(small({ return_last_frame: true }))
    for (let i = 0; i < 101; i++) await gateway.download(content.last_frame_url, first)
    expect((await gateway.download(content.last_frame_url)).status).toBe(403)
    expect((await gateway.download(content.video_url)).status).toBe(200)
  })

  it('the task shows the count', async ({ client }) => {
    const { id, content } = await client.finished(small())
    await gateway.download(content.video_url)
    await gateway.download(content.video_url)
    const { media } = (await client.control('GET', `/tasks/${id}`)).body
    expect(media[0]).toMatchObject({ name: 'video', downloads: 2, max_downloads: 100 })
  })
})

describe('downloads in the journal', () => {
  it('are there as media.download, with the signature masked', async ({ client }) => {
    const { id, content } = await client.finished(small())
    await gateway.download(content.video_url)
    const { body } = await client.control('GET', '/requests?operation=media.download')
    expect(body.items).toMatchObject([{ operation: 'media.download', status: 200, task_id: id }])
    expect(JSON.stringify(body)).not.toContain(new URL(content.video_url).searchParams.get('Signature'))
  })
})

it('takes every sample of its kind, but for those whose description says that family A refuses it', async () => {
  const { items } = (await gateway.control('GET', '/samples')).body
  const told = { taken: 0, refused: 0 }
  for (const { name, kind, about, url } of items) {
    const item = { type: `${kind}_url`, [`${kind}_url`]: { url }, role: `reference_${kind}` }
    const beside = kind === 'audio' ? [image(at('landscape.jpg'), 'reference_image')] : []
    const reply = await world().create({ model: 'model_a_25', content: [text('a pier'), item, ...beside] })
    const isTaken = !/family A refuses|refused by moderation/i.test(about)
    expect(reply.status === 200, `${name}: ${reply.text}`).toBe(isTaken)
    told[isTaken ? 'taken' : 'refused']++
  }
  expect(told.taken).toBeGreaterThan(10)
  expect(told.refused).toBeGreaterThan(3)
})
