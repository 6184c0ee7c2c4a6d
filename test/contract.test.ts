import { beforeAll, describe, expect, it } from 'vitest'
import { misfit } from '../src/emulator/http/validate.ts'
import { operations } from '../src/emulator/scenarios/operations.ts'
import { creating, examplesOf, ofEachFamily, paired, pathOf, type Row, rows } from './support/contract.ts'
import { type Answer, openGateway } from './support/gateway.ts'
import { shows } from './support/shows.ts'

const gateway = await openGateway()
const narrow = await openGateway({ maxBodyBytes: 2048 })
const paths = new Map<string, string>()
const pathFor = ({ title }: Row) => paths.get(title) ?? ''
const worldOf = ({ title }: Row) => `contract-${title.replaceAll('.', '-')}`

beforeAll(async () => {
  for (const row of rows) paths.set(row.title, await pathOf(row, gateway))
})

/** Fails unless a reply is an error in the family's own shape. */
function expectFault({ family }: Row, reply: Answer, status: number): void {
  expect(reply.status, reply.text).toBe(status)
  expect(misfit(family.dialect.errorSchema, reply.body), reply.text).toBeUndefined()
  expect(reply.headers['x-request-id']).toBeTruthy()
}

async function expectNothingDone(row: Row, of = gateway): Promise<void> {
  for (const path of ['tasks', 'ledger']) {
    const { body } = await of.control('GET', `/worlds/${worldOf(row)}/${path}`)
    expect(body.items, path).toEqual([])
  }
}

/** Every text that a body has under `prompt` or `text`. */
function promptsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (['prompt', 'text'].includes(key) ? [inner] : []) : promptsIn(inner),
  )
}

/** Calls the operation of a row with its first example. */
const callOf = (row: Row, options: Parameters<typeof gateway.call>[3], path = pathFor(row)) =>
  gateway.call(row.endpoint.method, path, bodyFor(row), options)

const bodyFor = (row: Row, of = gateway) =>
  row.endpoint.body ? (examplesOf(row.title, of)[0]?.body ?? {}) : undefined

it('this test covers every family of the registry and every operation of the scenario language', () => {
  expect(rows.length).toBeGreaterThan(0)
  expect(creating.length).toBeGreaterThan(0)
  expect([...new Set(rows.map(({ title }) => title)), 'media.download'].sort()).toEqual(
    [...operations].sort(),
  )
})

const wrongKeys: [what: string, keyOf: (world: string) => string | null, headers: Record<string, string>][] =
  [
    ['no key', () => null, {}],
    ['an empty header', () => null, { Authorization: '' }],
    ['a wrong key', () => 'sk-wrong', {}],
    ['a key without "Bearer "', () => null, { Authorization: 'sk-emulator' }],
    ['a key after two blanks', () => null, { Authorization: 'Bearer  sk-emulator' }],
    ['a disabled key', world => `sk-test-${world}.disabled`, {}],
    ['a deleted key', world => `sk-test-${world}.deleted`, {}],
  ]

it.each(paired(rows, wrongKeys).map(([row, wrong]) => [row.title, ...wrong, row] as const))(
  '%s answers 401 to %s (Spec, "Authentication" 3)',
  async (_, _what, keyOf, headers, row) => {
    const key = keyOf(worldOf(row))
    expectFault(row, await callOf(row, { key, headers }), 401)
    await expectNothingDone(row)
    shows('all.auth.bearer', 'all.auth.missing', 'all.auth.no-prefix', 'all.auth.whitespace')
  },
)

it('each path answers 405 with Allow to another method (A-paths)', async () => {
  for (const [row, pattern] of rows.flatMap(row => row.endpoint.paths.map(path => [row, path] as const))) {
    const path = pattern.replace(/:[a-z_]+/g, 'none')
    const known = rows.filter(other =>
      other.endpoint.paths.some(one => one.replace(/:[a-z_]+/g, 'none') === path),
    )
    const methods = [...new Set(known.map(other => other.endpoint.method))].sort()
    const wrong =
      (['PATCH', 'PUT', 'DELETE', 'GET'] as const).find(method => !methods.includes(method)) ?? 'PATCH'
    const reply = await gateway.call(wrong, path, undefined, { key: `sk-test-${worldOf(row)}` })
    expectFault(row, reply, 405)
    expect((reply.headers.allow ?? '').split(', ').sort(), path).toEqual(methods)
  }
})

it('each operation gives the same answer on a path with a slash at its end, and on each of its other paths (A-paths)', async () => {
  const key = 'sk-wrong'
  for (const row of rows) {
    const { endpoint } = row
    const others = endpoint.paths.slice(1).map(path => path.replace(/:[a-z_]+/g, 'none'))
    for (const path of [`${pathFor(row)}/`, ...others, ...others.map(other => `${other}/`)])
      expectFault(row, await callOf(row, { key }, path), 401)
  }
})

