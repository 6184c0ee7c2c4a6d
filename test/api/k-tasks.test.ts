import { describe, expect } from 'vitest'
import { avatarPath, createPath, expectError, turboPath, voicePath, worldOfK } from '../support/family-k.ts'
import { openingTime } from '../support/gateway.ts'
import { chargesOf } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { fetchedFile, probe } from '../support/video-files.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfK)
const opened = Date.parse(openingTime)

/** A body whose picture is not read, so that creates are quick. */
const quick = (others: Record<string, unknown> = {}) => ({
  contents: [{ type: 'first_frame', url: 'http://pictures.example/a.jpg' }],
  ...others,
})

describe('the states of a batch item', () => {
  it('are submitted, processing, succeeded (Spec, "States and transitions")', async ({ client }) => {
    const id = await client.made(createPath, quick({ external_task_id: 'mine' }))
    const base = { id, create_time: opened, external_id: 'mine' }
    expect(await client.item(id)).toEqual({ ...base, status: 'submitted', update_time: opened, outputs: [] })
    const started = await client.advance({ until: { task: id, status: 'processing' } })
    const running = { status: 'processing', update_time: started.body.now_ms, outputs: [] }
    expect(await client.item(id)).toEqual({ ...base, ...running })
    const ended = await client.advance({ until: { task: id, status: 'succeeded' } })
    expect(await client.item(id)).toEqual({
      ...base,
      status: 'succeeded',
      update_time: ended.body.now_ms,
      outputs: [
        {
          type: 'video',
          id: expect.stringMatching(/^\d{18}$/),
          url: expect.stringContaining(`/${id}/video.mp4?`),
          duration: '5.041',
        },
      ],
    })
    shows('k.states.submitted', 'k.states.finish', 'k.tasks.item', 'k.tasks.outputs')
  })

  it('last as long as assumed: submitted 1 to 3 s, processing 8 to 20 s at 720p (A-run-times)', async () => {
    const client = world()
    for (let i = 0; i < 20; i++) {
      const id = await client.made(createPath, quick())
      const { plan } = (await client.control('GET', `/tasks/${id}`)).body
      const [starts, ends] = [Date.parse(plan.starts_at), Date.parse(plan.ends_at)]
      expect(starts - opened >= 1000 && starts - opened <= 3000, plan.starts_at).toBe(true)
      expect(ends - starts >= 8000 && ends - starts <= 20_200, plan.ends_at).toBe(true)
    }
  })

  it('end in failed with the reason in message, and nothing is charged (Spec, "States and transitions"; K-outputs)', async () => {
    const client = world()
    const id = await client.made(createPath, quick({ prompt: '[[fail:1301]]a boat' }))
    await client.advance({ until: { task: id, status: 'processing' } })
    expect(await client.item(id)).toMatchObject({ status: 'processing' })
    await client.advance({ until: 'idle' })
    const item = await client.item(id)
    const message = 'Failure to pass the risk control system'
    expect(item).toMatchObject({ status: 'failed', message, outputs: [] })
    expect(await chargesOf(client)).toEqual(['reserved 6', 'refunded 6'])
    shows('k.states.finish')
  })

  it.each(['contents', 'prompt'])('can be set by tags in %s, which the task does not store', async place => {
    const client = world()
    const tagged = '[[fail:Odd]] a boat'
    const contents = [{ type: 'prompt', text: tagged }, ...quick().contents]
    const id = await client.made(createPath, place === 'prompt' ? quick({ prompt: tagged }) : { contents })
    await client.advance({ until: 'idle' })
    expect(await client.item(id)).toMatchObject({ status: 'failed', message: 'The task failed (Odd)' })
    expect((await client.control('GET', `/tasks/${id}`)).text).not.toContain('[[')
  })

  it('do not include cancelled: a task that a scenario cancels fails (K-states)', async ({ client }) => {
    const item = await client.finished(createPath, quick({ prompt: '[[cancel]]a boat' }))
    expect(item).toMatchObject({ status: 'failed', message: 'The task was cancelled' })
  })

  it('end with processing for a task that never ends (K-states)', async ({ client }) => {
    const id = await client.made(createPath, quick({ prompt: '[[never]]a boat' }))
    await client.advance('30d')
    expect((await client.item(id))?.status).toBe('processing')
  })
})

