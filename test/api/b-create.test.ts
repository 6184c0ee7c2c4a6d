import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { createPath, textBody, worldOfB } from '../support/family-b.ts'
import { accepted } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfB)
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('an accepted create', () => {
  it('answers 200 with output.task_id, output.task_status PENDING and request_id (Spec, "Endpoints", Family B)', async () => {
    const { status, body, headers } = await world().create(textBody())
    expect(status).toBe(200)
    expect(body).toEqual({
      output: { task_id: expect.stringMatching(uuid), task_status: 'PENDING' },
      request_id: headers['x-request-id'],
    })
    expect(body.request_id).toMatch(uuid)
    shows('b.create.reply', 'b.create.pending')
  })

  it.for(['model_b', 'model_b_prime', 'wan3.0-video', 'wan3.0-video-prime'])(
    'accepts the model %s (Spec, "Family B: create request", model)',
    async (model, { client }) => {
      const id = await client.made(textBody({ model }))
      expect((await client.control('GET', `/tasks/${id}`)).body.model).toBe(model)
    },
  )

  it('needs no parameters at all (Spec, "Family B: create request")', async () => {
    const { usage } = await world().finished({ model: 'model_b', input: { prompt: 'a cat' } })
    expect(usage).toMatchObject({ SR: 1080, output_video_duration: 5 })
    shows('b.host.no-workspace')
  })
})

describe('the async header', () => {
  it.each([
    {},
    { 'X-Vendor-Async': 'enabled' },
    { 'X-Vendor-Async': 'enable' },
    { 'X-DashScope-Async': 'enable' },
    { 'X-DashScope-Async': 'enabled', 'X-Vendor-Async': 'enabled' },
  ])('may be %j (B-header)', async headers => {
    accepted(await world().create(textBody(), { headers: headers as Record<string, string> }))
    shows('b.create.header')
  })

  it.each([
    { 'X-Vendor-Async': 'disabled' },
    { 'X-Vendor-Async': 'true' },
    { 'X-Vendor-Async': 'ENABLED' },
    { 'X-DashScope-Async': 'disable' },
    { 'X-Vendor-Async': 'enabled', 'X-DashScope-Async': 'no' },
  ])('must not be %j (B-header)', async headers => {
    await world().refused(
      textBody(),
      { code: 'InvalidParameter', message: /X-(Vendor|DashScope)-Async: .* must be enabled, enable/ },
      { headers: headers as Record<string, string> },
    )
    shows('b.create.header')
  })

  it('is not needed for a query (Spec, "Family B: create request")', async ({ client }) => {
    expect((await client.get(await client.made())).body.output.task_status).toBe('PENDING')
  })
})

describe('required fields', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['model', { model: undefined }, 'BadRequest.EmptyModel', 'Required parameter "model" missing'],
    ['model', { model: null }, 'BadRequest.EmptyModel', 'Required parameter "model" missing'],
    ['input', { input: undefined }, 'BadRequest.EmptyInput', 'Required input parameter missing'],
    ['input', { input: null }, 'BadRequest.EmptyInput', 'Required input parameter missing'],
    ['prompt and media', { input: {} }, 'InvalidParameter', 'Field required: input.prompt'],
    ['prompt and media', { input: { prompt: null } }, 'InvalidParameter', 'Field required: input.prompt'],
    ['prompt and media', { input: { prompt: ' ', media: [] } }, 'InvalidParameter', 'input.prompt'],
    ['an item’s type', { input: { media: [{ url: 'https://a.example/x.png' }] } }, 'InvalidParameter', 'Field required: input.media[0].type'],
    ['an item’s url', { input: { media: [{ type: 'first_frame' }] } }, 'InvalidParameter', 'Field required: input.media[0].url'],
  ],
  )('refuses a body without %s: %j (B-prompt, B-errors)', async (_, changes, code, message) => {
    await world().refused({ ...textBody(), ...changes }, { code, message })
    shows('b.create.model')
  })

  it.each([
    ['an unknown model', { model: 'model_z' }, /^Model not exist: "model_z".*model_b, model_b_prime/],
    ['a model of another family', { model: 'model_a_20' }, /^Model not exist/],
    ['an inherited name as model', { model: 'constructor' }, /^Model not exist/],
    ['a number as model', { model: 3 }, /model: 3 is not of type string/],
    ['a text as input', { input: 'a cat' }, /input: "a cat" is not of type object/],
    ['a list as prompt', { input: { prompt: ['a cat'] } }, /input\.prompt/],
    ['an object as media', { input: { media: {} } }, /input\.media/],
    ['a text as parameters', { parameters: '720P' }, /parameters/],
  ])('refuses %s (A-unknown-model, B-late)', async (_, changes, message) => {
    await world().refused({ ...textBody(), ...changes }, { code: 'InvalidParameter', message })
  })

  it.each(['{', '[]'])('refuses %j, which is not a JSON object (B-errors)', async body => {
    await world().refused(
      body,
      { code: 'BadRequest.IllegalInput', message: 'The input parameter requires json format' },
      { headers: { 'Content-Type': 'application/json' } },
    )
  })
})

