// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { naturalRefusals } from '../../build/guide/error-codes.ts'
import { type Fault, FaultError, faults } from '../../src/emulator/faults/fault.ts'
import { misfit } from '../../src/emulator/http/validate.ts'
import { clientOf } from '../support/any-family.ts'
import { creating, ofEachFamily, paired, type Row, rowNamed, rows } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

/**
 * The faults of `refuse` (interface, "Scenario files") with the words of B, of C (there with the number at the end of the message) and of K
 * (Spec, "Errors"; B-errors, C-errors, K-errors).
 */
// biome-ignore format: a table, one row a line
const words: Readonly<Partial<Record<Fault, Readonly<Record<string, string>>>>> = {
  invalid_parameter: { b: 'InvalidParameter', c: 'bad_request_error 2013', k: '1201' },
  unauthenticated: { b: 'InvalidApiKey', c: 'authorized_error 1004', k: '1002' },
  forbidden_model: { b: 'Model.AccessDenied', c: 'permission_error 2013', k: '1103' },
  moderated: { b: 'DataInspectionFailed', c: 'permission_error 1026', k: '1301' },
  insufficient_balance: { c: 'insufficient_balance_error 1008' },
  not_found: { b: 'TaskNotFound', c: 'bad_request_error 2013', k: '1201' },
  method_not_allowed: { k: '1202' },
  not_operable: { c: 'bad_request_error 2013' },
  not_implemented: { c: 'not_implemented_error 2013' },
  too_large: { b: 'BadRequest.TooLarge', c: 'bad_request_error 2013', k: '1201' },
  rate_limited: { b: 'Throttling.RateQuota', c: 'rate_limit_error 1002', k: '1302' },
  unavailable: { b: 'ModelUnavailable', c: 'overloaded_error 1033' },
  internal: { b: 'InternalError', c: 'server_error 1000', k: '5000' },
}
const named = Object.keys(words) as Fault[]
type Word = Record<'code' | 'type' | 'message', string>

/** The status of each fault (Spec, "Errors"), and the families that answer another one (A-unknown-model, K-not-found, A-delete). */
const statuses: Readonly<
  Record<Fault, readonly [status: number, others?: Readonly<Record<string, number>>]>
> = {
  invalid_parameter: [400],
  missing_parameter: [400],
  invalid_json: [400],
  invalid_content_type: [400],
  unknown_model: [400, { special: 404, k: 404 }],
  unauthenticated: [401],
  forbidden_model: [403],
  moderated: [403],
  insufficient_balance: [403],
  not_found: [404, { c: 400, k: 400 }],
  method_not_allowed: [405],
  not_operable: [400, { a: 409, image: 409 }],
  not_implemented: [501],
  too_large: [413],
  rate_limited: [429],
  unavailable: [503],
  internal: [500],
}
const statusOf = (fault: Fault, { id }: Row['family']) => statuses[fault][1]?.[id] ?? statuses[fault][0]

const refusing = (refuse: object, when: object = {}) => ({
  name: 'mine',
  rules: [{ when, then: { refuse } }],
})
const client = (row: Row) => clientOf(row, gateway)

/** One create of each family. */
const families = ofEachFamily(creating)

describe.each(families)('$family.title', row => {
  const { dialect } = row.family

  it('every fault has its status, the family’s word and shape, and its message is a sentence, with and without a parameter and a reason', () => {
    const details = [
      {},
      { param: '', reason: '' },
      { param: 'size' },
      { reason: 'why' },
      { param: 'size', reason: 'why' },
    ]
    for (const fault of faults)
      for (const detail of details) {
        const { status, body } = dialect.error(new FaultError(fault, detail), { requestId: 'r' })
        const { code, type, message } = (body as { error?: Word }).error ?? (body as Word)
        const word = code ?? `${type} ${/\((\d{4})\)$/.exec(message)?.[1]}`
        expect(status, fault).toBe(statusOf(fault, row.family))
        expect(word, fault).toBe(words[fault]?.[row.family.id] ?? word)
        if (row.family.id === 'b') expect(message, fault).toMatch(/^[A-Z]/)
        expect(misfit(dialect.errorSchema, body), fault).toBeUndefined()
        expect(JSON.stringify(body), fault).not.toMatch(
          /``|'': |undefined| {2}|[.,:] ?[.,:]|"message":"(?:[^"]* )?"| ,/,
        )
      }
  })

  it('a refusal with a message contains it, and the parameter where the family names one', async () => {
    const own = await client(row)
    await own.post(refusing({ fault: 'invalid_parameter', message: 'No kites today.', param: 'prompt' }))
    const { text, body } = await own.create()
    expect(text).toContain('No kites today.')
    if ('param' in (body.error ?? {})) expect(body.error.param).toBe('prompt')
  })

  it('polls and lists refuse in the family’s shape too', async () => {
    for (const { endpoint } of rows.filter(
      one => one.family === row.family && one.endpoint.method === 'GET',
    )) {
      const world = gateway.freshWorld()
      const scenario = refusing({ fault: 'rate_limited', retry_after: '9s' })
      await gateway.control('POST', `/worlds/${world}/scenarios`, scenario)
      const reply = await gateway.get(endpoint.paths[0].replace(/:[a-z_]+/g, 'none'), `sk-test-${world}`)
      expect(reply.status, endpoint.operation).toBe(429)
      expect(reply.headers['retry-after']).toBe('9')
      expect(misfit(dialect.errorSchema, reply.body), reply.text).toBeUndefined()
    }
  })
})

