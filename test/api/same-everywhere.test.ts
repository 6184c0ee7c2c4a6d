import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { creating, examplesOf, rows } from '../support/contract.ts'
import { tasksPath } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'

const gateway = await openGateway()
const sample = (name: string) => `${gateway.url}/__emulator/samples/${name}`
const image = (url: string) => ({ type: 'image_url', image_url: { url }, role: 'first_frame' })
const text = { type: 'text', text: 'a kite over dunes' }

type Make = (url: string, extra?: object) => object

const imagesPath = '/api/v3/images/generations'
const ofA =
  (model: string): Make =>
  (url, extra) => ({ model, content: [text, image(url)], ...extra })
const ofC: Make = (url, extra) => {
  const size = { resolution: '768P', duration: 5 }
  return { model: 'model_c', content: [text, image(url)], ...size, ...extra }
}
const privacy = 'InputImageSensitiveContentDetected.PrivacyInformation'

/**
 * One create of each family with an image input, its word for a real face, and a form that its references may have besides URLs, data URIs
 * and assets.
 */
const creates: Record<string, { path: string; body: Make; face: string; own?: string }> = {
  'family A, 2.0': { path: tasksPath, face: privacy, body: ofA('model_a_20') },
  'family A, 2.5': { path: tasksPath, face: privacy, body: ofA('model_a_25') },
  'family B': {
    path: '/api/v1/services/aigc/video-generation/video-synthesis',
    face: 'DataInspectionFailed',
    body: (url, extra) => {
      const input = { prompt: 'a', media: [{ type: 'first_frame', url }] }
      return { model: 'model_b', input, ...extra }
    },
    own: 'oss://bucket/a.png',
  },
  'family C': { path: '/v2/video_generation', face: 'permission_error', body: ofC, own: 'mm_file://123456' },
  'C-special': {
    path: '/special/v2/video_generation',
    face: 'permission_error',
    body: (url, extra) => ofC(url, { ratio: '16:9', ...extra }),
    own: 'mm_file://123456',
  },
  'family K': {
    path: '/image-to-video/model_k_30',
    face: '1301',
    body: (url, extra) => ({ prompt: 'a', contents: [{ type: 'first_frame', url }], ...extra }),
  },
  'family K, avatar': {
    path: '/videos/avatar/image2video',
    face: '1301',
    body: (url, extra) => ({ image: url, sound_file: sample('voice-8s.mp3'), ...extra }),
  },
  'the image operation': {
    path: imagesPath,
    face: privacy,
    body: (url, extra) => ({ model: 'model_image', prompt: 'a', image: url, ...extra }),
  },
  'layer mode': {
    path: imagesPath,
    face: privacy,
    body: (url, extra) => ({ model: 'model_image', image: url, layer_decomposition: true, ...extra }),
  },
}

let next = 0
const keyOf = () => `sk-test-same-${next++}`
const messageOf = (body: { message?: string; error?: { message: string } }) =>
  body.error?.message ?? body.message ?? ''

async function refused(path: string, body: object) {
  const key = keyOf()
  const reply = await gateway.post(path, body, key)
  expect(reply.status, JSON.stringify(reply.body)).toBe(400)
  const world = key.replace('sk-test-', '')
  const ledger = await gateway.call('GET', `/__emulator/worlds/${world}/ledger`)
  expect(ledger.body.items).toEqual([])
  return messageOf(reply.body)
}

const modelled = creating.flatMap(row =>
  (row.endpoint.reads?.models ?? []).map(model => [row.title, model, row] as const),
)

it.each(modelled)(
  '%s takes %s: the model has its price and its names',
  async (operation, model, { endpoint }) => {
    const [path] = endpoint.paths
    const inPath = path.includes(':model')
    const replies = await Promise.all(
      examplesOf(operation, gateway).map(({ body }) =>
        gateway.post(path.replace(':model', model), inPath ? body : { ...body, model }, keyOf()),
      ),
    )
    expect(replies.map(({ status, text }) => (status === 200 ? 'made' : text))).toContain('made')
  },
)

const jpeg = readFileSync('fixtures/media/samples/landscape.jpg').toString('base64')
const inline = (label: string, base64 = jpeg) => `data:${label};base64,${base64}`

const urlSafe = jpeg.replaceAll('+', '-').replaceAll('/', '_')

it.each(Object.entries(creates))(
  '%s judges references and callbacks as every family does (A-labels, A-references, A-callback; Spec, "Errors" rule 2)',
  async (name, { path, body, own }) => {
    const accepts = async (reference: string) =>
      expect((await gateway.post(path, body(reference), keyOf())).status, reference.slice(0, 60)).toBe(200)
    for (const reference of [
      inline('image/jpeg'),
      'https://example.com/picture',
      own ?? inline('image/x-jpg'),
    ])
      await accepts(reference)
    for (const [reference, message] of [
      [inline('image/png'), 'the data URI says image/png and holds jpeg, must be image/jpeg'],
      ['https://example.com/a.webm', 'webm'],
      ['ftp://example.com/a.png', 'http or https URL'],
      [own?.startsWith('oss') ? 'mm_file://123456' : 'oss://bucket/a.png', 'http or https URL'],
      [' https://example.com/a.png', 'blanks'],
    ] as const)
      expect(await refused(path, body(reference)), reference.slice(0, 60)).toContain(message)
    // Plain base64 is family K's.
    if (name.startsWith('family K')) await accepts(jpeg)
    else expect(await refused(path, body(jpeg))).toContain('a data URI')
    const url = sample('layered.png')
    expect((await gateway.post(path, body(url, { callback_url: '' }), keyOf())).status).toBe(200)
    expect(await refused(path, body(url, { callback_url: false }))).toContain('callback_url')
    shows('all.events.none', 'all.errors.callback')
  },
)

