import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { expectError, mediaBody, tasksPath, textBody, type WorldOfB, worldOfB } from '../support/family-b.ts'
import { sample } from '../support/input-samples.ts'
import { accepted, chargesOf } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { distance, fetchedFile, frameAt, probe, type Stream } from '../support/video-files.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfB)
const tagged = (tag: string) => textBody({ input: { prompt: `a cat ${tag}` } })
const dayMs = 86_400_000

const opened = '2026-03-01 16:00:00.000'
const time = expect.stringMatching(/^2026-03-0[12] \d\d:\d\d:\d\d\.\d{3}$/)
const unknown = (id: string) => ({
  request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  output: { task_id: id, task_status: 'UNKNOWN' },
})

async function until(client: WorldOfB, id: string, status: string) {
  await client.advance({ until: { task: id, status } })
  return (await client.get(id)).body
}

describe('the states of a task', () => {
  it('are PENDING, RUNNING and SUCCEEDED in turn, each with the fields known by then (Spec, "States and transitions", B-states)', async () => {
    const client = world()
    const id = await client.made()
    expect((await client.get(id)).body).toEqual({
      request_id: expect.any(String),
      output: { task_id: id, task_status: 'PENDING', submit_time: opened },
    })
    const { output: running } = await until(client, id, 'RUNNING')
    const scheduled = { submit_time: opened, scheduled_time: time }
    expect(running).toEqual({ task_id: id, task_status: 'RUNNING', ...scheduled })
    const done = await until(client, id, 'SUCCEEDED')
    expect(done).toEqual({
      request_id: expect.any(String),
      output: {
        ...running,
        task_status: 'SUCCEEDED',
        end_time: time,
        orig_prompt: 'a lighthouse at dawn',
        video_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\//),
      },
      usage: {
        video_count: 1,
        duration: 5,
        input_video_duration: 0,
        output_video_duration: 5,
        fps: 30,
        SR: 480,
        ratio: '16:9',
      },
    })
    expect(running.scheduled_time > opened).toBe(true)
    expect(done.output.end_time > running.scheduled_time).toBe(true)
    shows('b.get.status', 'b.get.video-url', 'b.states.start', 'b.states.finish')
    shows('b.get.request-id', 'b.get.task-id', 'b.get.times', 'b.get.orig-prompt')
    shows('b.get.video-count', 'b.get.fps')
  })

  it('FAILED has code and message inside output, and no usage (B-states)', async ({ client }) => {
    const id = await client.made(tagged('[[fail:DataInspectionFailed]]'))
    await until(client, id, 'RUNNING')
    const { output, ...rest } = await until(client, id, 'FAILED')
    expect(output).toEqual({
      task_id: expect.any(String),
      task_status: 'FAILED',
      ...{ submit_time: opened, scheduled_time: time, end_time: time },
      code: 'DataInspectionFailed',
      message: 'Output data may contain inappropriate content.',
    })
    expect(Object.keys(rest)).toEqual(['request_id'])
    shows('b.get.status', 'b.states.finish')
  })

  it('CANCELED can be the end of a running task (Spec, "States and transitions")', async ({ client }) => {
    const id = await client.made(tagged('[[cancel]]'))
    await until(client, id, 'RUNNING')
    const { output, usage } = await until(client, id, 'CANCELED')
    const times = { submit_time: opened, scheduled_time: time, end_time: time }
    expect(output).toEqual({ task_id: id, task_status: 'CANCELED', ...times })
    expect(usage).toBeUndefined()
    shows('b.get.status', 'b.states.finish')
  })

  it('RUNNING is final for a task with [[never]], since the family has no expiry (Spec, "States and transitions")', async () => {
    const client = world()
    const id = await client.made(tagged('[[never]]'))
    await client.advance('23h')
    expect((await client.get(id)).body.output.task_status).toBe('RUNNING')
  })

  it('come sooner with the prime model (A-run-times)', async () => {
    const endOf = async (model: string) => (await world().finished(textBody({ model }))).output.end_time
    expect((await endOf('model_b_prime')) < (await endOf('model_b'))).toBe(true)
  })
})

