import { describe, expect, test } from 'vitest'
import { tasksPath, text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'

const gateway = await openGateway()
let worlds = 0
const world = () => worldOfA(gateway, `create-${++worlds}`)
const it = test.extend('client', () => world())

describe('an accepted create', () => {
  it('answers 200 with only the id (Spec, "Endpoints", Family A)', async () => {
    const { status, body } = await world().create(textBody())
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ['id'] })
    shows('all.service.async-video', 'a.create.reply')
  })

  it('gives ids of the form cgt-YYYYMMDDHHMMSS-xxxxx with the time in UTC+8 (A-times)', async () => {
    const id = await world().made()
    // The worlds open at 08:00 UTC.
    expect(id).toMatch(/^cgt-20260301160000-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  })

  it('is queued first (Spec, "States and transitions")', async ({ client }) => {
    expect((await client.get(await client.made())).body.status).toBe('queued')
  })

  it('answers with only the id, and the record repeats safety_identifier (Spec, "What the service does" 2; A-forbidden)', async () => {
    const client = world()
    const { body } = await client.create(textBody({ safety_identifier: 'user-17' }))
    expect(body).toEqual({ id: expect.stringMatching(/^cgt-/) })
    expect((await client.get(body.id)).body.safety_identifier).toBe('user-17')
  })

  it.each([
    'model_a_20',
    'model_a_20-260128',
    'doubao-seedance-2-0-260128',
    'dreamina-seedance-2-0-260128',
    'model_a_25',
    'model_a_25-260628',
    'doubao-seedance-2-5-260628',
    'dreamina-seedance-2-5-260628',
  ])('accepts the model %s and echoes it as sent (A-unknown-model)', async model => {
    const client = world()
    expect((await client.get(await client.made(textBody({ model })))).body.model).toBe(model)
    shows('a.record.model')
  })
})

describe('required fields', () => {
  it.each([
    ['model', {}, 'MissingParameter', 'model'],
    ['model', { model: null }, 'MissingParameter', 'model'],
    ['content', { content: undefined, model: 'model_a_25' }, 'MissingParameter', 'content'],
  ])('refuses a body without %s: %j (Spec, "Family A: create request")', async (_, changes, code, param) => {
    const { model: _model, ...rest } = textBody()
    await world().refused({ ...rest, ...changes }, { code, param, type: 'BadRequest' })
    shows('a.create.model', 'a.create.content')
  })

  it.each([
    ['an unknown model', { model: 'model_a_30' }, 'model', /model_a_30.*model_a_20, model_a_25/],
    ['a model of another family', { model: 'model_b' }, 'model', /model_b/],
    ['an empty model', { model: '' }, 'model', /empty/],
    ['an inherited name as model', { model: 'constructor' }, 'model', /constructor/],
    ['no items', { content: [] }, 'content', /at least 1 item/],
  ])('refuses %s (A-unknown-model, Spec, "Family A: create request")', async (_, changes, param, message) => {
    await world().refused(textBody(changes), { param, message })
  })
})

