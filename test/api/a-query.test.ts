import { describe, expect } from 'vitest'
import { expectError, image, tasksPath, text, textBody, video, worldOfA } from '../support/family-a.ts'
import { openingTime } from '../support/gateway.ts'
import { plainPicture } from '../support/input-samples.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it, sample: at } = await inWorldsOf(worldOfA)
const openedAt = Date.parse(openingTime) / 1000

describe('the states of a task (Spec, "States and transitions", A)', () => {
  it('are queued, running and succeeded, and then do not change', async ({ client }) => {
    const id = await client.made()
    const seen: string[] = []
    for (let i = 0; i < 4; i++) {
      seen.push((await client.get(id)).body.status)
      await client.advance({ until: 'next' })
    }
    expect(seen).toEqual(['queued', 'running', 'succeeded', 'succeeded'])
    shows('a.states.start', 'a.states.success')
  })

  it('waits 1 to 3 s, then runs 8 to 20 s for five seconds of 720p (A-run-times)', async ({ client }) => {
    for (let i = 0; i < 20; i++) await client.made()
    const { body } = await client.control('GET', '/tasks')
    expect(body.items).toHaveLength(20)
    for (const { created_at, plan } of body.items) {
      const queuedMs = Date.parse(plan.starts_at) - Date.parse(created_at)
      const runningMs = Date.parse(plan.ends_at) - Date.parse(plan.starts_at)
      expect(queuedMs >= 1000 && queuedMs <= 3000, `queued for ${queuedMs} ms`).toBe(true)
      expect(runningMs >= 8000 && runningMs <= 20_000, `running for ${runningMs} ms`).toBe(true)
    }
  })

  it('a running task becomes failed on failure (Spec, "States and transitions", A)', async ({ client }) => {
    const content = [text('a cat [[queue:1s]] [[run:1s]] [[fail:InternalServiceError]]')]
    const id = await client.made(textBody({ content }))
    for (const status of ['queued', 'running', 'failed']) {
      expect((await client.get(id)).body.status).toBe(status)
      await client.advance('1s')
    }
    shows('a.states.failure')
  })

  it('a poll changes nothing: after ten polls the record is the same', async ({ client }) => {
    const id = await client.made()
    const first = await client.get(id)
    for (let i = 0; i < 10; i++) expect((await client.get(id)).body).toEqual(first.body)
  })

  it.for([
    ['[[fail:OutputVideoSensitiveContentDetected]]', 'failed'],
    ['[[cancel]]', 'cancelled'],
    ['[[expire]]', 'expired'],
  ] as const)(
    'a task with %s ends %s, a final state (Spec, "States and transitions", note 1)',
    async ([tag, status], { client }) => {
      const record = await client.finished(textBody({ content: [text(`a cat ${tag}`)] }))
      expect(record.status).toBe(status)
      await client.advance('3d')
      expect((await client.get(record.id)).body.status).toBe(status)
      shows('a.record.status', 'a.states.terminal')
    },
  )
})

describe('a task that a scenario cancels (Spec, "States and transitions", A; A-cancel)', () => {
  it('is cancelled when it would have started, and never runs', async ({ client }) => {
    const id = await client.made(textBody({ content: [text('a cat [[cancel]] [[queue:10s]] [[run:1m]]')] }))
    await client.advance('9999ms')
    expect((await client.get(id)).body.status).toBe('queued')
    await client.advance('1ms')
    expect((await client.get(id)).body.status).toBe('cancelled')
    const { timeline } = (await client.control('GET', `/tasks/${id}`)).body
    expect(timeline.map(({ to }: { to: string }) => to)).toEqual(['queued', 'cancelled'])
  })

  it('cannot be running: forcing that is 409 and changes nothing', async ({ client }) => {
    const [running, queued] = [await client.made(), await client.made()]
    const force = (id: string, status: string) => client.control('POST', `/tasks/${id}/force`, { status })
    await force(running, 'running')
    expect((await force(running, 'cancelled')).status).toBe(409)
    expect((await client.get(running)).body.status).toBe('running')
    expect((await force(queued, 'cancelled')).body.view.status).toBe('cancelled')
  })
})