it.each(Object.entries(creates))(
  '%s refuses real persons without a certificate, and assets of other accounts (Spec, "What the service does" 6, "Authentication" 2)',
  async (_, { path, body, face }) => {
    const key = keyOf()
    const control = gateway.controlOf(key.slice('sk-test-'.length))
    const asset = async (change: object = {}) => {
      const facts = { kind: 'image', url: sample('real-face.jpg'), ...change }
      return (await control('POST', '/assets', facts)).body.reference
    }
    for (const url of [sample('real-face.jpg'), 'https://example.com/a-real-face.png', await asset()]) {
      const { status, body: found } = await gateway.post(path, body(url), key)
      expect([status, found.code ?? found.error.code ?? found.error.type]).toEqual([403, face])
    }
    const other = await asset({ url: sample('landscape.jpg'), account: 'other' })
    expect((await gateway.post(path, body(other), key)).status).toBe(400)
    for (const list of ['/tasks', '/ledger']) expect((await control('GET', list)).body.items).toEqual([])
    const certified = await gateway.post(path, body(await asset({ certified_person: true })), key)
    expect(certified.status, certified.text).toBe(200)
    shows('all.service.face-certified')
  },
)

describe('every form of a reference and of a callback, at one create', () => {
  const { path, body } = creates['family A, 2.5'] as (typeof creates)[string]
  const accepts = async (reference: string) =>
    expect((await gateway.post(path, body(reference), keyOf())).status, reference.slice(0, 60)).toBe(200)

  it('an inline JPEG may have each label for it, and no other (A-labels)', async () => {
    for (const label of ['image/jpeg', 'image/x-jpg', 'application/octet-stream'])
      await accepts(inline(label))
    for (const [reference, message] of [
      [inline('audio/jpeg'), 'the data URI says audio/jpeg and holds jpeg'],
      [inline(''), 'is not of the form data:<kind>/<format in lower case>;base64,<data>'],
      [inline('image/jpeg', urlSafe), 'URL-safe base64'],
    ] as const)
      expect(await refused(path, body(reference))).toContain(message)
  })

  it('a URL that is not read is refused when its ending is of a format outside the list, or when it has blanks (A-references)', async () => {
    for (const file of ['a.svg', 'a.AVIF?size=big', 'a.webm', 'a.exe#top', 'a.zip', 'a.psd'])
      expect(await refused(path, body(`https://example.com/${file}`)), file).toMatch(
        /svg|avif|webm|exe|zip|psd/i,
      )
    for (const rest of ['/picture', '', '/a.v2', '/image.php?id=1.svg', '/a.jpg', '/a.PNG'])
      await accepts(`https://example.com${rest}`)
    for (const blank of ['\thttps://example.com/a.png', 'https://example.com/a.png '])
      expect(await refused(path, body(blank)), blank).toContain('blanks')
  })

  it('a reference of another scheme is refused (A-references)', async () => {
    for (const reference of ['oss://bucket/a.png', 'mm_file://123456', 'file:///etc/hosts', 's3://b/a.png'])
      expect(await refused(path, body(reference)), reference).toContain('http or https URL')
  })

  it('a callback_url may be empty or null, and nothing else (A-callback; Spec, "Errors" rule 2)', async () => {
    const url = sample('layered.png')
    for (const callback_url of ['', null])
      expect((await gateway.post(path, body(url, { callback_url }), keyOf())).status).toBe(200)
    for (const callback_url of ['https://example.com', ' ', 0, false, [], {}])
      expect(await refused(path, body(url, { callback_url })), String(callback_url)).toContain('callback_url')
  })
})

it.each(
  // biome-ignore format: a table, one row a line
  [
  ['/api/v3/contents/generations/tasks', { model: 'model_a_25', content: [null, text] }, 'content[0]'],
  ['/api/v1/services/aigc/video-generation/video-synthesis', { model: 'model_b', input: { prompt: 'a', media: [null] } }, 'input.media[0]'],
  ['/v2/video_generation', { model: 'model_c', content: [text, null], resolution: '768P', duration: 5, ratio: '16:9' }, 'content[1]'],
  ['/image-to-video/model_k_30', { prompt: 'a', contents: [null] }, 'contents[0]'],
  ['/api/v3/images/generations', { model: 'model_image', prompt: 'a', image: [null] }, 'image[0]'],
],
)('%s refuses null inside a list and names its place (A-lists-null)', async (path, body, place) => {
  expect(await refused(path, body)).toContain(place)
})

it('HEAD of each path that has a GET is 405 with Allow (A-head)', async () => {
  for (const { endpoint } of rows.filter(row => row.endpoint.method === 'GET')) {
    const path = endpoint.paths[0].replace(/:[a-z_]+/g, 'x')
    const { status, headers } = await gateway.call('HEAD', path, undefined, { key: keyOf() })
    expect(status, path).toBe(405)
    expect(headers.allow, path).toContain('GET')
  }
})
