import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { createPath, turboPath, worldOfK } from '../support/family-k.ts'
import { openingTime } from '../support/gateway.ts'
import { plainPicture } from '../support/input-samples.ts'
import { chargesOf, refusal } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfK)
const opened = Date.parse(openingTime)

describe('an accepted create', () => {
  it('answers code 0, message SUCCEED, request_id and data that starts submitted (Spec, "Family K: objects" 1)', async () => {
    const client = world()
    const { status, body, headers } = await client.post(createPath, client.frameBody({ prompt: 'waves' }))
    expect(status).toBe(200)
    expect(body).toEqual({
      code: 0,
      message: 'SUCCEED',
      request_id: headers['x-request-id'],
      data: {
        id: expect.stringMatching(/^\d{18}$/),
        status: 'submitted',
        create_time: opened,
        update_time: opened,
      },
    })
    shows('k.create.reply', 'k.create.data', 'k.create.submitted')
  })

  it('has ids that contain their time and sort by it (K-ids)', async ({ client }) => {
    const first = await client.made(createPath, client.frameBody())
    await client.advance('5s')
    const second = await client.made(createPath, client.frameBody())
    const moment = (id: string) => Number(BigInt(id) >> 22n) + 1_568_028_518_784
    expect(moment(first)).toBe(opened)
    expect(moment(second)).toBe(opened + 5000)
    expect(second > first).toBe(true)
  })

  it.for(['model_k_30', 'model_k_30_turbo', 'kling-3.0', 'kling-3.0-turbo'])(
    'accepts the model %s in the path (Spec, "Family K", endpoints)',
    async (model, { client }) => {
      const id = await client.made(`/image-to-video/${model}`, client.frameBody())
      const task = (await client.control('GET', `/tasks/${id}`)).body
      expect(task).toMatchObject({ family: 'k', kind: 'k', model })
    },
  )

  it.each([
    ['POST', createPath],
    ['POST', '/omni-video/model_k_30'],
    ['POST', '/motion-control/model_k_30'],
    ['GET', '/tasks?task_ids=1'],
    ['GET', '/general/custom-voices/1'],
    ['POST', '/general/custom-voices'],
  ])(
    '%s %s has no /v1 prefix: it is a 404 that names the path (Spec, "Versioning" 2; K-paths)',
    async (method, path) => {
      const error = refusal(await gateway.call(method, `/v1${path}`, method === 'POST' ? {} : undefined), 404)
      expect(error.message).toContain(`The path /v1${path.split('?')[0]} does not exist`)
      shows('k.tasks.no-prefix', 'k.voice.no-prefix')
    },
  )

  it('accepts null for every option, as official clients send it (A-null)', async ({ client }) => {
    const body = client.frameBody({
      prompt: null,
      settings: { resolution: null, duration: null, audio: null, multi_shot: null },
      options: { callback_url: null, external_task_id: null, watermark_info: null },
      callback_url: null,
      external_task_id: null,
    })
    expect(await client.finished(createPath, body)).toMatchObject({ status: 'succeeded' })
  })

  it('accepts "" for every optional value, as vendor examples send it (K-empty)', async ({ client }) => {
    const first = { type: 'first_frame', url: client.sample('landscape.jpg') }
    const { body } = await client.post(createPath, {
      prompt: '',
      contents: [{ type: 'prompt', text: '' }, first, { type: 'last_frame', url: '' }],
      settings: { resolution: '', duration: '', audio: '', multi_shot: '' },
      options: { callback_url: '', external_task_id: '', watermark_info: { enabled: '' } },
      watermark_info: { enabled: '' },
      callback_url: '',
      external_task_id: '',
    })
    expect(body.data).not.toHaveProperty('external_id')
    const { job } = (await client.control('GET', `/tasks/${body.data.id}`)).body
    expect(job).toMatchObject({ resolution: '720p', frames: 121, audio: false, watermark: false })
  })

  it('ignores unknown keys and lists them as unread (A-unknown-keys)', async ({ client }) => {
    const id = await client.made(createPath, {
      ...client.frameBody({ settings: { aspect_ratio: '16:9' }, negative_prompt: 'rain' }),
    })
    const { unread } = (await client.control('GET', `/tasks/${id}`)).body
    expect(unread).toEqual(['settings.aspect_ratio', 'negative_prompt'])
  })
})