describe('resolution', () => {
  it.each([
    ['model_a_20', '480p'],
    ['model_a_20', '720p'],
    ['model_a_20', '1080p'],
    ['model_a_20', '4k'],
    ['model_a_25', '480p'],
    ['model_a_25', '720p'],
    ['model_a_25', '1080p'],
  ])('of %s may be %s (Spec, "Family A: create request", resolution)', async (model, resolution) => {
    expect((await world().finished(textBody({ model, resolution }))).resolution).toBe(resolution)
    shows('a.create.resolution-20', 'a.create.resolution-25', 'a.versioning.model')
  })

  it('4k on 2.5 gives 400 and no charge (Spec, "Errors" rule 1)', async () => {
    await world().refused(textBody({ resolution: '4k' }), {
      code: 'InvalidParameter',
      param: 'resolution',
      message: '4k is not supported by 2.5, must be one of 480p, 720p, 1080p',
    })
    shows('all.service.no-charge', 'a.create.resolution-4k-25')
  })

  it.each(['model_a_20', 'model_a_25'])('is 720p on %s by default (A-defaults)', async model => {
    expect((await world().finished(textBody({ model }))).resolution).toBe('720p')
    shows('a.create.resolution-default-25')
  })

  it.each(['1440p', '2k', '720P', ''])(
    '%j is refused as resolution (Spec, "Family A: create request")',
    async resolution => {
      await world().refused(textBody({ model: 'model_a_20', resolution }), { param: 'resolution' })
    },
  )

  it.each(['480p', '4k'])(
    '%s outside the group of the account gives 400 and no charge (Spec, "Errors" rule 1)',
    async resolution => {
      const client = world()
      await client.refused(
        textBody({ model: 'model_a_20', resolution }),
        {
          param: 'resolution',
          message: `${resolution} is outside the account's group, must be one of 720p, 1080p`,
        },
        `${client.key}.limited`,
      )
      shows('all.errors.resolution-group', 'a.create.resolution-group')
    },
  )

  it.each(['720p', '1080p'])(
    '%s inside the group is accepted (Spec, "Family A: create request")',
    async resolution => {
      const client = world()
      await client.made(textBody({ model: 'model_a_20', resolution }), `${client.key}.limited`)
    },
  )

  it('of a group can be changed, and the default must be inside it too (Spec, "Family A: create request")', async () => {
    const client = world()
    await client.control('PATCH', '/accounts/default', { resolutions: ['480p'] })
    await client.refused(textBody(), { param: 'resolution', message: 'must be 480p' })
    await client.made(textBody({ resolution: '480p' }))
  })

  it('has a complete message when the group allows none of the model’s resolutions (Spec, "Errors" rule 1)', async () => {
    const client = world()
    await client.control('PATCH', '/accounts/default', { resolutions: ['4k'] })
    await client.refused(textBody(), {
      param: 'resolution',
      message: "720p is outside the account's group, and no value is allowed.",
    })
  })
})

describe('ratio', () => {
  const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
  it.each([...ratios.map(ratio => [ratio, 'model_a_25']), ['9:16', 'model_a_20']])(
    '%s is accepted on %s for a text and is echoed (Spec, "Task-type rules for 2.5" 4)',
    async (ratio, model) => {
      expect((await world().finished(textBody({ ratio, model }))).ratio).toBe(ratio)
      shows('a.create.ratio')
    },
  )

  it('adaptive is the default and resolves to a listed ratio for a text (Spec, "Family A: create request", ratio)', async () => {
    const { ratio: _, ...body } = textBody()
    const client = world()
    const seen = new Set<string>()
    for (let i = 0; i < 12; i++)
      seen.add((await client.finished(i % 2 ? body : { ...body, ratio: 'adaptive' })).ratio)
    expect(ratios).toEqual(expect.arrayContaining([...seen]))
    expect(seen.size).toBeGreaterThan(1)
  })

  it.each(['2:1', '16x9', '16/9', 'auto', '9:21', ''])(
    '%j is refused as ratio (Spec, "Family A: create request")',
    async ratio => {
      await world().refused(textBody({ ratio }), { param: 'ratio' })
      shows('a.create.ratio')
    },
  )
})

