import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { refusals } from '../../src/emulator/scenarios/refusals.ts'
import { bodyOf } from '../support/any-family.ts'
import { rows } from '../support/contract.ts'
import { textBody as bodyOfA, tasksPath as tasksOfA, worldOfA } from '../support/family-a.ts'
import { textBody as bodyOfB, mediaBody, worldOfB } from '../support/family-b.ts'
import * as c from '../support/family-c.ts'
import { worldOfImages } from '../support/family-image.ts'
import { avatarPath, createPath, presetsPath, voicePath, worldOfK } from '../support/family-k.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'

/** Lines of the specification that no other file shows. docs/fidelity.md has them all. */
const gateway = await openGateway()
let next = 0
const name = () => `line-${next++}`
const sample = (file: string) => `${gateway.url}/__emulator/samples/${file}`

const wordsOfC = 'authorized_error permission_error insufficient_balance_error rate_limit_error'

/**
 * The create of each family, the parts of its errors, and its words for a missing key, a model without a right, a low balance, and too many
 * requests.
 */
// biome-ignore format: a table, one row a line
const creates = [
  ['a.create', '/api/v3/contents/generations/tasks', ['code', 'message', 'param', 'type'], 'AuthenticationError AccessDenied AccountOverdueError AccountRateLimitExceeded'],
  ['b.create', '/api/v1/services/aigc/video-generation/video-synthesis', [], 'InvalidApiKey Model.AccessDenied Arrearage Throttling.RateQuota'],
  ['c.create', '/v2/video_generation', ['http_code', 'message', 'type'], wordsOfC],
  ['special.create', '/special/v2/video_generation', ['http_code', 'message', 'type'], wordsOfC],
  ['k.create', createPath, ['code', 'message', 'param', 'type'], '1002 1103 1102 1302'],
  ['image.generate', '/api/v3/images/generations', ['code', 'message'], 'AuthenticationError AccessDenied AccountOverdueError RateLimitExceeded'],
] as const

const rowOf = (operation: string) => {
  const row = rows.find(({ title }) => title === operation)
  if (!row) throw new Error(`no operation ${operation}`)
  return row
}
const exampleOf = (operation: string) => bodyOf(rowOf(operation), gateway)