describe('the batch query', () => {
  it('gives several tasks in the requested order, each once (Spec, "Family K", endpoints; K-batch)', async () => {
    const client = world()
    const ids: string[] = []
    for (const path of [createPath, turboPath, createPath]) ids.push(await client.made(path, quick()))
    const asked = [ids[2], ids[0], ids[2], ids[1]]
    const { body } = await client.get(`/tasks?task_ids=${asked.join(',')}`)
    expect(idsIn(body)).toEqual([ids[2], ids[0], ids[1]])
    shows('k.tasks.ids')
  })

  it('always gives an array, also for one task and for none (Spec, "Family K", endpoints)', async () => {
    const client = world()
    const id = await client.made(createPath, quick())
    expect((await client.get(`/tasks?task_ids=${id}`)).body.data).toHaveLength(1)
    expect((await client.get('/tasks?task_ids=1')).body.data).toEqual([])
    shows('k.tasks.array')
  })

  it('ignores external ids when task_ids are given too (Spec, "Family K", endpoints)', async ({ client }) => {
    const named = await client.made(createPath, quick({ external_task_id: 'named' }))
    const other = await client.made(createPath, quick())
    const found = async (ids: string) =>
      idsIn((await client.get(`/tasks?task_ids=${ids}&external_task_ids=named`)).body)
    expect([await found(other), await found('1'), await found('')]).toEqual([[other], [], [named]])
    shows('k.tasks.ids-win')
  })

  it('accepts several external ids, with spaces and repeated keys (K-batch)', async ({ client }) => {
    for (const name of ['one', 'two', 'three'])
      await client.made(createPath, quick({ external_task_id: name }))
    const names = async (query: string) =>
      (await client.get(`/tasks?${query}`)).body.data.map((item: { external_id: string }) => item.external_id)
    expect(await names('external_task_ids=two,%20one')).toEqual(['two', 'one'])
    expect(await names('external_task_ids=two&external_task_ids=three')).toEqual(['two', 'three'])
    await client.made(createPath, quick({ external_task_id: ' four ' }))
    expect(await names('external_task_ids=one,%20four%20')).toEqual(['one', ' four '])
    expect(await names('external_task_ids=four')).toEqual([])
    shows('k.tasks.ids')
  })

  it('leaves out unknown ids and those of other accounts and worlds (K-batch)', async ({ client }) => {
    const id = await client.made(createPath, quick({ external_task_id: 'mine' }))
    for (const key of [`${client.key}.other`, `${client.key}-other`]) {
      expect((await client.get(`/tasks?task_ids=${id}`, key)).body.data).toEqual([])
      expect((await client.get('/tasks?external_task_ids=mine', key)).body.data).toEqual([])
    }
  })

  it('leaves out avatars, voices and presets, which have their own queries (Spec, "Family K", endpoints; K-batch)', async () => {
    const client = world()
    const preset = (await client.get('/general/advanced-presets-elements')).body.data[0].task_id
    const [image, sound] = [client.sample('portrait.jpg'), client.sample('voice-8s.mp3')]
    const voice = { voice_name: 'Nora', voice_url: sound, external_task_id: 'voice' }
    const avatar = await client.made(avatarPath, { image, sound_file: sound })
    const ids = [avatar, await client.made(voicePath, voice), preset]
    await client.advance({ until: 'idle' })
    expect((await client.get(`/tasks?task_ids=${ids.join(',')}`)).body.data).toEqual([])
    expect((await client.get('/tasks?external_task_ids=voice')).body.data).toEqual([])
    shows('k.avatar.only-here')
  })

  it('accepts 20 ids and refuses 21 with upstream’s message (K-batch)', async ({ client }) => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1).join(',')
    expect((await client.get(`/tasks?task_ids=${ids(20)}`)).status).toBe(200)
    for (const name of ['task_ids', 'external_task_ids']) {
      expectError(await client.get(`/tasks?${name}=${ids(21)}`), {
        param: name,
        message: /^task_ids and external_task_ids cannot exceed 20 in total$/,
      })
    }
  })

  it.each(['', '?task_ids=', '?task_ids=,', '?ids=1'])(
    'needs one of its parameters; "%s" has none (K-batch)',
    async query => {
      expectError(await world().get(`/tasks${query}`), { param: 'task_ids or external_task_ids' })
    },
  )

  it('finds external ids after a snapshot was restored, and forgets later ones', async ({ client }) => {
    await client.made(createPath, quick({ external_task_id: 'kept' }))
    await client.control('POST', '/snapshots', { name: 'then' })
    await client.made(createPath, quick({ external_task_id: 'lost' }))
    await client.control('POST', '/snapshots/then/restore')
    const { body } = await client.get('/tasks?external_task_ids=kept,lost')
    expect(body.data).toMatchObject([{ external_id: 'kept' }])
    await client.made(createPath, quick({ external_task_id: 'lost' }))
  })
})