describe('expiry (Spec, "Family A: create request", expiry seconds)', () => {
  it.each([3600, 86_400, 259_200])('a task unfinished %i s after its creation is expired', async seconds => {
    const client = world()
    const content = [text('[[never]] a cat')]
    const id = await client.made(textBody({ content, execution_expires_after: seconds }))
    await client.advance(`${seconds * 1000 - 1}ms`)
    expect((await client.get(id)).body.status).toBe('running')
    await client.advance('1ms')
    const { body } = await client.get(id)
    expect(body).toMatchObject({ status: 'expired', updated_at: openedAt + seconds })
    for (const key of ['content', 'usage']) expect(body).not.toHaveProperty(key)
    shows('a.create.expiry-expires', 'a.states.expire')
  })

  it('also expires a queued task (Spec, "States and transitions", A, queued or running)', async () => {
    const client = world()
    const content = [text('[[queue:2h]] a cat')]
    const id = await client.made(textBody({ content, execution_expires_after: 3600 }))
    expect((await client.get(id)).body.status).toBe('queued')
    const { body } = await client.advance('1h')
    expect(body.events).toEqual([expect.objectContaining({ task_id: id, from: 'queued', to: 'expired' })])
    expect((await client.get(id)).body.status).toBe('expired')
    shows('a.states.expire')
  })
})

describe('the record (Spec, "Family A: task record")', () => {
  const always = ['id', 'model', 'status', 'created_at', 'updated_at']

  it('has neither content nor usage nor error before success (upstream)', async ({ client }) => {
    const id = await client.made()
    for (const status of ['queued', 'running']) {
      const { body } = await client.get(id)
      expect(body.status).toBe(status)
      expect(Object.keys(body)).toEqual(expect.arrayContaining(always))
      for (const key of ['content', 'usage', 'error', 'ratio', 'duration', 'output_format'])
        expect(body).not.toHaveProperty(key)
      await client.advance({ until: 'next' })
    }
  })

  it('has every field on success', async () => {
    const record = await world().finished(
      textBody({ resolution: '1080p', ratio: '4:3', duration: 6, output_format: 'mov' }),
    )
    expect(record).toEqual({
      id: expect.any(String),
      model: 'model_a_25',
      status: 'succeeded',
      content: { video_url: expect.stringContaining(`${gateway.url}/`) },
      usage: { completion_tokens: expect.any(Number), total_tokens: expect.any(Number) },
      seed: expect.any(Number),
      resolution: '1080p',
      ratio: '4:3',
      duration: 6,
      framespersecond: 24,
      generate_audio: true,
      output_format: 'mov',
      created_at: openedAt,
      updated_at: expect.any(Number),
      service_tier: 'default',
      execution_expires_after: 172_800,
      draft: false,
      priority: 0,
    })
    expect(Number.isInteger(record.seed) && record.seed >= 0 && record.seed <= 2_147_483_647).toBe(true)
    shows('a.record.id', 'a.record.video-url', 'a.record.seed', 'a.record.resolution-ratio')
    shows('a.record.fps', 'a.get.reply')
  })

  it('has created_at and updated_at in whole Unix seconds, updated when the status changed (A-times)', async () => {
    const client = world()
    const id = await client.made()
    const { timeline } = (await client.control('GET', `/tasks/${id}`)).body
    for (const { at: moment } of timeline) {
      await client.advance({ to: moment })
      const { body } = await client.get(id)
      expect(body).toMatchObject({ created_at: openedAt, updated_at: Math.floor(Date.parse(moment) / 1000) })
    }
    expect(timeline).toHaveLength(3)
    shows('a.record.times')
  })

  it('has code and message of a failure, and no content and no usage (Spec, "Family A: task record", error)', async () => {
    const content = [text('[[fail:OutputVideoSensitiveContentDetected]] a cat')]
    const record = await world().finished(textBody({ content }))
    expect(record.error).toEqual({
      code: 'OutputVideoSensitiveContentDetected',
      message: expect.stringMatching(/sensitive information\. Request id: 02\d{13}[0-9a-f]{35}$/),
    })
    for (const key of ['content', 'usage']) expect(record).not.toHaveProperty(key)
    shows('a.record.error')
  })

  it('of a cancelled task has no error, content or usage (upstream)', async ({ client }) => {
    const id = await client.made()
    await client.remove(id)
    const { body } = await client.get(id)
    expect(body.status).toBe('cancelled')
    for (const key of ['content', 'usage', 'error']) expect(body).not.toHaveProperty(key)
  })

  it('an unknown tag is refused, with the path of its text', async () => {
    const content = [text('a cat'), text('asleep [[nevr]]')]
    const message = '`content[1].text` specified in the request is not valid: [[nevr]] is not a known tag'
    await world().refused(textBody({ content }), { param: 'content[1].text', message })
  })

  it('prompt tags are removed from the prompt', async ({ client }) => {
    const id = await client.made(textBody({ content: [text('[[queue:5s]] a cat [[run:1m]]')] }))
    const task = (await client.control('GET', `/tasks/${id}`)).body
    expect(task.job.prompt.trim().replace(/\s+/g, ' ')).toBe('a cat')
    expect(Date.parse(task.plan.ends_at) - Date.parse(task.plan.starts_at)).toBe(60_000)
  })
})

