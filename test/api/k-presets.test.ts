import { createHmac } from 'node:crypto'
import { describe, expect } from 'vitest'
import { expectError, motionPath, omniPath, presetsPath, worldOfK } from '../support/family-k.ts'
import { accepted } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfK)

interface Preset {
  task_id: string
  task_result: { elements: { element_id: number; element_name: string }[] }
}

describe('the list of preset subjects', () => {
  it('has task objects whose elements have element_id (Spec, "Family K: objects" 2)', async ({ client }) => {
    const body = accepted(await client.get(presetsPath))
    expect(body).toMatchObject({ code: 0, message: 'SUCCEED' })
    expect(body.data.length).toBeGreaterThanOrEqual(12)
    for (const preset of body.data) {
      expect(preset).toMatchObject({ task_status: 'succeed', task_status_msg: '' })
      expect(preset.task_result.elements).toMatchObject([
        { element_id: expect.any(Number), owned_by: 'kling', status: 'succeed' },
      ])
    }
    const ids = body.data.map((preset: Preset) => preset.task_result.elements[0]?.element_id)
    expect(new Set(ids).size).toBe(ids.length)
    shows('k.presets.element-id', 'k.presets.reply')
  })

  it('gives each task a signed token as task_id, the same in every list (Spec, "Family K: objects" 2)', async () => {
    const client = world()
    const tokens = async () => (await client.get(presetsPath)).body.data.map((one: Preset) => one.task_id)
    const [first, again] = [await tokens(), await tokens()]
    expect(first).toEqual(again)
    expect(new Set(first).size).toBe(first.length)
    const { seed } = (await client.control('GET', '')).body
    for (const token of first) {
      const [payload = '', signature] = token.split('.')
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ channel: 'k-presets' })
      const right = createHmac('sha256', `generation-gateway-emulator/presets/${seed ?? 1}`).update(payload)
      expect(signature).toBe(right.digest('base64url').slice(0, 22))
    }
    shows('k.presets.token')
  })

  it('gives another token in a world of another seed', async () => {
    await gateway.control('POST', '/worlds', { id: 'k-presets-seeded', seed: 99 })
    const [one, other] = [
      (await gateway.get(presetsPath, 'sk-test-k-presets-seeded')).body.data[0],
      (await world().get(presetsPath)).body.data[0],
    ]
    expect(one.task_id).not.toBe(other.task_id)
    expect(one.task_result.elements[0].element_id).toBe(other.task_result.elements[0].element_id)
  })

  it('is paged by pageNum and pageSize, which default to 1 and 30 (K-presets)', async ({ client }) => {
    const names = async (query: string) =>
      (await client.get(`${presetsPath}${query}`)).body.data.map(
        (preset: Preset) => preset.task_result.elements[0]?.element_name,
      )
    const all = await names('')
    expect(await names('?pageSize=5')).toEqual(all.slice(0, 5))
    expect(await names('?pageSize=5&pageNum=3')).toEqual(all.slice(10, 15))
    expect(await names('?pageNum=2')).toEqual([])
    expect(await names('?pageNum=1000&pageSize=500')).toEqual([])
    shows('k.presets.paged')
  })

  it('subjects that were made come after the official ones, on their own pages (K-presets)', async () => {
    const client = world()
    const official = (await client.get(presetsPath)).body.data.length
    for (let i = 0; i < official + 1; i++)
      await client.control('POST', '/tasks', { kind: 'k.preset', request: { element_name: `S${i}` } })
    await client.advance({ until: 'idle' })
    const page = async (query: string) => (await client.get(`${presetsPath}?${query}`)).body.data
    expect(await page('pageSize=1')).toHaveLength(1)
    const [first] = await page(`pageSize=1&pageNum=${official + 1}`)
    expect(first.task_result.elements[0].element_name).toBe('S0')
  })

  it.each(['pageNum=0', 'pageNum=1001', 'pageSize=0', 'pageSize=501', 'pageNum=x', 'pageSize=1.5'])(
    'refuses %s (K-presets)',
    async query => {
      expectError(await world().get(`${presetsPath}?${query}`), { param: query.split('=')[0] ?? '' })
    },
  )

  it('also answers below /v1 (Spec, "Family K", endpoints)', async () => {
    expect((await world().get(`/v1${presetsPath}`)).body.data.length).toBeGreaterThanOrEqual(12)
    shows('k.presets.prefix')
  })

  it('has subjects whose pictures and videos can be fetched', async () => {
    const { body } = await world().get(presetsPath)
    const urls: string[] = JSON.stringify(body).match(/http:[^"]+/g) ?? []
    expect(urls.length).toBeGreaterThanOrEqual(12)
    for (const url of new Set(urls)) expect((await gateway.download(url)).status, url).toBe(200)
  })
})