describe('the prompt', () => {
  const promptOf = async (body: Record<string, unknown>) => {
    const client = world()
    const id = await client.made(createPath, { ...client.frameBody(), ...body })
    return (await client.control('GET', `/tasks/${id}`)).body
  }

  it('is at the top level (Spec, "Family K", endpoints)', async () => {
    expect((await promptOf({ prompt: 'a boat' })).job.prompt).toBe('a boat')
    shows('k.create.prompt')
  })

  it('may be an item of the contents, as upstream writes it (K-prompt)', async () => {
    const contents = [
      { type: 'prompt', text: 'a kite' },
      { type: 'first_frame', url: `${gateway.url}/__emulator/samples/landscape.jpg` },
    ]
    expect((await promptOf({ contents })).job.prompt).toBe('a kite')
    const both = await promptOf({ prompt: 'a boat', contents })
    expect(both.job.prompt).toBe('a boat')
    expect(both.unread).toEqual(['contents[0].text'])
  })

  it.for([
    ['model_k_30', 3072],
    ['model_k_30_turbo', 2500],
  ] as const)('of %s has at most %i characters (K-prompt)', async ([model, most], { client }) => {
    const path = `/image-to-video/${model}`
    await client.made(path, client.frameBody({ prompt: '字'.repeat(most) }))
    await client.refused(path, client.frameBody({ prompt: 'x'.repeat(most + 1) }), {
      param: 'prompt',
      message: `at most ${most}`,
    })
  })
})

describe('settings', () => {
  it.for([
    [turboPath, '720p', [1280, 720]],
    [turboPath, '1080p', [1920, 1080]],
    [createPath, '720p', [1280, 720]],
    [createPath, '1080p', [1920, 1080]],
    [createPath, '4k', [3840, 2160]],
  ] as const)('%s makes %s (K-settings, K-size)', async ([path, resolution, size], { client }) => {
    const id = await client.made(path, client.frameBody({ settings: { resolution } }))
    expect((await client.control('GET', `/tasks/${id}`)).body.job).toMatchObject({ resolution, size })
    shows('k.create.settings')
  })

  it.for([
    ['portrait.jpg', [720, 1280]],
    ['square.png', [960, 960]],
  ] as const)(
    'gives the video the shape of the first frame %s (K-size)',
    async ([file, size], { client }) => {
      const contents = [{ type: 'first_frame', url: client.sample(file) }]
      const id = await client.made(createPath, { contents })
      expect((await client.control('GET', `/tasks/${id}`)).body.job.size).toEqual(size)
    },
  )

  it('refuses a resolution outside the account\'s group and charges nothing (Spec, "Errors" rule 1)', async () => {
    const client = world()
    await client.control('PATCH', '/accounts/narrow', { resolutions: ['720p'] })
    const key = `${client.key}.narrow`
    const refusal = { param: 'settings.resolution', message: "outside the account's group" }
    await client.refused(createPath, client.frameBody({ settings: { resolution: '1080p' } }), refusal, key)
    await client.made(createPath, client.frameBody(), key)
  })

  const refused: [path: string, name: string, values: unknown[], message?: string][] = [
    [createPath, 'resolution', ['480p', '720P', 720]],
    [turboPath, 'resolution', ['4k'], '720p, 1080p'],
    [createPath, 'duration', [2, 16, 4.5, '5', -1]],
    [createPath, 'audio', ['loud', 'original']],
    [createPath, 'multi_shot', ['yes']],
  ]
  it.each(
    refused.flatMap(([path, name, values, message = '']) =>
      values.map(value => [path, name, value, message] as const),
    ),
  )(
    '%s must not have %s %j, and charges nothing (Spec, "Errors" rule 1; K-settings)',
    async (path, name, value, message) => {
      const client = world()
      const settings = { [name]: value }
      await client.refused(path, client.frameBody({ settings }), { param: `settings.${name}`, message })
      shows('k.create.settings')
    },
  )

  it.for([3, 15])('makes a file of %i seconds and one frame (K-duration)', async (duration, { client }) => {
    const item = await client.finished(createPath, client.frameBody({ settings: { duration } }))
    expect(item.outputs[0].duration).toBe(`${duration}.041`)
  })

  it.for([
    [createPath, undefined, false],
    [createPath, 'off', false],
    [createPath, 'native', true],
    [turboPath, undefined, true],
    [turboPath, 'off', true],
  ] as const)('%s with audio %s has sound: %s (K-settings)', async ([path, audio, hasSound], { client }) => {
    const id = await client.made(path, client.frameBody({ settings: { audio } }))
    expect((await client.control('GET', `/tasks/${id}`)).body.job.audio).toBe(hasSound)
  })
})