describe('UNKNOWN', () => {
  it.each(['00000000-0000-4000-8000-000000000000', 'no-uuid', 'a b/c'])(
    'is the status of the missing task %s, with 200 (Spec, "Errors" rule 4, B-validity)',
    async id => {
      expect(accepted(await world().get(encodeURIComponent(id)))).toEqual(unknown(id))
      shows('b.get.status', 'b.states.unknown-missing')
    },
  )

  it('is the status of tasks of other accounts and worlds (Spec, "Errors" rule 4)', async ({ client }) => {
    const id = await client.made()
    expect((await client.get(id, `${client.key}.other`)).body).toEqual(unknown(id))
    expect((await client.get(id, world().key)).body).toEqual(unknown(id))
    expect((await client.get(id)).body.output.task_status).toBe('PENDING')
    shows('b.errors.foreign')
  })

  it('is the status of another family’s task (Spec, "What the service does" 4)', async ({ client }) => {
    const body = { model: 'model_a_20', content: [{ type: 'text', text: 'a cat' }] }
    const made = await gateway.post('/api/v3/contents/generations/tasks', body, client.key)
    expect((await client.get(made.body.id)).body).toEqual(unknown(made.body.id))
    const id = await client.made()
    expect((await gateway.get(`/api/v3/contents/generations/tasks/${id}`, client.key)).status).toBe(404)
  })

  it('is the status of a task from 24 hours after its creation, to the millisecond (B-validity)', async () => {
    const client = world()
    const id = await client.made()
    await client.advance(`${dayMs - 1}ms`)
    expect((await client.get(id)).body.output.task_status).toBe('SUCCEEDED')
    await client.advance('1ms')
    expect((await client.get(id)).body).toEqual(unknown(id))
    shows('b.states.unknown-past')
  })
})

describe('scripted answers', () => {
  it('a query that is refused with not_found is a 404 in the family’s shape (Spec, "Errors" rule 4)', async () => {
    const client = world()
    const id = await client.made()
    await client.control('PUT', '/scenarios/active', { names: ['unknown-task'] })
    expectError(await client.get(id), { status: 404, code: 'TaskNotFound' })
  })

  it('a success without its address leaves video_url out', async () => {
    const { output, usage } = await world().finished(tagged('[[media:missing_url]]'))
    expect(output).toMatchObject({ task_status: 'SUCCEEDED', orig_prompt: 'a cat' })
    expect(output).not.toHaveProperty('video_url')
    expect(usage.video_count).toBe(1)
  })
})

describe('charges', () => {
  it.each([
    ['model_b', '[[run:5s]]', ['reserved 4.5', 'settled 4.5']],
    ['model_b_prime', '[[run:5s]]', ['reserved 3', 'settled 3']],
    ['model_b', '[[fail:InternalError]]', ['reserved 4.5', 'refunded 4.5']],
    ['model_b', '[[cancel]]', ['reserved 4.5', 'refunded 4.5']],
  ])('of %s with %s are %j (Spec, "What the service does" 7, B-usage)', async (model, tag, lines) => {
    const client = world()
    await client.finished({ ...tagged(tag), model })
    expect(await chargesOf(client)).toEqual(lines)
  })
})

describe('cancelling', () => {
  it('a pending task becomes CANCELED at no cost, and the reply has only the request_id (B-cancel)', async () => {
    const client = world()
    const id = await client.made()
    const reply = await client.cancel(id)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ request_id: reply.headers['x-request-id'] })
    const { body } = await client.get(id)
    expect(body).toEqual({
      request_id: expect.any(String),
      output: { task_id: id, task_status: 'CANCELED', submit_time: opened, end_time: opened },
    })
    expect(await chargesOf(client)).toEqual(['reserved 4.5', 'refunded 4.5'])
  })

  it.each([
    ['RUNNING', ''],
    ['SUCCEEDED', ''],
    ['FAILED', '[[fail:InternalError]]'],
    ['CANCELED', '[[cancel]]'],
  ])('a task that is %s is 400 UnsupportedOperation and unchanged (B-cancel)', async (status, tag) => {
    const client = world()
    const id = await client.made(tagged(tag))
    const before = await until(client, id, status)
    expectError(await client.cancel(id), { code: 'UnsupportedOperation', message: 'PENDING status' })
    expect((await client.get(id)).body.output).toEqual(before.output)
  })

  it('a missing task and a task of another account are refused in the same way (B-cancel)', async () => {
    const client = world()
    const id = await client.made()
    expectError(await client.cancel('nobody'), { code: 'UnsupportedOperation' })
    expectError(await client.cancel(id, `${client.key}.other`), { code: 'UnsupportedOperation' })
    expect((await client.get(id)).body.output.task_status).toBe('PENDING')
  })
})