describe.each(creates)('%s', (operation, path, parts, words) => {
  it('answers below its version prefix (Spec, "Versioning" 2)', async () => {
    expect((await gateway.post(path, exampleOf(operation), `sk-test-${name()}`)).status).toBe(200)
    const other = path.replace(/\/v[123]\//, '/v9/')
    if (other !== path) expect((await gateway.post(other, {}, `sk-test-${name()}`)).status).toBe(404)
    shows(
      'a.versioning.path',
      'b.versioning.path',
      'c.versioning.path',
      'special.versioning.path',
      'image.versioning.path',
    )
  })

  it('refuses in its own shape (Spec, "Errors")', async () => {
    const bad = { ...exampleOf(operation), callback_url: 'https://example.com' }
    const { status, body } = await gateway.post(path, bad, `sk-test-${name()}`)
    expect(status).toBe(400)
    const inner = parts.length > 0 ? body.error : body
    expect(Object.keys(inner).sort()).toEqual(parts.length > 0 ? parts : ['code', 'message', 'request_id'])
    expect(inner.message).toMatch(/\S/)
    const word = { a: 'BadRequest', c: 'bad_request_error', special: 'bad_request_error' }[
      operation.split('.')[0] as 'a'
    ]
    if (word) expect(inner.type).toBe(word)
    if (/^(b|image)/.test(operation)) expect(inner.code).toMatch(/^InvalidParameter/)
    shows(
      'a.errors.shape',
      'b.errors.shape',
      'c.errors.shape',
      'c.errors.bad-request',
      'k.errors.shape',
      'image.errors.shape',
      'image.errors.parameter',
    )
  })

  it('answers the statuses that its specification declares, with its own words (Spec, "Errors"; A-403, A-rate)', async () => {
    const world = name()
    const control = (method: string, below: string, body?: unknown) =>
      gateway.control(method, `/worlds/${world}${below}`, body)
    const account = (change: object) => control('PATCH', '/accounts/default', change)
    const ask = async (body: unknown, key: string | null = `sk-test-${world}`) => {
      const reply = await gateway.call('POST', path, body, { key })
      const { error = reply.body, message = error.message } = reply.body
      if (reply.status === 429) expect(reply.headers['retry-after']).toBe('60')
      return { status: reply.status, word: error.code ?? error.type, message }
    }
    const good = exampleOf(operation)
    const [noKey, noRight, lowBalance, tooMany] = words.split(' ')
    expect((await ask({ prompt: 7 })).status).toBe(400)
    expect(await ask(good, null)).toMatchObject({ status: 401, word: noKey })
    await account({ models: [] })
    const right = await ask(good)
    expect(right).toMatchObject({ status: 403, word: noRight })
    expect(right.message).toContain('may not use the model')
    await account({ models: null, balance: 0.01 })
    expect(await ask(good)).toMatchObject({ status: 403, word: lowBalance })
    for (const list of ['/tasks', '/ledger']) expect((await control('GET', list)).body.items).toEqual([])
    await account({ balance: null, requests_per_minute: 1 })
    // A task waits up to a minute for its start, and an image does not wait.
    for (let fitting = operation === 'image.generate' ? 1 : 2; fitting > 0; fitting--)
      expect((await ask(good)).status).toBe(200)
    expect(await ask(good)).toMatchObject({ status: 429, word: tooMany })
    const seen = [400, 401, 403, 429]
    // What is left is another operation’s, a large body’s or a failure’s, which other files show.
    const declared = refusals[operation].flatMap(({ by, statuses }) => (by === 'assumed' ? [] : statuses))
    expect(declared.filter(status => !seen.includes(status)).sort()).toEqual(
      { special: [404], image: [413, 500, 503] }[operation.split('.')[0] as 'image'] ?? [],
    )
    shows(
      'a.create.refusals',
      'b.create.refusals',
      'c.create.refusals',
      'special.create.refusals',
      'special.errors.statuses',
      'k.errors.4xx',
      'image.errors.key',
      'image.errors.right',
    )
  })
})

it('one key serves every family and the asset library (Spec, "Authentication" 1)', async () => {
  const world = name()
  const url = sample('portrait.jpg')
  const { body: asset } = await gateway.call('POST', `/__emulator/worlds/${world}/assets`, {
    kind: 'image',
    url,
  })
  for (const [operation, path] of creates)
    expect((await gateway.post(path, exampleOf(operation), `sk-test-${world}`)).status, operation).toBe(200)
  const frame = { type: 'image_url', image_url: { url: asset.reference }, role: 'first_frame' }
  const body = bodyOfA({ ratio: 'adaptive', content: [frame] })
  expect((await gateway.post(tasksOfA, body, `sk-test-${world}`)).status).toBe(200)
  shows('all.auth.one-key')
})

it('a watermark is put on the video only if requested (Spec, "Family A: create request", watermark)', async () => {
  const client = worldOfA(gateway, name())
  const recipe = async (changes: object) => {
    const id = await client.made(bodyOfA(changes as Record<string, unknown>))
    await client.advance({ until: 'idle' })
    const { body } = await client.control('GET', `/tasks/${id}`)
    return body.media[0].recipe.mark
  }
  expect(await recipe({ watermark: true })).toBe(true)
  expect(await recipe({ watermark: false })).toBe(false)
  expect(await recipe({})).toBe(false)
  shows('a.create.watermark', 'a.create.mark')
})

it.each([
  ['model_a_20', 'a'],
  ['model_a_25', 'a'],
  ['model_image', 'image'],
])('%s is published with the date of a snapshot (Spec, "Versioning" 3)', async (model, family) => {
  const dated = { model_a_20: '260128', model_a_25: '260628', model_image: '260628' }[model]
  const body = family === 'a' ? bodyOfA() : { prompt: 'a kite' }
  const path = family === 'a' ? tasksOfA : '/api/v3/images/generations'
  const key = `sk-test-${name()}`
  expect((await gateway.post(path, { ...body, model: `${model}-${dated}` }, key)).status).toBe(200)
  expect((await gateway.post(path, { ...body, model: `${model}-200101` }, key)).status).toBe(400)
  shows('a.versioning.snapshot', 'image.versioning.snapshot')
})

describe('family B', () => {
  it('both models of family B accept the same requests (Spec, "What the service does" 4)', async () => {
    const client = worldOfB(gateway, name())
    const bodies = [
      {},
      { parameters: { resolution: '720P', duration: 10 } },
      { parameters: { resolution: '999P' } },
      { parameters: { duration: 99 } },
      { input: { prompt: null } },
    ]
    for (const changes of bodies) {
      const [plain, prime] = [
        await client.create(bodyOfB(changes)),
        await client.create(bodyOfB({ ...changes, model: 'model_b_prime' })),
      ]
      expect(prime.status, JSON.stringify(changes)).toBe(plain.status)
    }
    const frame = mediaBody([['first_frame', sample('landscape.jpg')]], { model: 'model_b_prime' })
    expect((await client.create(frame)).status).toBe(200)
    shows('b.service.same-usage')
  })

  it('a succeeded task of family B has every field with its type (Spec, "Family B")', async () => {
    const client = worldOfB(gateway, name())
    const id = await client.made()
    await client.advance({ until: 'idle' })
    const { body } = await client.get(id)
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
    expect(body).toMatchObject({
      request_id: expect.stringMatching(/./),
      output: {
        task_id: id,
        task_status: 'SUCCEEDED',
        submit_time: moment,
        scheduled_time: moment,
        end_time: moment,
        orig_prompt: 'a lighthouse at dawn',
        video_url: expect.stringMatching(/^http/),
      },
      usage: {
        video_count: 1,
        duration: 5,
        input_video_duration: 0,
        output_video_duration: 5,
        ratio: '16:9',
      },
    })
    for (const whole of ['video_count', 'fps', 'SR']) expect(body.usage[whole]).toSatisfy(Number.isInteger)
    shows(
      'b.get.request-id',
      'b.get.task-id',
      'b.get.times',
      'b.get.orig-prompt',
      'b.get.video-url',
      'b.get.video-count',
      'b.get.fps',
    )
  })
})

describe('family C', () => {
  it.each(c.variants)(
    'a task of $id has every field with its type (Spec, "Family C and C-special")',
    async variant => {
      const task = await c.worldOfC(gateway, variant, name()).finished(c.textBody({ duration: 6 }))
      expect(task).toMatchObject({
        id: expect.any(String),
        model: 'model_c',
        status: 'succeeded',
        content: { url: expect.stringMatching(/^http/) },
        resolution: '768P',
        duration: 6,
        ratio: '16:9',
        task_type: 'generation',
        modality: 'video',
      })
      const counts = ['total_seconds', 'input_seconds', 'output_seconds', 'input_image_count']
      for (const count of counts) expect(task.usage[count], count).toSatisfy(Number.isInteger)
      expect(task.usage).toMatchObject({
        total_seconds: 6,
        input_seconds: 0,
        output_seconds: 6,
        input_image_count: 0,
      })
      for (const moment of [task.created_at, task.updated_at]) expect(moment).toSatisfy(Number.isInteger)
      shows(
        'c.task.resolution',
        'c.task.duration',
        'c.task.ratio',
        'c.task.type',
        'c.task.modality',
        'c.task.usage',
        'c.task.times',
      )
    },
  )

  it.each(
    c.variants.flatMap(variant =>
      (['h3_context_ir', 'video_regeneration'] as const).map(path => [path, variant.id, variant] as const),
    ),
  )('%s of %s answers 200 with only the task_id (Spec, "Endpoints")', async (path, _, variant) => {
    const client = c.worldOfC(gateway, variant, name())
    const source = await client.made()
    await client.advance({ until: 'idle' })
    const body = path === 'h3_context_ir' ? c.enhanceBody() : c.regenerateBody({ source_task_id: source })
    const reply = await client.make(path, body)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toEqual({ task_id: expect.any(String) })
    shows('c.enhance.reply', 'special.enhance.reply', 'special.regenerate.reply')
  })

  it.each(c.variants)('the list of $id reaches exactly 7 days back (Spec, "Limits")', async variant => {
    const client = c.worldOfC(gateway, variant, name())
    const id = await client.made()
    await client.advance('604799s')
    expect((await client.list()).body).toMatchObject({ items: [{ id }], total: 1 })
    await client.advance('2s')
    expect((await client.list()).body).toEqual({ items: [], total: 0 })
    shows('c.list.window')
  })

  it('DELETE of family C answers only task_id, action and status (Spec, "Endpoints")', async () => {
    const client = c.worldOfC(gateway, c.standard, name())
    for (const word of ['cancelled', 'deleted']) {
      const id = await client.made()
      if (word === 'deleted') await client.advance({ until: 'idle' })
      const { status, body } = await client.delete(id)
      expect([status, body]).toEqual([200, { task_id: id, action: word, status: word }])
    }
    shows('c.delete.reply')
  })

  it('the special list has only special tasks of its account (Spec, "Endpoints")', async () => {
    const world = name()
    const own = c.worldOfC(gateway, c.special, world)
    const id = await own.made()
    await c.worldOfC(gateway, c.standard, world).made()
    await own.made(c.textBody(), 'video_generation', `sk-test-${world}.other`)
    const { body } = await own.list()
    expect(body.items.map((task: { id: string }) => task.id)).toEqual([id])
    expect(body.total).toBe(1)
    shows('special.list.own', 'special.list.reply')
  })

  it('a special regeneration refuses frames beside references (Spec, special video_regeneration)', async () => {
    const client = c.worldOfC(gateway, c.special, name())
    const base = c.video(sample('base-768p.mp4'), 'base_video')
    const frame = c.image(sample('landscape.jpg'), 'first_frame')
    const reference = c.image(sample('portrait.jpg'), 'reference_image')
    const content = [c.text('a kite'), base, frame, reference]
    await client.refused(c.regenerateBody({ content }), { message: 'cannot be mixed' }, 'video_regeneration')
    shows('special.regenerate.no-mix')
  })

  it('DELETE of a special task that does not exist is a 404 (Spec, "Endpoints")', async () => {
    const client = c.worldOfC(gateway, c.special, name())
    expect((await client.delete('123456789012345')).status).toBe(404)
    shows('special.delete.statuses')
  })
})

describe('family K', () => {
  it.each(['/tasks?task_ids=1', '/general/custom-voices/1', createPath])(
    '%s has no /v1 prefix (Spec, "Versioning" 2)',
    async path => {
      const method = path === createPath ? 'POST' : 'GET'
      const body = method === 'POST' ? {} : undefined
      expect((await gateway.call(method, `/v1${path}`, body, { key: `sk-test-${name()}` })).status).toBe(404)
      shows('k.voice.no-prefix', 'k.tasks.no-prefix')
    },
  )

  it('a batch item of family K has every field with its type (Spec, "Family K: objects" 3)', async () => {
    const client = worldOfK(gateway, name())
    const item = await client.finished(createPath, client.frameBody({ external_task_id: 'mine' }))
    expect(item).toMatchObject({
      id: expect.any(String),
      status: 'succeeded',
      create_time: expect.any(Number),
      update_time: expect.any(Number),
      external_id: expect.any(String),
      outputs: [{ id: expect.any(String), url: expect.stringMatching(/^http/) }],
    })
    expect(item.outputs[0].duration).toMatch(/^\d+(\.\d+)?$/)
    shows('k.tasks.item', 'k.tasks.outputs')
  })

  it.each([
    ['an avatar', avatarPath, 'videos'],
    ['a voice', voicePath, 'voices'],
    ['a preset', presetsPath, 'elements'],
  ])(
    '%s has the fields of an avatar, voice or preset task (Spec, "Family K: objects" 2)',
    async (kind, path, list) => {
      const client = worldOfK(gateway, name())
      const body =
        kind === 'an avatar'
          ? { image: client.sample('portrait.jpg'), sound_file: client.sample('voice-8s.mp3') }
          : { voice_name: 'Nora', voice_url: client.sample('voice-8s.mp3') }
      const made = kind === 'a preset' ? undefined : await client.made(path, body)
      await client.advance({ until: 'idle' })
      const reply = await client.get(made ? `${path}/${made}` : path)
      const task = made ? reply.body.data : reply.body.data[0]
      expect(task).toMatchObject({ task_status: 'succeed', task_status_msg: expect.any(String) })
      expect(task.task_id).toEqual(expect.any(String))
      for (const moment of [task.created_at, task.updated_at]) expect(moment).toSatisfy(Number.isInteger)
      expect(task.task_result[list].length).toBeGreaterThan(0)
      if (list === 'videos')
        expect(task.task_result.videos[0]).toMatchObject({
          id: expect.any(String),
          url: expect.stringMatching(/^http/),
          duration: expect.any(String),
        })
      shows('k.avatar.data', 'k.avatar.videos')
    },
  )
})

/** A picture without objects, which would take a second to take out. */
const plainJpeg = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#8899aa' } })
  .jpeg()
  .toBuffer()
  .then(bytes => `data:image/jpeg;base64,${bytes.toString('base64')}`)

describe('the image operation', () => {
  it.each(['landscape.webp', 'sample.bmp', 'sample.gif', 'sample.tiff'])(
    'layer mode accepts PNG and JPEG, and refuses %s (Spec, "Image: request and response", image)',
    async file => {
      const client = worldOfImages(gateway, name())
      const layers = (url: string) => ({ prompt: undefined, image: url, layer_decomposition: true })
      await client.refused(layers(`https://example.com/${file}`), { message: 'image' })
      await client.made(layers(sample('layered.png')))
      await client.made(layers(plainJpeg))
      shows('image.request.layer-format')
    },
  )

  it.each(['1K', '1k', '1.5K', '1.5k', '2K', '2k'])(
    'the size %s is a tier (Spec, "Image: request and response", size)',
    async size => {
      const { data } = await worldOfImages(gateway, name()).made({ size })
      expect(data[0].size).toMatch(/^\d+x\d+$/)
      shows('image.request.tiers')
    },
  )

  it.each(['opaque', 'transparent'])(
    'background may be %j (Spec, "Image: request and response", background)',
    async background => {
      const client = worldOfImages(gateway, name())
      await client.made({ image: sample('square.png'), output_format: 'png', background })
      if (background === 'opaque') await client.made({ background })
      shows('image.request.background')
    },
  )
})
