import { describe, expect } from 'vitest'
import { tasksPath, text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfA)

/** Each value of a row as a row of its own, on each of its models. */
const each = <More extends unknown[]>(
  rows: [field: string, values: unknown[], models: string[], ...More][],
) =>
  rows.flatMap(([field, values, models, ...more]) =>
    values.flatMap(value => models.map(model => [field, value, model, ...more] as const)),
  )

const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
const names20 = [
  'model_a_20',
  'model_a_20-260128',
  'doubao-seedance-2-0-260128',
  'dreamina-seedance-2-0-260128',
]
const names25 = [
  'model_a_25',
  'model_a_25-260628',
  'doubao-seedance-2-5-260628',
  'dreamina-seedance-2-5-260628',
]

describe('an accepted create', () => {
  it('answers 200 with only the id, of the form cgt-YYYYMMDDHHMMSS-xxxxx with the time in UTC+8 (Spec, "Endpoints", Family A; A-times)', async () => {
    const { status, body } = await world().create(textBody())
    // The worlds open at 08:00 UTC.
    const id = expect.stringMatching(/^cgt-20260301160000-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    expect({ status, body }).toEqual({ status: 200, body: { id } })
    shows('all.service.async-video', 'a.create.reply')
  })

  it('answers with only the id, and the record repeats safety_identifier (Spec, "What the service does" 2; A-forbidden)', async () => {
    const client = world()
    const { body } = await client.create(textBody({ safety_identifier: 'user-17' }))
    expect(body).toEqual({ id: expect.stringMatching(/^cgt-/) })
    expect((await client.get(body.id)).body.safety_identifier).toBe('user-17')
  })
})

describe('what a field may be (Spec, "Family A: create request", "Limits", "Task-type rules for 2.5" 4)', () => {
  // biome-ignore format: a table, one row a line
  const repeated: [field: string, values: unknown[], models: string[]][] = [
    ['resolution', ['480p', '720p', '1080p', '4k'], ['model_a_20']],
    ['resolution', ['480p', '720p', '1080p'], ['model_a_25']],
    ['ratio', ratios, ['model_a_25']],
    ['ratio', ['9:16'], ['model_a_20']],
    ['duration', [4, 9, 15], ['model_a_20']],
    ['duration', [4, 16, 30], ['model_a_25']],
    ['generate_audio', [true, false], ['model_a_25']],
    ['output_format', ['mp4', 'mov'], ['model_a_25']],
    ['execution_expires_after', [3600, 3601, 172_800, 259_200], ['model_a_25']],
  ]
  it.each(each(repeated))('%s may be %j on %s, and the record repeats it', async (field, value, model) => {
    const record = await world().finished(textBody({ model, [field]: value }))
    expect(record[field]).toBe(value)
    expect(new URL(record.content.video_url).pathname).toMatch(value === 'mov' ? /\.mov$/ : /\.mp4$/)
    shows('a.create.resolution-20', 'a.create.resolution-25', 'a.versioning.model', 'a.create.ratio')
    shows('a.create.duration-20', 'a.create.duration-25', 'a.record.duration', 'a.create.expiry')
    shows('a.record.audio', 'a.create.format', 'a.record.format')
  })

  it.for([...names20, ...names25])(
    'model may be %s, and the record repeats it (A-unknown-model)',
    async (model, { client }) => {
      expect((await client.get(await client.made(textBody({ model })))).body.model).toBe(model)
      shows('a.record.model')
    },
  )

  it.each([
    ['resolution', '720p', 'model_a_20'],
    ['resolution', '720p', 'model_a_25'],
    ['generate_audio', true, 'model_a_25'],
    ['output_format', 'mp4', 'model_a_25'],
    ['output_format', undefined, 'model_a_20'],
    ['execution_expires_after', 172_800, 'model_a_25'],
  ])('%s that is not sent is %j on %s (A-defaults, A-flags)', async (field, value, model) => {
    expect((await world().finished(textBody({ model, [field]: undefined })))[field]).toBe(value)
    shows('a.create.resolution-default-25', 'a.create.audio-default', 'a.create.format', 'a.record.format')
  })

  it.each([
    ['frames', null],
    ['camera_fixed', false],
    ['draft', false],
    ['service_tier', 'default'],
    ['priority', 0],
    ['priority', 9],
    ['tools', [{ type: 'web_search' }]],
    ['safety_identifier', 'x'.repeat(64)],
  ])('%s: %j is accepted (A-forbidden)', async (field, value) => {
    await world().made(textBody({ [field]: value }))
  })

  it.each([
    'callback_url',
    'seed',
    'output_format',
    'omni_reference_task_type',
    'resolution',
    'ratio',
    'duration',
  ])('%s: null is the same as absent (A-null)', async field => {
    const jobWith = async (value: null | undefined) => {
      const client = world()
      const id = await client.made(textBody({ model: 'model_a_20', [field]: value }))
      return (await client.control('GET', `/tasks/${id}`)).body.job
    }
    expect(await jobWith(null)).toEqual(await jobWith(undefined))
  })
})

describe('what a field may not be: 400 and no charge (Spec, "Errors" rule 1)', () => {
  it.each([
    ['model', { model: undefined }],
    ['model', { model: null }],
    ['content', { content: undefined }],
  ])('%s must be in the body: %j is refused (Spec, "Family A: create request")', async (param, changes) => {
    await world().refused(textBody(changes), { code: 'MissingParameter', param, type: 'BadRequest' })
    shows('a.create.model', 'a.create.content')
  })

  const [both, older, newer] = [['model_a_20', 'model_a_25'], ['model_a_20'], ['model_a_25']]
  // biome-ignore format: a table, one row a line
  const refused: [field: string, values: unknown[], models: string[], message: string | RegExp][] = [
    ['model', ['model_a_30'], newer, /model_a_30.*model_a_20, model_a_25/],
    ['model', ['model_b', 'constructor'], newer, 'VALUE'],
    ['model', [''], newer, 'empty'],
    ['model', [25, ['model_a_25']], newer, 'is not of type'],
    ['content', [[]], newer, 'at least 1 item'],
    ['content', ['a lighthouse', { type: 'text', text: 'a' }], newer, 'is not of type'],
    ['resolution', ['4k'], newer, '4k is not supported by 2.5, must be one of 480p, 720p, 1080p'],
    ['resolution', ['1440p', '2k', '720P', '', 720], older, 'must be one of 480p, 720p, 1080p, 4k'],
    ['ratio', ['2:1', '16x9', '16/9', 'auto', '9:21', '', 1.5], newer, 'must be one of 16:9'],
    ['duration', [3, 16], older, 'VALUE is not supported, must be -1 or from 4 to 15 seconds'],
    ['duration', [3, 31, 0, -2, 1e9], newer, 'VALUE is not supported, must be -1 or from 4 to 30 seconds'],
    ['duration', [4.5, '5', true, [5], 'auto'], both, 'is not of type integer'],
    ['generate_audio', ['yes', 1], newer, 'boolean'],
    ['watermark', ['false', 0], newer, 'boolean'],
    ['return_last_frame', ['true'], newer, 'boolean'],
    ['output_format', ['mp4', 'mov'], older, '2.5 only'],
    ['output_format', ['webm', 'MP4', 'gif'], newer, 'mp4, mov'],
    ['omni_reference_task_type', [1], newer, 'is not of type string'],
    ['execution_expires_after', [3599, 259_201, 0, -1, '3600', 3600.5], newer, ''],
    // same-everywhere.test.ts has every value of a callback.
    ['callback_url', ['https://example.com/done'], newer, 'callbacks are not supported'],
    ['seed', [0, '7'], both, '1.x'],
    ['frames', [29], newer, '1.x'],
    ['camera_fixed', [true], newer, '1.x'],
    ['camera_fixed', [1], newer, 'boolean'],
    ['draft', [true], newer, 'draft is not supported'],
    ['draft', ['no'], newer, 'boolean'],
    ['service_tier', ['flex'], newer, '"flex" is not supported, must be default'],
    ['priority', [10], newer, 'less than or equal to 9'],
    ['priority', [-1], newer, 'greater than or equal to 0'],
    ['safety_identifier', ['x'.repeat(65)], newer, '64'],
    ['safety_identifier', [{}], newer, 'is not of type string'],
    ['tools', ['web_search'], newer, 'is not of type array'],
  ]
  it.each(each(refused))(
    '%s must not be %j on %s (A-forbidden, A-unknown-model; Spec, "Events" 1)',
    async (param, value, model, words) => {
      const message = typeof words === 'string' ? words.replace('VALUE', String(value)) : words
      const { code } = await world().refused(textBody({ model, [param]: value }), { param, message })
      expect(code).toMatch(param === 'model' ? /^InvalidParameter/ : /^InvalidParameter$/)
      shows('all.service.no-charge', 'a.create.resolution-4k-25', 'a.create.duration-20')
      shows('a.create.duration-25', 'a.create.format-20', 'a.create.callback', 'a.create.seed')
    },
  )
})

describe('the group of an account (Spec, "Family A: create request", resolution)', () => {
  it.for(['480p', '4k'])(
    '%s outside it gives 400 and no charge (Spec, "Errors" rule 1)',
    async (resolution, { client }) => {
      const message = `${resolution} is outside the account's group, must be one of 720p, 1080p`
      const body = textBody({ model: 'model_a_20', resolution })
      await client.refused(body, { param: 'resolution', message }, `${client.key}.limited`)
      shows('all.errors.resolution-group', 'a.create.resolution-group')
    },
  )

  it.for(['720p', '1080p'])('%s inside it is accepted', async (resolution, { client }) => {
    await client.made(textBody({ model: 'model_a_20', resolution }), `${client.key}.limited`)
  })

  it('can be changed, and the default must be inside it too', async ({ client }) => {
    await client.control('PATCH', '/accounts/default', { resolutions: ['480p'] })
    await client.refused(textBody(), { param: 'resolution', message: 'must be 480p' })
    await client.made(textBody({ resolution: '480p' }))
  })

  it('that has none of the model’s resolutions gives a complete message (Spec, "Errors" rule 1)', async ({
    client,
  }) => {
    await client.control('PATCH', '/accounts/default', { resolutions: ['4k'] })
    const message = "720p is outside the account's group, and no value is allowed."
    await client.refused(textBody(), { param: 'resolution', message })
  })
})

describe('what the service chooses (Spec, "Family A: create request")', () => {
  it('adaptive is the default ratio and resolves to a listed one for a text', async ({ client }) => {
    const seen = new Set<string>()
    for (let i = 0; i < 12; i++)
      seen.add((await client.finished(textBody({ ratio: i % 2 ? undefined : 'adaptive' }))).ratio)
    expect(ratios).toEqual(expect.arrayContaining([...seen]))
    expect(seen.size).toBeGreaterThan(1)
  })

  it.for([
    ['model_a_20', 15],
    ['model_a_25', 30],
  ] as const)(
    'with the duration -1 on %s it chooses from 4 to %i seconds',
    async ([model, most], { client }) => {
      const seen = new Set<number>()
      for (let i = 0; i < 12; i++)
        seen.add((await client.finished(textBody({ model, duration: -1 }))).duration)
      for (const seconds of seen)
        expect(seconds >= 4 && seconds <= most && Number.isInteger(seconds)).toBe(true)
      expect(seen.size).toBeGreaterThan(2)
    },
  )

  it('the duration is 5 seconds on 2.0 by default (A-defaults)', async ({ client }) => {
    const body = textBody({ model: 'model_a_20', duration: undefined })
    for (let i = 0; i < 4; i++) expect((await client.finished(body)).duration).toBe(5)
  })

  it('the duration is -1 on 2.5 by default', async ({ client }) => {
    const seen = new Set<number>()
    for (let i = 0; i < 12; i++) seen.add((await client.finished(textBody({ duration: undefined }))).duration)
    expect(seen.size).toBeGreaterThan(2)
    shows('a.create.duration-default-25')
  })
})

it('last_frame_url is present exactly when the last frame was requested (Spec, "Family A: task record")', async () => {
  const filesWith = async (return_last_frame?: boolean) =>
    Object.keys((await world().finished(textBody({ return_last_frame }))).content)
  expect(await filesWith(true)).toEqual(['video_url', 'last_frame_url'])
  for (const flag of [false, undefined]) expect(await filesWith(flag)).toEqual(['video_url'])
  shows('a.record.last-frame-url')
})

describe('bodies of real clients', () => {
  it('accepts the body of the official Python client, which sends null for every option that is not set (A-null)', async () => {
    const unset =
      'callback_url return_last_frame service_tier execution_expires_after generate_audio draft camera_fixed ' +
      'watermark seed resolution ratio duration frames tools safety_identifier priority'
    const nulls = Object.fromEntries(unset.split(' ').map(name => [name, null]))
    for (const model of ['model_a_20', 'model_a_25']) {
      const record = await world().finished({ model, content: [text('a cat')], ...nulls })
      expect(record).toMatchObject({ status: 'succeeded', resolution: '720p', generate_audio: true })
    }
  })

  it('accepts nulls inside items too (A-null)', async () => {
    await world().made(textBody({ content: [{ type: 'text', text: 'a cat', role: null, image_url: null }] }))
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['invalid', 400, 'InvalidParameter.UnknownModel', 'The parameter `model` specified in the request'],
    ['not_found', 404, 'InvalidEndpointOrModel.NotFound', 'The model does not exist or you do not have access'],
    ['unavailable', 503, 'model_not_found', 'No channel is available for this model: "model_z" is not one of'],
  ] as const,
  )(
    'with the option unknown-model %s, an unknown model is %i %s (A-unknown-model)',
    async (unknownModel, status, code, message) => {
      const own = await openGateway({ unknownModel })
      const reply = await own.post(tasksPath, textBody({ model: 'model_z' }), 'sk-test-models')
      expect([reply.status, reply.body.error.code]).toEqual([status, code])
      expect(reply.body.error.message).toContain(message)
      expect(Object.keys(reply.body.error).sort()).toEqual(['code', 'message', 'param', 'type'])
      expect((await own.post(tasksPath, textBody(), 'sk-test-models')).status).toBe(200)
    },
  )

  it('accepts unknown keys and lists them as unread (A-unknown-keys)', async ({ client }) => {
    const id = await client.made({
      ...textBody(),
      framespersecond: 999,
      negative_prompt: 'blurry',
      content: [{ ...text('a cat'), weight: 2 }],
    })
    const task = await client.control('GET', `/tasks/${id}`)
    expect(task.body.unread.sort()).toEqual(['content[0].weight', 'framespersecond', 'negative_prompt'])
    expect((await client.get(id)).body.framespersecond).toBeUndefined()
  })

  it('joins several texts into one prompt, without the blank ones (upstream)', async ({ client }) => {
    const id = await client.made(textBody({ content: [text('first'), text(' '), text('second')] }))
    expect((await client.control('GET', `/tasks/${id}`)).body.job.prompt).toBe('first\nsecond')
  })

  it('accepts a prompt of any length in any script (upstream)', async ({ client }) => {
    const prompt = '海浪拍打着灯塔 🌊 '.repeat(2000)
    expect((await client.finished(textBody({ content: [text(prompt)] }))).status).toBe('succeeded')
  })

  it('reads a body without Content-Type, and one with a charset, as JSON (A-body)', async ({ client }) => {
    const types = ['json; charset=utf-8', 'json;charset="UTF-8"', 'vnd.api+json']
    for (const type of types) {
      const headers = { 'Content-Type': `application/${type}` }
      const reply = await gateway.call('POST', tasksPath, textBody(), { key: client.key, headers })
      expect(reply.status, type).toBe(200)
    }
    const headers = { Authorization: `Bearer ${client.key}` }
    const body = Buffer.from(JSON.stringify(textBody()))
    expect((await fetch(gateway.url + tasksPath, { method: 'POST', headers, body })).status).toBe(200)
  })
})

describe('bad bodies', () => {
  it.each([
    ['{"model":', /not a valid JSON object: /],
    ['[]', /JSON object/],
    [
      '{"model":"model_a_25","content":[{"type":"text","text":"a"}],"duration":NaN}',
      /not a valid JSON object: /,
    ],
  ])('%s is 400 in the family’s shape (A-body)', async (body, message) => {
    await world().refused(body, { message })
  })

  it('refuses a body that is nested too deeply (A-body)', async () => {
    await world().refused(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, { message: 'nested' })
    await world().refused(`{"model":"model_a_25","content":${'[{"x":'.repeat(5000)}1${'}]'.repeat(5000)}}`, {
      message: 'nested',
    })
  })

  it('drops __proto__ keys, which can only be an attack (A-body)', async ({ client }) => {
    const attack = '"__proto__":{"callback_url":"x"}'
    const id = await client.made(
      `{"model":"model_a_25","content":[{"type":"text","text":"a",${attack}}],${attack}}`,
    )
    // What is read would refuse the callback, and what is not read would be listed.
    expect((await client.control('GET', `/tasks/${id}`)).body).not.toHaveProperty('unread')
  })
})