describe('the list', () => {
  /** The ids of a page, by its query. */
  const found = (client: WorldOfB) => async (query: string) =>
    (await client.list(query)).body.data.map((item: { task_id: string }) => item.task_id)

  it('has each task as upstream writes it, newest first (B-list)', async ({ client }) => {
    const first = await client.made()
    await client.advance({ until: 'idle' })
    const second = await client.made(textBody({ model: 'wan3.0-video' }))
    const body = accepted(await client.list())
    expect(body).toMatchObject({ total: 2, total_page: 1, page_no: 1, page_size: 10 })
    expect(body.data.map((item: { task_id: string }) => item.task_id)).toEqual([second, first])
    expect(body.data[1]).toMatchObject({
      status: 'SUCCEEDED',
      model_name: 'model_b',
      gmt_create: Date.parse('2026-03-01T08:00:00Z'),
      user_api_unique_key: 'apikey:v1:aigc:video-generation:video-synthesis:model_b',
    })
    expect(body.data[1].end_time).toBeGreaterThan(body.data[1].start_time)
    expect(body.data[0]).not.toHaveProperty('start_time')
  })

  it('has pages from 1, and a slash at the end changes nothing (B-list)', async ({ client }) => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift(await client.made())
    const page = found(client)
    expect(await page('/?page_size=2')).toEqual(ids.slice(0, 2))
    expect(await page('?page_size=2&page_no=3')).toEqual(ids.slice(4))
    expect(await page('?page_size=2&page_no=4')).toEqual([])
    expect((await client.list('?page_size=2')).body).toMatchObject({ total: 5, total_page: 3 })
  })

  it('has filters by task, model and status (B-list)', async ({ client }) => {
    const first = await client.made(tagged('[[fail:InternalError]]'))
    await client.advance({ until: 'idle' })
    const second = await client.made(textBody({ model: 'model_b_prime' }))
    const by = found(client)
    expect(await by('?status=FAILED')).toEqual([first])
    expect(await by('?status=PENDING')).toEqual([second])
    expect(await by('?status=UNKNOWN')).toEqual([])
    expect(await by('?model_name=wan3.0-video-prime')).toEqual([second])
    expect(await by(`?task_id=${first}`)).toEqual([first])
  })

  it('covers at most a day in UTC+8; its start or end may be left out (B-list)', async ({ client }) => {
    // 16:00 in UTC+8.
    const first = await client.made()
    await client.advance('6h')
    const second = await client.made()
    const within = found(client)
    expect(await within('?start_time=20260301155959&end_time=20260301160001')).toEqual([first])
    expect(await within('?start_time=20260301160001')).toEqual([second])
    expect(await within('?end_time=20260301215959')).toEqual([first])
    expect(await within('?end_time=20260301155959')).toEqual([])
  })

  it('leaves out outdated tasks and those of other accounts (B-validity, Spec, "Authentication" 2)', async () => {
    const client = world()
    await client.made()
    await client.advance('24h')
    const id = await client.made()
    await client.made(textBody(), `${client.key}.other`)
    const { data, total } = (await client.list()).body
    expect([total, data[0].task_id]).toEqual([1, id])
  })

  it.each([
    ['page_no=0', 'page_no'],
    ['page_size=0', 'page_size'],
    ['page_size=101', 'page_size'],
    ['page_size=ten', 'page_size'],
    ['status=succeeded', 'status'],
    ['start_time=yesterday', 'start_time'],
    ['start_time=20260231000000', 'start_time'],
    ['start_time=20260301000000&end_time=20260302000001', 'end_time'],
    ['start_time=20260302000000&end_time=20260301000000', 'end_time'],
  ])('refuses %s (B-list)', async (query, param) => {
    expectError(await world().list(`?${query}`), { code: 'InvalidParameter', message: `${param}: ` })
  })
})

/** What a mark must not change. */
const shapeOf = ({ codec_name, width, height, channels, nb_read_frames }: Stream) => ({
  codec_name,
  width,
  height,
  channels,
  nb_read_frames,
})