describe('a result', () => {
  it.each([
    [turboPath, '720p', 3, [1280, 720], 2],
    [createPath, '1080p', 4, [1920, 1080], 1],
  ])(
    'of %s at %s for %i s is a playable file of exactly the reported length (K-duration, K-size)',
    async (path, resolution, duration, [width, height], tracks) => {
      const client = world()
      const item = await client.finished(path, client.frameBody({ settings: { resolution, duration } }))
      const [output] = item.outputs
      expect(output.duration).toBe(`${duration}.041`)
      const { file, headers } = await fetchedFile(gateway, output.url)
      const { streams, seconds } = await probe(file)
      expect(headers.get('content-type')).toBe('video/mp4')
      expect(streams).toHaveLength(tracks)
      expect(streams[0]).toMatchObject({ width, height, nb_read_frames: String(24 * duration + 1) })
      expect(Number(streams[0]?.duration)).toBeCloseTo((24 * duration + 1) / 24, 3)
      expect(seconds).toBeGreaterThanOrEqual(duration)
    },
  )

  it('has a second, marked file if a watermark is requested (K-outputs)', async ({ client }) => {
    const plain = await client.finished(createPath, quick({ settings: { duration: 3 } }))
    expect(plain.outputs[0]).not.toHaveProperty('watermark_url')
    const watermark_info = { enabled: true }
    for (const watermark of [{ watermark_info }, { options: { watermark_info } }]) {
      const body = quick({ settings: { duration: 3 }, ...watermark })
      const { url, watermark_url } = (await client.finished(createPath, body)).outputs[0]
      const [clean, marked] = [await gateway.download(url), await gateway.download(watermark_url)]
      expect([clean.status, marked.status]).toEqual([200, 200])
      expect(clean.bytes.equals(marked.bytes)).toBe(false)
    }
  })

  it('keeps its link from poll to poll until it expires after 30 days (K-links)', async ({ client }) => {
    const item = await client.finished(createPath, quick({ settings: { duration: 3 } }))
    await client.advance('1h')
    expect((await client.item(item.id))?.outputs).toEqual(item.outputs)
    await client.advance('29d')
    expect((await gateway.download(item.outputs[0].url)).status).toBe(200)
    await client.advance('1d')
    expect((await gateway.download(item.outputs[0].url)).status).toBe(403)
  })

  it('has no url when a scenario leaves it out', async ({ client }) => {
    const item = await client.finished(createPath, quick({ prompt: '[[media:missing_url]]x' }))
    expect(item.outputs[0]).toEqual({ type: 'video', id: expect.any(String), duration: '5.041' })
  })

  it('can be the input of the next task', async ({ client }) => {
    const [output] = (await client.finished(createPath, client.frameBody({ settings: { duration: 5 } })))
      .outputs
    const contents = [{ type: 'base_video', url: output.url }]
    const item = await client.finished('/omni-video/model_k_30', { prompt: 'Make it winter', contents })
    expect(item.outputs[0].duration).toBe('5.041')
  })
})

function idsIn(body: { data: { id: string }[] }): string[] {
  return body.data.map(({ id }) => id)
}
