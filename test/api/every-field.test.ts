import { describe, expect, it } from 'vitest'
import { refusals } from '../../src/emulator/scenarios/refusals.ts'
import { bodyOf } from '../support/any-family.ts'
import { rowNamed } from '../support/contract.ts'
import { textBody as bodyOfA, tasksPath as tasksOfA, worldOfA } from '../support/family-a.ts'
import { textBody as bodyOfB, mediaBody, worldOfB } from '../support/family-b.ts'
import { worldOfImages } from '../support/family-image.ts'
import { createPath } from '../support/family-k.ts'
import { openGateway } from '../support/gateway.ts'
import { plainPicture } from '../support/input-samples.ts'
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

const exampleOf = (operation: string) => bodyOf(rowNamed(operation), gateway)

describe.each(creates)('%s', (operation, path, parts, words) => {
  it('answers below its version prefix (Spec, "Versioning" 2)', async () => {
    expect((await gateway.post(path, exampleOf(operation), `sk-test-${name()}`)).status).toBe(200)
    const other = path.replace(/\/v[123]\//, '/v9/')
    if (other !== path) expect((await gateway.post(other, {}, `sk-test-${name()}`)).status).toBe(404)
    shows('a.versioning.path', 'b.versioning.path', 'c.versioning.path', 'special.versioning.path')
    shows('image.versioning.path')
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
    shows('a.errors.shape', 'b.errors.shape', 'c.errors.shape', 'c.errors.bad-request', 'k.errors.shape')
    shows('image.errors.shape', 'image.errors.parameter')
  })

  it('answers the statuses that its specification declares, with its own words (Spec, "Errors"; A-403, A-rate)', async () => {
    const world = name()
    const control = gateway.controlOf(world)
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
    shows('a.create.refusals', 'b.create.refusals', 'c.create.refusals', 'special.create.refusals')
    shows('special.errors.statuses', 'k.errors.4xx', 'image.errors.key', 'image.errors.right')
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
})

/** A picture without objects, which would take a second to take out. */
const plainJpeg = await plainPicture(320, 240, 'jpeg')

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