describe('usage (A-usage, upstream)', () => {
  const clip = () => video(at('clip-720p-5s.mp4'))
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['720p 16:9 5 s', textBody(), 108_900],
    ['720p 16:9 4 s', textBody({ duration: 4 }), 87_300],
    ['1080p 16:9 5 s', textBody({ resolution: '1080p' }), 245_025],
    ['480p 16:9 5 s on 2.0', textBody({ resolution: '480p', model: 'model_a_20' }), 50_638],
    ['5 s in and 5 s out on 2.0 at 720p', textBody({ model: 'model_a_20', content: [text('a'), clip()] }), 216_900],
    ['5 s in and 5 s out on 2.0 at 480p, rounded down', textBody({ model: 'model_a_20', resolution: '480p', content: [text('a'), clip()] }), 100_858],
    ['10 s in and 5 s more by extension, which lacks the extra frame', textBody({ ratio: 'adaptive', omni_reference_task_type: 'extend', content: [text('a'), clip(), clip()] }), 324_000],
    ['30 s in and 30 s out on 2.5', textBody({ duration: 30, content: [text('a'), ...Array.from({ length: 6 }, clip)] }), 1_296_900],
    ['an edit: 5 s in, 5 s out', { model: 'model_a_25', content: [text('remove the balloon'), clip()] }, 216_900],
  ],
  )('%s is exactly as measured upstream', async (_, body, tokens) => {
    const { usage } = await world().finished(body)
    expect(usage).toEqual({ completion_tokens: tokens, total_tokens: tokens })
    shows('a.record.usage')
  })
})

describe('geometry (upstream)', () => {
  const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']

  it.each([
    ['model_a_20', '480p', '864x496 752x560 640x640 560x752 496x864 992x432'],
    ['model_a_20', '720p', '1280x720 1112x834 960x960 834x1112 720x1280 1470x630'],
    ['model_a_20', '1080p', '1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946'],
    ['model_a_20', '4k', '3840x2160 3326x2494 2880x2880 2494x3326 2160x3840 4398x1886'],
    ['model_a_25', '480p', '854x480 752x560 640x640 560x752 480x854 992x432'],
    ['model_a_25', '720p', '1280x720 1112x834 960x960 834x1112 720x1280 1470x630'],
    ['model_a_25', '1080p', '1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946'],
  ])(
    '%s %s has for each ratio the pixels %s, and 97 frames for 4 s (A-frames, A-usage)',
    async (...cells) => {
      const [model, resolution, sizes] = cells
      for (const [place, size] of sizes.split(' ').entries()) {
        const client = world()
        const id = await client.made(textBody({ model, resolution, ratio: ratios[place], duration: 4 }))
        await client.advance({ until: 'idle' })
        const task = (await client.control('GET', `/tasks/${id}`)).body
        const [width = 0, height = 0] = size.split('x').map(Number)
        expect(task.media[0].recipe).toMatchObject({ width, height, fps: 24, frames: 97 })
        const { usage } = (await client.get(id)).body
        expect(usage.completion_tokens).toBe(Math.floor((width * height * 97) / 1024))
      }
    },
  )
})