describe('duration', () => {
  it.each([
    ...[4, 9, 15].map(seconds => ['model_a_20', seconds] as const),
    ...[4, 16, 30].map(seconds => ['model_a_25', seconds] as const),
  ])('of %s may be %i and is echoed (Spec, "Limits", Family A duration)', async (model, duration) => {
    expect((await world().finished(textBody({ model, duration }))).duration).toBe(duration)
    shows('a.create.duration-20', 'a.create.duration-25', 'a.record.duration')
  })

  it.each([
    ['model_a_20', 3],
    ['model_a_20', 16],
    ['model_a_25', 3],
    ['model_a_25', 31],
    ['model_a_25', 0],
    ['model_a_25', -2],
    ['model_a_25', 1e9],
  ])('of %s may not be %i (Spec, "Limits", Family A duration)', async (model, duration) => {
    const [least, most] = model === 'model_a_20' ? [4, 15] : [4, 30]
    await world().refused(textBody({ model, duration }), {
      param: 'duration',
      message: `${duration} is not supported, must be -1 or from ${least} to ${most} seconds`,
    })
    shows('a.create.duration-20', 'a.create.duration-25')
  })

  it.each([4.5, '5', true, [5], 'auto'])(
    'must be a whole number, not %j (Spec, "Family A: create request", duration)',
    async duration => {
      for (const model of ['model_a_20', 'model_a_25'])
        await world().refused(textBody({ model, duration }), { param: 'duration' })
      shows('a.create.duration-20', 'a.create.duration-25')
    },
  )

  it.each([
    ['model_a_20', 15],
    ['model_a_25', 30],
  ])(
    '-1 on %s lets the service choose from 4 to %i seconds (Spec, "Family A: create request", duration)',
    async (model, most) => {
      const client = world()
      const seen = new Set<number>()
      for (let i = 0; i < 12; i++)
        seen.add((await client.finished(textBody({ model, duration: -1 }))).duration)
      for (const seconds of seen)
        expect(seconds >= 4 && seconds <= most && Number.isInteger(seconds)).toBe(true)
      expect(seen.size).toBeGreaterThan(2)
    },
  )

  it('is 5 seconds on 2.0 by default (A-defaults)', async () => {
    const { duration: _, ...body } = textBody({ model: 'model_a_20' })
    const client = world()
    for (let i = 0; i < 4; i++) expect((await client.finished(body)).duration).toBe(5)
  })

  it('is -1 on 2.5 by default (Spec, "Family A: create request", duration)', async () => {
    const { duration: _, ...body } = textBody()
    const client = world()
    const seen = new Set<number>()
    for (let i = 0; i < 12; i++) seen.add((await client.finished(body)).duration)
    expect(seen.size).toBeGreaterThan(2)
    shows('a.create.duration-default-25')
  })
})

describe('generate_audio, watermark, return_last_frame', () => {
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])(
    'generate_audio %j is reported as %j (Spec, "Family A: create request", generate_audio)',
    async (generate_audio, told) => {
      expect((await world().finished(textBody({ generate_audio }))).generate_audio).toBe(told)
      shows('a.create.audio-default', 'a.record.audio')
    },
  )

  it.each([
    ['generate_audio', 'yes'],
    ['generate_audio', 1],
    ['watermark', 'false'],
    ['watermark', 0],
    ['return_last_frame', 'true'],
    ['draft', 'no'],
    ['camera_fixed', 1],
  ])('%s must be a boolean, not %j (Spec, "Family A: create request")', async (field, value) => {
    await world().refused(textBody({ [field]: value }), { param: field, message: 'boolean' })
  })

  it('last_frame_url is present exactly when the last frame was requested (Spec, "Family A: task record")', async () => {
    expect(Object.keys((await world().finished(textBody({ return_last_frame: true }))).content)).toEqual([
      'video_url',
      'last_frame_url',
    ])
    for (const return_last_frame of [false, undefined])
      expect(Object.keys((await world().finished(textBody({ return_last_frame }))).content)).toEqual([
        'video_url',
      ])
    shows('a.record.last-frame-url')
  })
})

describe('output_format', () => {
  it.each([
    [undefined, 'mp4'],
    ['mp4', 'mp4'],
    ['mov', 'mov'],
  ])(
    '%j on 2.5 gives a file ending in %s, and is reported (Spec, "Family A: create request", output_format)',
    async (output_format, ending) => {
      const record = await world().finished(textBody({ output_format }))
      expect(record.output_format).toBe(ending)
      expect(new URL(record.content.video_url).pathname).toMatch(new RegExp(`\\.${ending}$`))
      shows('a.create.format', 'a.record.format')
    },
  )

  it.each(['mp4', 'mov'])(
    '%s must not be sent to 2.0 (Spec, "Family A: create request", output_format)',
    async output_format => {
      await world().refused(textBody({ model: 'model_a_20', output_format }), {
        param: 'output_format',
        message: '2.5 only',
      })
      shows('a.create.format-20')
    },
  )

  it('is absent for 2.0 (Spec, "Family A: task record", output_format)', async () => {
    expect(await world().finished(textBody({ model: 'model_a_20' }))).not.toHaveProperty('output_format')
    shows('a.record.format')
  })

  it.each(['webm', 'MP4', 'gif'])(
    '%j is refused as format (Spec, "Family A: create request")',
    async output_format => {
      await world().refused(textBody({ output_format }), { param: 'output_format', message: 'mp4, mov' })
      shows('a.create.format')
    },
  )
})