describe('an omni submission', () => {
  const text = { type: 'prompt', text: 'fog over the sea' }
  const settings = { aspect_ratio: '9:16', duration: 3 }

  it('accepts preset subjects by element_id, as number or string (Spec, "Family K: objects" 2)', async () => {
    const client = world()
    const id = (await client.get(presetsPath)).body.data[0].task_result.elements[0].element_id
    for (const element_id of [id, String(id)]) {
      const contents = [text, { type: 'element', element_id }]
      const item = await client.finished(omniPath, { contents, settings })
      expect(item).toMatchObject({ status: 'succeeded', outputs: [{ type: 'video', duration: '3.041' }] })
    }
    shows('k.presets.usable')
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['an unknown element', [text, { type: 'element', element_id: '7' }], settings, 'contents[1].element_id'],
    ['no shape', [text], {}, 'settings.aspect_ratio'],
    ['no prompt and no media', [{ type: 'element', element_id: '158412093847261' }], settings, 'prompt'],
    ['a last frame alone', [text, { type: 'last_frame', url: 'http://a.example/a.jpg' }], settings, 'contents'],
    ['two videos', ['base', 'feature'].map(name => ({ type: `${name}_video`, url: 'http://a.example/a.mp4' })), settings, 'contents'],
    ['an inline video', [{ type: 'base_video', url: 'data:video/mp4;base64,AAAA' }], settings, 'contents[0].url'],
    ['another ratio', [text], { aspect_ratio: '4:3' }, 'settings.aspect_ratio'],
  ],
  )('with %s is refused (K-beyond)', async (_, contents, given, param) => {
    await world().refused(omniPath, { contents, settings: given }, { param })
  })

  it('with a short video is refused, and with a silent one accepted (K-beyond)', async ({ client }) => {
    const bodyWith = (name: string) => ({
      prompt: 'x',
      contents: [{ type: 'feature_video', url: client.sample(name) }],
    })
    await client.refused(omniPath, bodyWith('clip-2s.mov'), { message: 'length in seconds' })
    expect(await client.finished(omniPath, bodyWith('clip-silent.mp4'))).toMatchObject({
      status: 'succeeded',
    })
  })
})

describe('a motion-control submission', () => {
  const contentsOf = (client: ReturnType<typeof world>, ...others: object[]) => [
    { type: 'image', url: client.sample('portrait.jpg') },
    { type: 'video', url: client.sample('clip-768p-107f.mp4') },
    ...others,
  ]

  it('gives a video as long as its input, in the picture’s shape (K-duration, K-size)', async () => {
    const client = world()
    const settings = { character_orientation: 'video' }
    const item = await client.finished(motionPath, { contents: contentsOf(client), settings })
    expect(item.outputs[0].duration).toBe('4.458')
    const { job } = (await client.control('GET', `/tasks/${item.id}`)).body
    expect(job).toMatchObject({ frames: 107, size: [720, 1280], audio: true })
    // One credit for each second of the input.
    const { totals } = (await client.control('GET', '/ledger')).body
    expect(totals.settled).toBe(4.458)
  })

  it('accepts a video of up to 10 s with the orientation of the picture, up to 30 s with that of the video (K-beyond)', async () => {
    const client = world()
    const settings = { duration: 12 }
    const long = await client.finished('/image-to-video/model_k_30', client.frameBody({ settings }))
    const contents = [
      { type: 'image', url: client.sample('portrait.jpg') },
      { type: 'video', url: long.outputs[0].url },
    ]
    const body = (orientation: string) => ({ contents, settings: { character_orientation: orientation } })
    await client.refused(motionPath, body('image'), { param: 'contents[1].url', message: '10.2' })
    await client.made(motionPath, body('video'))
  })

  it('accepts one preset subject (Spec, "Family K: objects" 2)', async ({ client }) => {
    const element = { type: 'element', element_id: '158412093847261' }
    const settings = { character_orientation: 'image', audio: 'off' }
    await client.made(motionPath, { contents: contentsOf(client, element), settings })
    const twice = { contents: contentsOf(client, element, element), settings }
    await client.refused(motionPath, twice, { param: 'contents' })
    const unknown = { contents: contentsOf(client, { ...element, element_id: '7' }), settings }
    await client.refused(motionPath, unknown, { param: 'contents[2].element_id' })
    shows('k.presets.usable')
  })

  it.for([
    ['no orientation', {}, 'settings.character_orientation'],
    ['an unknown orientation', { character_orientation: 'left' }, 'settings.character_orientation'],
    ['4k', { character_orientation: 'image', resolution: '4k' }, 'settings.resolution'],
    ['native sound', { character_orientation: 'image', audio: 'native' }, 'settings.audio'],
  ] as const)('with %s is refused (K-beyond)', async ([_, settings, param], { client }) => {
    await client.refused(motionPath, { contents: contentsOf(client), settings }, { param })
  })

  it.each([0, 1])('needs picture and video: with only item %i it is refused (K-beyond)', async index => {
    const client = world()
    const contents = contentsOf(client).slice(index, index + 1)
    const settings = { character_orientation: 'image' }
    await client.refused(motionPath, { contents, settings }, { param: 'contents' })
  })
})