describe('parameters', () => {
  const reported: Record<string, unknown>[][] = [
    ...[480, 720, 1080].map(SR => [{ resolution: `${SR}P` }, { SR }]),
    ...['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'].map(ratio => [{ ratio }, { ratio }]),
    ...[2, 5, 17, 30].map(duration => [{ duration }, { output_video_duration: duration }]),
  ]
  it.each(reported)(
    '%j is reported as %j (Spec, "Family B: query response"; B-parameters)',
    async (parameters, usage = {}) => {
      expect((await world().finished(textBody({ parameters }))).usage).toMatchObject(usage)
      shows('b.create.resolution', 'b.get.sr', 'b.create.ratio', 'b.create.duration')
    },
  )

  it.each([{ ratio: 'adaptive' }, { ratio: null }])(
    'ratio %j is resolved to W:H, the same for the same seed (B-ratio)',
    async parameters => {
      const body = textBody({ parameters })
      const [first, second] = [await world().finished(body), await world().finished(body)]
      expect(first.usage.ratio).toMatch(/^(21:9|16:9|4:3|1:1|3:4|9:16)$/)
      expect(second.usage.ratio).toBe(first.usage.ratio)
      shows('b.get.ratio')
    },
  )

  it('duration -1 lets the service choose from 2 to 30, and is settled below the reserved price (B-parameters)', async () => {
    const client = world()
    const { usage } = await client.finished(textBody({ parameters: { duration: -1 } }))
    expect(usage.output_video_duration >= 2 && usage.output_video_duration <= 30).toBe(true)
    const { totals } = (await client.control('GET', '/ledger')).body
    expect(totals.reserved).toBe(27)
    expect(totals.settled).toBeCloseTo(usage.duration * 0.9, 6)
  })

  const refused: Record<string, unknown[]> = {
    resolution: ['720p', '4K', '2160P', 720],
    ratio: ['2:1', '16/9'],
    duration: [0, 1, 31, -2, 5.5, '5'],
    audio: ['yes'],
    seed: [-2, 2_147_483_648, 1.5],
    prompt_extend: ['true'],
    watermark: [1],
  }
  it.each(Object.entries(refused).flatMap(([name, values]) => values.map(value => [name, value] as const)))(
    '%s must not be %j: 400 and no charge (B-parameters, B-late)',
    async (name, value) => {
      const message = `parameters.${name}: `
      await world().refused(textBody({ parameters: { [name]: value } }), {
        code: 'InvalidParameter',
        message,
      })
    },
  )

  it('null is the same as leaving a parameter out (A-null)', async () => {
    const names = ['resolution', 'duration', 'audio', 'seed', 'prompt_extend', 'watermark']
    const parameters = Object.fromEntries(names.map(name => [name, null]))
    const { usage } = await world().finished(textBody({ parameters }))
    expect(usage).toMatchObject({ SR: 1080, duration: 5 })
  })

  it('a resolution outside the account’s group gives 400 and no charge (Spec, "Errors" rule 1)', async () => {
    const client = world()
    const key = `${client.key}.limited`
    const message = "480P is outside the account's group, must be one of 720P, 1080P"
    await client.refused(textBody(), { code: 'InvalidParameter', message }, { key })
    for (const resolution of ['720P', '1080P'])
      await client.made(textBody({ parameters: { resolution } }), key)
  })

  it('the default resolution must be inside the group too (Spec, "Errors" rule 1)', async ({ client }) => {
    await client.made()
    await client.control('PATCH', '/accounts/default', { resolutions: ['720p'] })
    const body = textBody({ parameters: { resolution: null } })
    await client.refused(body, { message: "1080P is outside the account's group" })
  })
})