it.each(paired(creating, named).map(([row, fault]) => [row.title, fault, row] as const))(
  '%s: a refusal with %s has the family’s own shape and costs nothing',
  async (operation, fault, row) => {
    const own = await client(row)
    await own.post(refusing({ fault, retry_after: '4500ms' }, { operation }))
    const reply = await own.create()
    expect(reply.status, reply.text).toBe(statusOf(fault, row.family))
    expect(misfit(row.family.dialect.errorSchema, reply.body), reply.text).toBeUndefined()
    expect(reply.headers['x-emulator-rule']).toBe('mine/1')
    expect(reply.headers['retry-after']).toBe('5')
    for (const of of ['tasks', 'ledger']) expect((await own.control('GET', `/${of}`)).body.items).toEqual([])
    const [entry] = (await own.control('GET', '/requests')).body.items
    expect(entry).toMatchObject({ operation, fault, rule: 'mine/1', status: reply.status })
  },
)

it.each([
  [
    'JSON with a header',
    { status: 418, body: { tea: true }, headers: { 'X-Pot': 'short' } },
    { status: 418, body: { tea: true }, headers: { 'x-pot': 'short' } },
  ],
  [
    'a text',
    { status: 503, body: 'busy', retry_after: '1500ms' },
    {
      status: 503,
      text: 'busy',
      headers: { 'content-type': expect.stringMatching(/^text\/plain/), 'retry-after': '2' },
    },
  ],
  [
    'a page',
    { status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } },
    { status: 502, text: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } },
  ],
])('a raw refusal is exactly what was written: %s', async (_, refuse, wanted) => {
  const own = await client(rowNamed('a.create'))
  await own.post(refusing(refuse))
  expect(await own.create()).toMatchObject(wanted)
})

it('every rule counts its own calls: the first call of a later rule may be the one that an earlier rule refused', async () => {
  const own = await client(rowNamed('a.create'))
  const first = (status: number) => ({ when: { call: 1 }, then: { refuse: { status } } })
  await own.post({ name: 'mine', rules: [first(418), first(502), { then: { refuse: { status: 503 } } }] })
  expect([(await own.create()).status, (await own.create()).status]).toEqual([418, 503])
})

it.each(naturalRefusals.map(row => [`${row.family}: ${row.what}`, row] as const))(
  'docs/error-codes.md is right without a scenario: %s',
  async (name, { method, path, body, state, isThrottled, answer }) => {
    const world = `natural-${name.replace(/\W+/g, '-')}`
    const key = `sk-test-${world}${isThrottled ? '.throttled' : ''}`
    const control = gateway.controlOf(world)
    const sent =
      body && JSON.parse(JSON.stringify(body).replaceAll('{{samples}}', `${gateway.url}/__emulator/samples`))
    const text = state === 'cancelled' ? '[[queue:1h]] a kite' : '[[queue:0s]] [[run:1h]] a kite'
    const made =
      state &&
      (await gateway.call(
        'POST',
        '/api/v3/contents/generations/tasks',
        { model: 'model_a_20', content: [{ type: 'text', text }] },
        { key },
      ))
    const target = path.replace('{task}', made?.body.id)
    if (state === 'cancelled') await gateway.call('DELETE', target, undefined, { key })
    if (state === 'running') await control('POST', '/clock/advance', { by: '1s' })
    let reply = await gateway.call(method, target, sent, { key })
    for (let more = 0; isThrottled && reply.status === 200 && more < 20; more++)
      reply = await gateway.call(method, target, sent, { key })
    const { error, code: ownCode, output } = reply.body
    const code = error?.code ?? error?.type ?? ownCode ?? output?.task_status
    const wait = reply.headers['retry-after']
    expect(`${reply.status} \`${code}\`${wait ? `, Retry-After ${wait}` : ''}`).toBe(answer)
  },
)