describe('the file', () => {
  const fileOf = async (body: unknown) =>
    (await fetchedFile(gateway, (await world().finished(body)).output.video_url)).file
  const streamsOf = async (parameters: Record<string, unknown>) =>
    probe(await fileOf(textBody({ parameters: { duration: 2, ...parameters } })))

  it.each([
    ['480P', '16:9', 832, 480],
    ['480P', '1:1', 624, 624],
    ['480P', '21:9', 976, 416],
    ['720P', '16:9', 1280, 720],
    ['720P', '3:4', 832, 1104],
    ['1080P', '16:9', 1920, 1080],
    ['1080P', '9:16', 1080, 1920],
  ])(
    'of %s at %s has %i × %i pixels at 30 fps, and stereo sound (B-pixels, B-sound)',
    async (resolution, ratio, width, height) => {
      const { streams, seconds } = await streamsOf({ resolution, ratio })
      const [picture, sound] = streams
      expect(picture).toMatchObject({ codec_name: 'h264', width, height, nb_read_frames: '60' })
      expect(picture?.r_frame_rate).toBe('30/1')
      expect(sound).toMatchObject({ codec_name: 'aac', channels: 2 })
      expect(seconds).toBeCloseTo(2, 1)
    },
  )

  it('has no sound track with audio: false (B-sound)', async () => {
    const { streams } = await streamsOf({ audio: false })
    expect(streams.map(stream => stream.codec_type)).toEqual(['video'])
  })

  it('has other pictures of the same size with a mark (B-parameters)', async () => {
    const parameters = { resolution: '480P', duration: 2 }
    const first = await fileOf(textBody({ parameters }))
    const second = await fileOf(textBody({ parameters: { ...parameters, watermark: true } }))
    expect((await probe(second)).streams.map(shapeOf)).toEqual((await probe(first)).streams.map(shapeOf))
    const pictures = [await frameAt(first, 30), await frameAt(second, 30)] as const
    // The mark is in the lower right corner only.
    const corner = { left: 0.6, top: 0.85, right: 1, bottom: 1 }
    expect(distance(...pictures, 832, corner)).toBeGreaterThan(2)
    expect(distance(...pictures, 832, { left: 0, top: 0, right: 1, bottom: 0.8 })).toBeLessThan(3)
  })

  it('starts with the first frame (B-media)', async () => {
    const media = mediaBody([['first_frame', `${gateway.url}/__emulator/samples/landscape.jpg`]], {
      parameters: { resolution: '480P', duration: 2 },
    })
    const file = await fileOf(media)
    const other = await fileOf(textBody({ parameters: { resolution: '480P', duration: 2 } }))
    const given = await sharp(sample('landscape.jpg'))
      .resize(832, 480, { fit: 'cover' })
      .removeAlpha()
      .raw()
      .toBuffer()
    const middle = { left: 0.2, top: 0.3, right: 0.8, bottom: 0.6 }
    expect(distance(await frameAt(file, 0), given, 832, middle)).toBeLessThan(20)
    expect(distance(await frameAt(other, 0), given, 832, middle)).toBeGreaterThan(30)
  })

  it.for([7, 0, -1])(
    'shows the pictures of the seed %i, with -1 of a random one (B-parameters)',
    async (asked, { client }) => {
      const { output } = await client.finished(textBody({ parameters: { seed: asked } }))
      const { media, seed } = (await client.control('GET', `/tasks/${output.task_id}`)).body
      expect(media[0].recipe.seed).toBe(asked === -1 ? seed : asked)
    },
  )

  it('is downloaded without the Authorization header (Spec, "Authentication" 6)', async ({ client }) => {
    const { output } = await client.finished()
    const refused = await gateway.download(output.video_url, { Authorization: `Bearer ${client.key}` })
    expect(refused.status).toBe(400)
    expect((await gateway.download(output.video_url)).status).toBe(200)
    shows('b.get.download')
  })

  it('has a link that ends 24 hours after success, not after the two hours of family A (A-links, B-validity)', async () => {
    const client = world()
    const { output } = await client.finished(textBody({ parameters: { resolution: '480P', duration: 2 } }))
    await client.advance('3h')
    expect((await gateway.download(output.video_url)).status).toBe(200)
    const again = await gateway.get(`${tasksPath}/${output.task_id}`, client.key)
    expect(again.body.output.video_url).toBe(output.video_url)
    await client.advance('21h')
    expect((await gateway.download(output.video_url)).status).toBe(403)
  })
})