describe('contents', () => {
  const url = 'http://pictures.example/a.jpg'
  const first = { type: 'first_frame', url }

  it.for([createPath, turboPath])(
    'of %s may have a last frame (Spec, "Family K"; K-last-frame)',
    async (path, { client }) => {
      const item = await client.finished(path, { contents: [first, { type: 'last_frame', url }] })
      expect(item.status).toBe('succeeded')
      shows('k.create.contents')
    },
  )

  it.each([
    ['nothing', undefined, 'contents'],
    ['an empty list', [], 'contents'],
    ['no first frame', [{ type: 'prompt', text: 'x' }], 'contents'],
    ['a last frame alone', [{ type: 'last_frame', url }], 'contents'],
    ['two first frames', [first, first], 'contents'],
    ['two last frames', [first, { type: 'last_frame', url }, { type: 'last_frame', url }], 'contents'],
    ['a frame without url', [{ type: 'first_frame' }], 'contents[0].url'],
    ['a frame with an empty url', [{ type: 'first_frame', url: '' }], 'contents[0].url'],
    ['an item without type', [{ url }], 'contents[0].type'],
    ['an unknown type', [first, { type: 'middle_frame', url }], 'contents[1].type'],
    ['a prompt without text', [first, { type: 'prompt' }], 'contents[1].text'],
    ['an unknown element', [first, { type: 'element', element_id: '1' }], 'contents[1].element_id'],
    ['an element without id', [first, { type: 'element' }], 'contents[1].element_id'],
    ['a property of Object as type', [first, { type: 'constructor', url }], 'contents[1].type'],
  ])('with %s are refused (K-contents)', async (_, contents, param) => {
    await world().refused(createPath, { prompt: 'x', contents }, { param })
    shows('k.create.contents')
  })

  it('allow no elements on turbo, and known ones on 3.0 (K-contents)', async ({ client }) => {
    const contents = [first, { type: 'element', element_id: 158412093847261, id: 'element_1' }]
    await client.refused(turboPath, { contents }, { param: 'contents[1].type' })
    await client.made(createPath, { contents })
  })

  it.for([
    ['landscape.webp', 'format'],
    ['balloon.gif', 'format'],
    ['clip-2s.mov', 'image is needed'],
    ['voice-8s.mp3', 'image is needed'],
    ['missing.jpg', 'no sample'],
  ] as const)('refuse the file %s (K-contents)', async ([file, message], { client }) => {
    const contents = [{ type: 'first_frame', url: client.sample(file) }]
    await client.refused(createPath, { contents }, { param: 'contents[0].url', message })
  })

  it('accept a picture as a data URI or as plain base64 (K-contents)', async ({ client }) => {
    const bytes = readFileSync('fixtures/media/samples/portrait.jpg').toString('base64')
    for (const inline of [bytes, `data:image/jpeg;base64,${bytes}`]) {
      const id = await client.made(createPath, { contents: [{ type: 'first_frame', url: inline }] })
      const { job, request } = (await client.control('GET', `/tasks/${id}`)).body
      expect(job.size).toEqual([720, 1280])
      expect(JSON.stringify(request).length).toBeLessThan(400)
    }
  })

  it('refuse pictures that are too small or too wide (K-contents)', async ({ client }) => {
    for (const [width, height, message] of [
      [299, 400, 'width'],
      [1000, 390, 'aspect'],
    ] as const) {
      const url = await plainPicture(width, height)
      await client.refused(createPath, { contents: [{ type: 'first_frame', url }] }, { message })
    }
  })
})