describe('adaptive follows the inputs (upstream)', () => {
  const recipeOf = async (body: Record<string, unknown>) => {
    const client = world()
    const record = await client.finished(body)
    const { media } = (await client.control('GET', `/tasks/${record.id}`)).body
    return { ratio: record.ratio, width: media[0].recipe.width, height: media[0].recipe.height }
  }

  it.each(['model_a_20', 'model_a_25'])(
    'a first frame of 16:9 or 9:16 gives the table’s pixels on %s',
    async model => {
      const body = (name: string) => ({ model, duration: 4, content: [image(at(name))] })
      expect(await recipeOf(body('landscape.jpg'))).toEqual({ ratio: '16:9', width: 1280, height: 720 })
      expect(await recipeOf(body('portrait.jpg'))).toEqual({ ratio: '9:16', width: 720, height: 1280 })
    },
  )

  it('a first frame of another shape gives about as many pixels; on 2.5 the ratio is unlisted, on 2.0 a listed one, and so is the file (A-adaptive)', async () => {
    const content = [image(await plainPicture(1000, 800))]
    const newer = await recipeOf({ model: 'model_a_25', duration: 4, content })
    expect(newer.ratio).toBe('5:4')
    expect(newer.width / newer.height).toBeCloseTo(1.25, 1)
    expect(newer.width * newer.height).toBeGreaterThan(1280 * 720 * 0.97)
    expect(newer.width * newer.height).toBeLessThan(1280 * 720 * 1.03)
    expect([newer.width % 2, newer.height % 2]).toEqual([0, 0])
    const older = await recipeOf({ model: 'model_a_20', duration: 4, content })
    expect(older.ratio).toBe('4:3')
    expect(older.width / older.height).toBeCloseTo(4 / 3, 2)
  })

  it.each([
    [555, '16:9'],
    [548, '11:6'],
  ])(
    'on 2.5 a first frame of 1000 × %d px has the ratio %s: a listed one within 2 %',
    async (height, ratio) => {
      const content = [image(await plainPicture(1000, height))]
      expect((await recipeOf({ model: 'model_a_25', duration: 4, content })).ratio).toBe(ratio)
    },
  )

  it('the first frame wins over the last', async () => {
    const content = [image(at('portrait.jpg'), 'last_frame'), image(at('landscape.jpg'), 'first_frame')]
    expect((await recipeOf({ model: 'model_a_25', duration: 4, content })).ratio).toBe('16:9')
  })

  it.each([
    ['extend', 'clip-silent.mp4', { ratio: '9:16', width: 720, height: 1280 }],
    ['extend', 'clip-720p-5s.mp4', { ratio: '16:9', width: 1280, height: 720 }],
    ['edit', 'clip-720p-5s.mp4', { ratio: '16:9', width: 1280, height: 720 }],
  ])('%s follows the input video %s', async (omni_reference_task_type, name, shape) => {
    const content = [video(at(name))]
    expect(await recipeOf({ model: 'model_a_25', omni_reference_task_type, content })).toEqual(shape)
  })
})

describe('404 (Spec, "Errors" rule 4)', () => {
  it.each(['cgt-20260301160000-zzzzz', 'x', '%00', encodeURIComponent('../../secret'), 'a'.repeat(3000)])(
    'for a task that does not exist: %s',
    async id => {
      const missing = { status: 404, code: 'ResourceNotFound', type: 'NotFound', message: 'not found' }
      expectError(await world().get(id), missing)
      shows('a.get.missing')
    },
  )

  it('for a task of another account, with the message of a missing one', async ({ client }) => {
    const id = await client.made()
    const other = await client.get(id, `${client.key}.other`)
    expectError(other, { status: 404, code: 'ResourceNotFound', param: 'task_id' })
    const missing = await client.get(id.replace(/.$/, '1'), `${client.key}.other`)
    const shape = (answer: typeof other) => answer.body.error.message.replace(/cgt-\S+|Request id.*/g, '')
    expect(shape(other)).toBe(shape(missing))
    shows('a.get.foreign', 'all.auth.owner')
  })

  it('for a task older than 7 days, and not before (A-list)', async ({ client }) => {
    const id = await client.made()
    await client.advance('7d')
    expect((await client.get(id)).status).toBe(200)
    await client.advance('1ms')
    expectError(await client.get(id), { status: 404 })
    expectError(await client.remove(id), { status: 404 })
  })

  it.each([
    ['POST', '/v3/contents/generations/tasks', '/api/v3/contents/generations/tasks'],
    ['POST', '/api/v2/video_generation', '/v2/video_generation'],
    ['POST', '/v1/video_generation', '/v2/video_generation'],
    ['POST', '/contents/generations/tasks', '/api/v3/contents/generations/tasks'],
    ['POST', '//api/v3/contents/generations/tasks', '/api/v3/contents/generations/tasks'],
    ['POST', '/API/v3/contents/generations/tasks', '/api/v3/contents/generations/tasks'],
    ['POST', '/api/v3/contents/generations/task', '/api/v3/contents/generations/tasks'],
    ['POST', '/api/v3/contents/generations/tasks/1/content', '/api/v3/contents/generations/tasks/1'],
    ['POST', '/v1/images/generations', '/api/v3/images/generations'],
    ['POST', '/v1/general/custom-voices/1', '/general/custom-voices/1'],
    ['POST', '/v1/tasks', '/api/v1/tasks or /tasks'],
    ['POST', '/v1/videos/image2video', undefined],
    ['POST', '/v1/chat/completions', undefined],
    ['POST', '/api/v3', undefined],
    ['POST', '/api/contents/generations/tasks', '/api/v3/contents/generations/tasks'],
    ['GET', '/v3/contents/generations/tasks', '/api/v3/contents/generations/tasks'],
    ['GET', '/api/v2/contents/generations/tasks', '/api/v3/contents/generations/tasks'],
    // These name no task: they are unknown paths, not tasks with an empty id.
    ['GET', '/api/v3/contents/generations/tasks//', '/api/v3/contents/generations/tasks'],
    ['DELETE', '/v2/video_generation//', '/v2/video_generation'],
    ['POST', '/image-to-video/', undefined],
    ['GET', '/api/v1/tasks//', '/api/v1/tasks'],
  ])(
    'for %s %s, with a hint to %s: only an existing path is a hint (A-paths; Spec, "Endpoints", Family A)',
    async (method, path, meant) => {
      const { status, headers, body } = await gateway.call(method, path, method === 'POST' ? {} : undefined)
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      const message = `The path ${path} does not exist${hint}`
      expect({ status, ...body.error }).toEqual({ status: 404, code: 'not_found', message })
      expect(headers['content-type']).toContain('application/json')
      shows('a.path.prefix')
    },
  )
})