it('each operation is in the OpenAPI document on each of its paths, with a reply and an error', async () => {
  const { body } = await gateway.control('GET', '/openapi.json')
  for (const [endpoint, path] of rows.flatMap(({ endpoint }) =>
    endpoint.paths.map(path => [endpoint, path] as const),
  )) {
    const operation = body.paths[path.replace(/:([a-z_]+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
    expect(operation, path).toBeDefined()
    expect(Object.keys(operation.responses), path).toEqual(expect.arrayContaining(['default']))
    expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
    expect('requestBody' in operation, path).toBe(endpoint.body !== undefined)
  }
})

it.each(ofEachFamily(rows).map(row => [row.title, row] as const))(
  '%s answers 400 to a scenario in X-Emulator-Scenario that does not exist, also with --strict (A-headers)',
  async (_, row) => {
    const key = `sk-test-${worldOf(row)}`
    const headers = { 'X-Emulator-Scenario': 'nope' }
    expectFault(row, await callOf(row, { key, headers }), 400)
    await expectNothingDone(row)
  },
)

it.each(ofEachFamily(creating).map(row => [row.title, row] as const))(
  '%s gives every task of one moment an id of its own (Spec, "Resources")',
  async (title, row) => {
    const world = `ids-${title.replaceAll('.', '-')}`
    const create = () => callOf(row, { key: `sk-test-${world}` })
    const replies = await Promise.all(Array.from({ length: 40 }, create))
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    const { items } = (await gateway.control('GET', `/worlds/${world}/tasks?limit=100`)).body
    expect(new Set(items.map(({ id }: { id: string }) => id)).size).toBe(40)
  },
)

/** Bodies that no family can read: the text, and what it comes as. */
const unreadable: [text: string, type?: string][] = [
  ['{'],
  [''],
  ['[]'],
  ['null'],
  ['"x"'],
  ['{"a":1}}'],
  ['\u0000'],
  [`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`],
  ['{}', 'text/plain'],
  ['{}', 'application/x-www-form-urlencoded'],
  ['{}', 'multipart/form-data; boundary=x'],
  ['{}', 'application/json; charset=latin1'],
]

it.each(paired(creating, unreadable).map(([row, [text, type]]) => [row.title, text, type, row] as const))(
  'the body of %s may not be %j, of type %s (A-body)',
  async (_, text, type, row) => {
    const headers = type === undefined ? {} : { 'Content-Type': type }
    const sent = type === undefined ? text : JSON.stringify(bodyFor(row))
    const key = `sk-test-${worldOf(row)}`
    expectFault(row, await gateway.call(row.endpoint.method, pathFor(row), sent, { key, headers }), 400)
    await expectNothingDone(row)
    shows('all.endpoints.json')
  },
)

describe.each(creating)('the body of $title', row => {
  const { endpoint } = row
  const key = `sk-test-${worldOf(row)}`

  it('may be each of the shipped examples: every key is read, and the task succeeds', async () => {
    const examples = examplesOf(row.title, gateway)
    expect(examples.length).toBeGreaterThan(0)
    const world = `examples-${row.title.replaceAll('.', '-')}`
    for (const { name, body } of examples) {
      const reply = await gateway.call(endpoint.method, pathFor(row), body, { key: `sk-test-${world}` })
      expect(reply.status, `${name}: ${reply.text}`).toBe(200)
      await gateway.control('POST', `/worlds/${world}/clock/advance`, { until: 'idle' })
      const [task] = (await gateway.control('GET', `/worlds/${world}/tasks?limit=1`)).body.items
      expect([task.state, task.unread], name).toEqual(['succeeded', undefined])
    }
  })

  it('above the limit is 413, by its Content-Length or while it is read (A-body)', async () => {
    const body = JSON.stringify({ ...bodyFor(row, narrow), padding: 'x'.repeat(3000) })
    const told = await narrow.call(endpoint.method, pathFor(row), body, { key })
    expectFault(row, told, 413)
    const chunks = new Blob([body]).stream()
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const init = { method: endpoint.method, headers, body: chunks, duplex: 'half' as const }
    const found = await fetch(narrow.url + pathFor(row), init)
    expect(found.status).toBe(413)
    expect(misfit(row.family.dialect.errorSchema, await found.json())).toBeUndefined()
    await expectNothingDone(row, narrow)
    shows('image.errors.size')
  })

  it('has its prompts and its model where scenarios find them', async () => {
    const world = `reads-${row.title.replaceAll('.', '-')}`
    for (const { body } of examplesOf(row.title, gateway)) {
      const reply = await gateway.call(endpoint.method, pathFor(row), body, { key: `sk-test-${world}` })
      expect(reply.status, reply.text).toBe(200)
      const model = (body as { model?: string }).model
      const facts = [
        ...(model === undefined ? [] : [{ model }]),
        ...promptsIn(body).map(prompt => ({ prompt: { contains: prompt } })),
      ]
      for (const fact of facts) {
        const match = { operation: row.title, status: 200, ...fact }
        const { body: found } = await gateway.control('POST', `/worlds/${world}/requests/verify`, { match })
        expect(found.ok, `${JSON.stringify(fact)}: ${found.message}`).toBe(true)
      }
    }
  })
})

it('the OpenAPI document has the header that family B accepts (Spec, "Family B: create request"; B-header)', async () => {
  const { body } = await gateway.control('GET', '/openapi.json')
  const { parameters } = body.paths['/api/v1/services/aigc/video-generation/video-synthesis'].post
  const header = parameters.find(({ name }: { name: string }) => name === 'X-Vendor-Async')
  expect(header).toMatchObject({ in: 'header', required: false, schema: { enum: ['enabled', 'enable'] } })
})