describe('the prompt', () => {
  it.for([
    ['a', 20_000, 20_000],
    ['a', 20_001, 20_000],
    ['猫', 25_000, 20_000],
    ['🐈', 20_001, 20_000],
  ] as const)(
    'of %s × %i is cut to %i characters, and the reply does not say so (B-prompt)',
    async ([character, length, kept], { client }) => {
      const { output } = await client.finished(textBody({ input: { prompt: character.repeat(length) } }))
      expect(output.orig_prompt).toBe(character.repeat(kept))
      const { notes } = (await client.control('GET', `/tasks/${output.task_id}`)).body
      if (length === kept) expect(notes).toBeUndefined()
      else expect(notes).toEqual([expect.stringContaining(`${length - kept} were dropped`)])
      shows('b.create.prompt')
    },
  )
})

describe('fields that are always refused', () => {
  it.each([
    ['callback_url', { callback_url: 'https://a.example/hook' }],
    ['callback_url', { callback_url: 0 }],
    ['parameters.callback_url', { parameters: { callback_url: 'https://a.example/hook' } }],
    ['input.callback_url', { input: { callback_url: 'https://a.example/hook' } }],
  ])('%s gives 400 and no charge (Spec, "Events" 1, "Errors" rule 2)', async (param, changes) => {
    await world().refused(textBody(changes), {
      code: 'InvalidParameter',
      message: `${param}: callbacks are not supported`,
    })
  })

  it('a callback_url of null counts as not sent (A-null)', async () => {
    await world().made(textBody({ callback_url: null }))
  })

  it('a path without /api is 404 (Spec, "Versioning" 2)', async () => {
    expect((await gateway.post(createPath.replace('/api', ''), textBody())).status).toBe(404)
  })
})

describe('official clients', () => {
  it('accepts requests of the Python SDK: extend_prompt, a null prompt beside media, its own header (A-null, A-unknown-keys)', async () => {
    const client = world()
    const sample = `${gateway.url}/__emulator/samples/landscape.jpg`
    const reply = await client.create(
      {
        model: 'wan3.0-video',
        input: { prompt: null, extend_prompt: true, media: [{ type: 'first_frame', url: sample }] },
        parameters: { resolution: '480P', duration: 5, prompt_extend: true, watermark: false },
      },
      {
        headers: {
          'X-DashScope-Async': 'enable',
          'X-DashScope-OssResourceResolve': 'enable',
          'Content-Type': 'application/json; charset=utf-8',
        },
      },
    )
    expect(reply.status, reply.text).toBe(200)
    const task = (await client.control('GET', `/tasks/${reply.body.output.task_id}`)).body
    expect(task.unread).toBeUndefined()
    await client.advance({ until: 'idle' })
    expect((await client.get(task.id)).body.output.orig_prompt).toBe('')
  })

  it('accepts requests of the AI SDK, with a picture as data URI (B-media)', async () => {
    const picture = readFileSync(new URL('../../fixtures/media/samples/portrait.jpg', import.meta.url))
    const url = `data:image/jpeg;base64,${picture.toString('base64')}`
    const client = world()
    const id = await client.made({
      model: 'wan3.0-video-prime',
      input: { prompt: 'a cat', media: [{ type: 'first_frame', url }] },
      parameters: { duration: 4, seed: 42, resolution: '480P', audio: false },
    })
    await client.advance({ until: 'idle' })
    expect((await client.get(`${id}/`)).body.usage).toMatchObject({ ratio: '9:16', duration: 4 })
  })

  it('accepts keys of older models and lists them as unread (A-unknown-keys)', async ({ client }) => {
    const parameters = { size: '1280*720', shot_type: 'multi' }
    const id = await client.made(textBody({ input: { negative_prompt: 'rain' }, parameters, seed: 3 }))
    const { unread } = (await client.control('GET', `/tasks/${id}`)).body
    expect(unread).toEqual(['input.negative_prompt', 'parameters.size', 'parameters.shot_type', 'seed'])
  })
})