describe('execution_expires_after', () => {
  it.each([3600, 3601, 172_800, 259_200])('may be %i (Spec, "Limits", Family A expiry)', async seconds => {
    const client = world()
    const id = await client.made(textBody({ execution_expires_after: seconds }))
    expect((await client.get(id)).body.execution_expires_after).toBe(seconds)
    shows('a.create.expiry')
  })

  it.each([3599, 259_201, 0, -1, '3600', 3600.5])(
    'may not be %j (Spec, "Limits", Family A expiry)',
    async execution_expires_after => {
      await world().refused(textBody({ execution_expires_after }), { param: 'execution_expires_after' })
    },
  )

  it('is 172800 by default (A-flags)', async ({ client }) => {
    expect((await client.get(await client.made())).body.execution_expires_after).toBe(172_800)
  })
})

describe('fields that must not be sent', () => {
  it('callback_url gives 400 (Spec, "Events" 1, "Errors" rule 2; same-everywhere.test.ts has every value)', async () => {
    const body = textBody({ callback_url: 'https://example.com/done' })
    await world().refused(body, { param: 'callback_url', code: 'InvalidParameter' })
    shows('a.create.callback')
  })

  it.each(['model_a_20', 'model_a_25'].flatMap(model => [0, '7'].map(seed => [model, seed])))(
    '%s refuses the seed %j (Spec, "Family A: create request", seed)',
    async (model, seed) => {
      await world().refused(textBody({ model, seed }), { param: 'seed', message: '1.x' })
      shows('a.create.seed')
    },
  )

  it.each([
    ['frames', 29, '1.x'],
    ['camera_fixed', true, '1.x'],
    ['draft', true, 'draft is not supported'],
    ['service_tier', 'flex', '"flex" is not supported, must be default'],
    ['priority', 10, 'less than or equal to 9'],
    ['priority', -1, 'greater than or equal to 0'],
    ['safety_identifier', 'x'.repeat(65), '64'],
  ])('%s: %j gives 400 (A-forbidden)', async (field, value, message) => {
    await world().refused(textBody({ [field]: value }), { param: field, message })
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

describe('bodies of real clients', () => {
  it('accepts the body of the official Python client, which sends null for every option that is not set (A-null)', async () => {
    const unset = [
      'callback_url',
      'return_last_frame',
      'service_tier',
      'execution_expires_after',
      'generate_audio',
      'draft',
      'camera_fixed',
      'watermark',
      'seed',
      'resolution',
      'ratio',
      'duration',
      'frames',
      'tools',
      'safety_identifier',
      'priority',
    ]
    for (const model of ['model_a_20', 'model_a_25']) {
      const body = { model, content: [text('a cat')], ...Object.fromEntries(unset.map(name => [name, null])) }
      const record = await world().finished(body)
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
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/vnd.api+json',
    ]) {
      const reply = await gateway.call(
        'POST',
        '/api/v3/contents/generations/tasks',
        JSON.stringify(textBody()),
        {
          key: client.key,
          headers: { 'Content-Type': type },
        },
      )
      expect(reply.status, type).toBe(200)
    }
    const bare = await fetch(`${gateway.url}/api/v3/contents/generations/tasks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${client.key}` },
      body: Buffer.from(JSON.stringify(textBody())),
    })
    expect(bare.status).toBe(200)
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

  it.each([
    ['resolution', 720],
    ['ratio', 1.5],
    ['content', 'a lighthouse'],
    ['content', { type: 'text', text: 'a' }],
    ['model', 25],
    ['model', ['model_a_25']],
    ['omni_reference_task_type', 1],
    ['safety_identifier', {}],
    ['tools', 'web_search'],
  ])('%s of the wrong type, %j, names the parameter (Spec, "Errors")', async (param, value) => {
    await world().refused(textBody({ [param]: value }), { param, message: /is not of type|not allowed/ })
  })
})
