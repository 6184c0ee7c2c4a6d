import { describe, expect } from 'vitest'
import { avatarPath, omniPath, presetsPath, voicePath, worldOfK } from '../support/family-k.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { inWorldsOf } from '../support/worlds.ts'

oneVideoForAll()

const { gateway, world, it } = await inWorldsOf(worldOfK)

/** Makes a task through the control API; fails the test when it is refused. */
async function make(client: ReturnType<typeof world>, kind: string, others: Record<string, unknown> = {}) {
  const { status, text, body } = await client.control('POST', '/tasks', { family: 'k', kind, ...others })
  expect(status, text).toBe(201)
  return body
}

describe('a task made through the control API', () => {
  it.for(['k', 'k.omni', 'k.motion'])(
    'of kind %s needs no request and is found by the batch query',
    async (kind, { client }) => {
      const { id } = await make(client, kind)
      await client.advance({ until: 'idle' })
      const item = await client.item(id)
      expect(item).toMatchObject({ status: 'succeeded', outputs: [{ type: 'video' }] })
      expect((await gateway.download(item?.outputs[0].url)).status).toBe(200)
    },
  )

  it.each([
    ['k.avatar', avatarPath, 'videos'],
    ['k.voice', voicePath, 'voices'],
  ])('of kind %s needs no request and is found by the query of its kind', async (kind, path, list) => {
    const client = world()
    const { id } = await make(client, kind)
    await client.advance({ until: 'idle' })
    const { data } = (await client.get(`${path}/${id}`)).body
    expect(data).toMatchObject({ task_status: 'succeed' })
    const [result] = data.task_result[list]
    expect((await gateway.download(result.url ?? result.trial_url)).status).toBe(200)
  })

  it('of kind preset is in its account’s list with a signed token, and can be used when it has succeeded (K-presets)', async () => {
    const client = world()
    const count = (await client.get(presetsPath)).body.data.length
    const { id } = await make(client, 'k.preset', { request: { element_name: 'Red Kite' } })
    const listed = async (key?: string) => (await client.get(presetsPath, key)).body.data.slice(count)
    expect(await listed()).toMatchObject([{ task_id: id, task_status: 'submitted', task_result: {} }])
    expect(id.split('.')).toHaveLength(2)
    const element = (await client.control('GET', `/tasks/${id}`)).body.job.element.element_id
    const contents = [{ type: 'element', element_id: element }]
    const body = { prompt: 'a kite', contents, settings: { aspect_ratio: '1:1' } }
    await client.refused(omniPath, body, { param: 'contents[0].element_id' })
    await client.advance({ until: 'idle' })
    const elements = [{ element_id: element, element_name: 'Red Kite' }]
    expect(await listed()).toMatchObject([{ task_status: 'succeed', task_result: { elements } }])
    expect(await client.finished(omniPath, body)).toMatchObject({ status: 'succeeded' })
    expect(await listed(`${client.key}.other`)).toEqual([])
    expect((await client.get(`${presetsPath}?pageSize=1&pageNum=${count + 1}`)).body.data).toHaveLength(1)
  })

  it('follows its request and its plan', async ({ client }) => {
    const avatar = await make(client, 'k.avatar', {
      account: 'other',
      request: { mode: 'pro', external_task_id: 'mine' },
      plan: { queued: '1m', outcome: 'failed', error: { code: '1201', message: 'Image pixel is invalid' } },
    })
    expect(avatar).toMatchObject({ account: 'other', status: 'submitted', job: { resolution: '1080p' } })
    await client.advance('59s')
    const read = async () => (await client.get(`${avatarPath}/mine`, `${client.key}.other`)).body.data
    expect((await read()).task_status).toBe('submitted')
    await client.advance({ until: 'idle' })
    expect(await read()).toMatchObject({ task_status: 'failed', task_status_msg: 'Image pixel is invalid' })
    const request = { model: 'model_k_30_turbo', settings: { duration: 3 } }
    const turbo = await make(client, 'k', { request })
    expect(turbo).toMatchObject({ model: 'model_k_30_turbo', job: { frames: 73, audio: true } })
  })

  it.each([
    ['k.avatar', { mode: 'max' }],
    ['k.avatar', { audio_id: '1' }],
    ['k.voice', { voice_name: 'x'.repeat(21) }],
    ['k.preset', { element_name: '' }],
    ['k.omni', { settings: { duration: 99 } }],
    ['k.motion', { contents: [{ type: 'image', url: 'http://a.example/a.jpg' }] }],
    ['k', { model: 'model_c' }],
  ])('of kind %s with %j is refused as its endpoint refuses it', async (kind, request) => {
    const client = world()
    expect((await client.control('POST', '/tasks', { family: 'k', kind, request })).status).toBe(400)
    expect((await client.control('GET', '/tasks')).body.items).toEqual([])
  })

  it('can be forced, in the words of its kind', async ({ client }) => {
    const { id: voice } = await make(client, 'k.voice')
    const force = (id: string, change: object) => client.control('POST', `/tasks/${id}/force`, change)
    expect((await force(voice, { status: 'succeed' })).body.status).toBe('succeed')
    const { id: video } = await make(client, 'k')
    await force(video, { status: 'failed', error: { code: '1301' } })
    expect(await client.item(video)).toMatchObject({ message: 'Failure to pass the risk control system' })
    const { id: other } = await make(client, 'k')
    expect((await force(other, { status: 'cancelled' })).status).toBe(400)
  })
})

describe('scenarios act', () => {
  it('by the mode, here first_last_frame', async ({ client }) => {
    const when = { operation: 'k.create', mode: 'first_last_frame', model: 'model_k_30' }
    // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language
    const rules = [{ when, then: { refuse: { fault: 'unavailable' } } }]
    await client.control('POST', '/scenarios', { name: 'last', rules })
    const frames = ['first', 'last'].map(name => ({
      type: `${name}_frame`,
      url: `http://a.example/${name}.jpg`,
    }))
    const statusWith = async (contents: object[]) =>
      (await client.post('/image-to-video/model_k_30', { contents })).status
    expect([await statusWith(frames.slice(0, 1)), await statusWith(frames)]).toEqual([200, 503])
  })
})