describe('options', () => {
  it.each([
    [{ callback_url: 'https://example.com/hook' }, 'callback_url'],
    [{ options: { callback_url: 'https://example.com/hook' } }, 'options.callback_url'],
    [{ callback_url: 1 }, 'callback_url'],
  ])('with %j are refused with 400 (Spec, "Events" 1, "Errors" rule 2)', async (others, param) => {
    const client = world()
    await client.refused(createPath, client.frameBody(others), { param })
  })

  it.for([{ external_task_id: 'mine' }, { options: { external_task_id: 'mine' } }])(
    'with %j give the task an external id, which its record shows (K-external-id)',
    async (others, { client }) => {
      const { body } = await client.post(createPath, client.frameBody(others))
      expect(body.data.external_id).toBe('mine')
      expect((await client.get('/tasks?external_task_ids=mine')).body.data).toMatchObject([
        { id: body.data.id, external_id: 'mine' },
      ])
      shows('k.create.data')
    },
  )

  it('refuse an external id that the account has used, with upstream’s message, and charge nothing (K-external-id)', async () => {
    const client = world()
    await client.made(createPath, client.frameBody({ external_task_id: 'once' }))
    await client.refused(turboPath, client.frameBody({ options: { external_task_id: 'once' } }), {
      message: /^External_task_id once already exists$/,
    })
    await client.made(createPath, client.frameBody({ external_task_id: 'once' }), `${client.key}.other`)
  })

  it('give an external id to only one of two simultaneous creates (K-external-id)', async ({ client }) => {
    const body = client.frameBody({ external_task_id: 'race' })
    const replies = await Promise.all([client.post(createPath, body), client.post(createPath, body)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('use up an external id only when the create is accepted (K-external-id)', async ({ client }) => {
    await client.refused(createPath, { external_task_id: 'later', contents: [] }, { param: 'contents' })
    await client.made(createPath, client.frameBody({ external_task_id: 'later' }))
  })
})

it.for([
  [createPath, 6],
  [turboPath, 4],
] as const)(
  'charges of %s are reserved at once and settled on success: %i credits for 5 s (Spec, "What the service does" 7)',
  async ([path, amount], { client }) => {
    await client.made(path, client.frameBody())
    expect(await chargesOf(client)).toEqual([`reserved ${amount}`])
    await client.advance({ until: 'idle' })
    expect(await chargesOf(client)).toEqual([`reserved ${amount}`, `settled ${amount}`])
  },
)

describe('who may create', () => {
  it('needs the right to the model: 403 without it (Spec, "Authentication" 4)', async ({ client }) => {
    const key = `${client.key}.limited`
    await client.refused(createPath, client.frameBody(), { status: 403, code: '1103', param: 'model' }, key)
    await client.made(turboPath, client.frameBody(), key)
  })

  it.for(['model_k_31', 'model_a_20', 'constructor'])(
    'needs an existing model, not %s (A-unknown-model)',
    async (model, { client }) => {
      const error = refusal(await client.post(`/image-to-video/${model}`, client.frameBody()), 404)
      expect(error).toMatchObject({ code: '1203', param: 'model' })
      expect((await client.control('GET', '/tasks')).body.items).toEqual([])
      shows('k.create.path-model')
    },
  )
})

describe('bodies that are not valid', () => {
  it.each([
    ['{', '1200'],
    ['[]', '1200'],
    ['{}', '1201'],
  ])('such as %s are 400 (A-body, K-errors)', async (body, code) => {
    expect(refusal(await gateway.call('POST', createPath, body, { key: world().key })).code).toBe(code)
  })
})