describe('headers and paths', () => {
  it('a wrong path has the headers of every reply, also for pages of a front end (A-headers, A-paths)', async () => {
    const client = world()
    await client.advance('1d')
    const headers = { 'X-Client-Request-Id': 'mine', Origin: 'http://localhost:5173' }
    const reply = await gateway.call('GET', '/v3/contents/generations/tasks?page_num=1', undefined, {
      key: client.key,
      headers,
    })
    expect(reply.status).toBe(404)
    expect(reply.body.error.message).toContain('did you mean /api/v3/contents/generations/tasks?')
    expect(reply.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      'x-client-request-id': 'mine',
      'x-emulator-world': client.key.slice('sk-test-'.length),
      'access-control-allow-origin': 'http://localhost:5173',
      date: new Date(Date.parse(openingTime) + 86_400_000).toUTCString(),
    })
  })

  it('a wrong path is in the journal of the key’s world (A-paths)', async ({ client }) => {
    await gateway.call('POST', '/v3/contents/generations/tasks', textBody(), { key: client.key })
    await gateway.call('GET', '/favicon.ico', undefined, { key: null })
    const { body } = await client.control('GET', '/requests')
    expect(body.items).toMatchObject([
      { operation: 'unknown', method: 'POST', path: '/v3/contents/generations/tasks', status: 404 },
    ])
    expect(JSON.stringify(body.items)).not.toContain(client.key)
  })

  it('every reply has X-Request-Id, and echoes X-Client-Request-Id (A-headers)', async ({ client }) => {
    const headers = { 'X-Client-Request-Id': '2026030116-client-0001' }
    const made = await gateway.call('POST', tasksPath, textBody(), { key: client.key, headers })
    const missing = await gateway.call('GET', `${tasksPath}/none`, undefined, { key: client.key, headers })
    const wrongKey = await gateway.call('GET', `${tasksPath}/none`, undefined, { key: 'no', headers })
    const ids = [made, missing, wrongKey].map(reply => {
      expect(reply.headers['x-client-request-id']).toBe('2026030116-client-0001')
      return reply.headers['x-request-id']
    })
    expect(ids[0]).not.toBe(ids[1])
    for (const id of ids) expect(id).toMatch(/^02\d{13}[0-9a-f]{35}$/)
  })

  it('an error’s message ends with the request id of the header (upstream)', async () => {
    const reply = await world().get('none')
    expect(reply.body.error.message.endsWith(`Request id: ${reply.headers['x-request-id']}`)).toBe(true)
  })

  it('the emulator adds only the headers X-Emulator-World and X-Emulator-Rule', async ({ client }) => {
    const plain = await client.create(textBody())
    const ruled = await client.create(textBody({ content: [text('a cat [[queue:1s]]')] }))
    const own = (answer: typeof plain) =>
      Object.keys(answer.headers)
        .filter(name => name.startsWith('x-'))
        .sort()
    expect(own(plain)).toEqual(['x-emulator-world', 'x-request-id'])
    expect(own(ruled)).toEqual(['x-emulator-rule', 'x-emulator-world', 'x-request-id'])
    expect(plain.headers['x-powered-by']).toBeUndefined()
  })
})
