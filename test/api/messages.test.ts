import { expect, it } from 'vitest'
import { misfit } from '../../src/emulator/http/validate.ts'
import { creating, examplesOf, misplaced, pathOf } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { shows } from '../support/shows.ts'

const gateway = await openGateway()

/** Words of the validator, which callers must not see. */
const validatorsOwn =
  /must NOT|must be equal to|must match (pattern|format|exactly|a schema)|must have required|should be|schema is/
const messageOf = (body: { message?: string; error?: { message: string } }) =>
  body.error?.message ?? body.message ?? ''

it.each(creating.map(row => [row.title, row] as const))(
  '%s: a value of a wrong type is refused with its parameter and the allowed values, in the emulator’s words',
  async (_, row) => {
    const { body: schema } = row.endpoint
    const [example] = examplesOf(row.endpoint.operation, gateway)
    const path = await pathOf(row, gateway)
    const tries = misplaced(schema ?? {}, example?.body ?? {})
    expect(tries.length).toBeGreaterThan(5)
    for (const { pointer, body } of tries) {
      const reply = await gateway.call('POST', path, body, { key: 'sk-test-messages' })
      expect(reply.status, pointer).toBe(400)
      expect(misfit(row.family.dialect.errorSchema, reply.body), reply.text).toBeUndefined()
      const message = messageOf(reply.body)
      const [place = '', value = ''] = pointer.split(' = ')
      expect(message, pointer).not.toMatch(validatorsOwn)
      expect(message.replace(/\[0\]/g, '[]'), pointer).toContain(place)
      expect(message, pointer).toContain(value)
      expect(message, pointer).toMatch(/must be|must have|must not be|must be left out/)
    }
    for (const list of ['tasks', 'ledger'])
      expect((await gateway.control('GET', `/worlds/messages/${list}`)).body.items).toEqual([])
    shows('b.create.prompt-extend')
  },
)

it.each(['1e400', '-1e400'])(
  'a number that JSON allows and no program can hold, %s, is refused as what it is',
  async number => {
    const reply = await fetch(`${gateway.url}/api/v3/contents/generations/tasks`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk-test-messages', 'Content-Type': 'application/json' },
      body: `{"model":"model_a_20","content":[{"type":"text","text":"a"}],"duration":${number}}`,
    })
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { error: { message: string } }).error.message).toContain(
      'a number beyond 1.8e308 is not of type integer',
    )
  },
)

const video = (model: string, extra: object) => ({
  model,
  content: [{ type: 'text', text: 'a' }],
  ratio: '16:9',
  ...extra,
})
const frame = (settings: object) => ({
  prompt: 'a',
  settings,
  contents: [{ type: 'first_frame', url: `${gateway.url}/__emulator/samples/landscape.jpg` }],
})
const a = '/api/v3/contents/generations/tasks'
const wrong = ['999p', 5, '4K', {}]

it.each(
  // biome-ignore format: a table, one row a line
  [
  ['4k on 2.5', a, (value: unknown) => video('model_a_25', { resolution: value }), '4k'],
  ['output_format on 2.0', a, (value: unknown) => video('model_a_20', { output_format: value }), 'mov'],
  ['omni_reference_task_type on 2.0', a, (value: unknown) => video('model_a_20', { omni_reference_task_type: value }), 'extend'],
  ['4k on turbo', '/image-to-video/model_k_30_turbo', (value: unknown) => frame({ resolution: value }), '4k'],
  ['original sound on 3.0', '/image-to-video/model_k_30', (value: unknown) => frame({ audio: value }), 'original'],
  [
    'adaptive in the special variant',
    '/special/v2/video_generation',
    (value: unknown) => video('model_c', { resolution: '768P', duration: 5, ratio: value }),
    'adaptive',
  ],
],
)('messages do not offer %s', async (_, path, body, absent) => {
  for (const value of wrong) {
    const { status, body: reply } = await gateway.call('POST', path, body(value), { key: 'sk-test-offers' })
    expect(status).toBe(400)
    expect(messageOf(reply), JSON.stringify(value)).not.toContain(absent)
    expect(messageOf(reply), JSON.stringify(value)).not.toMatch(validatorsOwn)
  }
})

it.each([
  [{ duration: '5' }, '"5"', 'an integer from 3 to 15'],
  [{ duration: 5.5 }, '5.5', 'an integer from 3 to 15'],
  [{ resolution: 5 }, '5', 'one of 720p, 1080p'],
  [{ resolution: '8k' }, '"8k"', 'one of 720p, 1080p'],
])(
  'an optional value of K, %j, is refused with its type and its values',
  async (settings, value, allowed) => {
    const { status, body } = await gateway.call('POST', '/image-to-video/model_k_30_turbo', frame(settings), {
      key: 'sk-test-optional',
    })
    expect(status).toBe(400)
    expect(body.error.message).toContain(value)
    expect(body.error.message).toContain(allowed)
    expect(body.error.message).not.toContain('""')
  },
)

it.each([
  ['model', 5, 'must be a string'],
  ['content', 'a boat', 'must be an array'],
  ['duration', '5', 'must be an integer'],
  ['watermark', 'yes', 'must be true or false'],
])('%s: %j is refused with its type in the words of JSON', async (field, value, allowed) => {
  const asked = { ...video('model_a_25', {}), [field]: value }
  const { status, body } = await gateway.call('POST', a, asked, { key: 'sk-test-json-words' })
  expect(status).toBe(400)
  expect(messageOf(body)).toContain(allowed)
})
