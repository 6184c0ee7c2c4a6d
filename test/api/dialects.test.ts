// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { naturalRefusals } from '../../build/guide/error-codes.ts'
import { type Fault, faults } from '../../src/faults/fault.ts'
import { FaultError } from '../../src/faults/fault-error.ts'
import { misfit } from '../../src/http/validate.ts'
import { clientOf } from '../support/any-family.ts'
import { creating, rows } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

/** Interface, "Scenario files", `refuse`; statuses as the specification's error tables have them. */
const named: readonly [Fault, readonly number[]][] = [
  ['invalid_parameter', [400]],
  ['unauthenticated', [401]],
  ['forbidden_model', [403]],
  ['moderated', [400, 403]],
  ['not_found', [400, 404, 200]],
  ['too_large', [413]],
  ['rate_limited', [429]],
  ['unavailable', [500, 503]],
  ['internal', [500]],
]

describe.each(creating)('$title', row => {
  it.each(named)(
    'a refusal with %s has the family’s own shape and costs nothing',
    async (fault, statuses) => {
      const client = await clientOf(row, gateway, `dialect-${row.title.replaceAll('.', '-')}-${fault}`)
      await client.post({
        name: 'mine',
        rules: [{ when: { operation: row.title }, then: { refuse: { fault, retry_after: '4500ms' } } }],
      })
      const reply = await client.create()
      expect(statuses, reply.text).toContain(reply.status)
      expect(misfit(row.family.dialect.errorSchema, reply.body), reply.text).toBeUndefined()
      expect(reply.headers['x-emulator-rule']).toBe('mine/1')
      expect(reply.headers['retry-after']).toBe('5')
      expect((await client.control('GET', '/tasks')).body.items).toEqual([])
      expect((await client.control('GET', '/ledger')).body.items).toEqual([])
      const [entry] = (await client.control('GET', '/requests')).body.items
      expect(entry).toMatchObject({ operation: row.title, fault, rule: 'mine/1', status: reply.status })
    },
  )

  it.each(faults)('the message of %s is a sentence, with and without a parameter and a reason', fault => {
    const details = [
      {},
      { param: '', reason: '' },
      { param: 'size' },
      { reason: 'why' },
      { param: 'size', reason: 'why' },
    ]
    for (const detail of details) {
      const { body } = row.family.dialect.error(new FaultError(fault, detail), { requestId: 'r' })
      expect(JSON.stringify(body)).not.toMatch(
        /``|'': |undefined| {2}|[.,:] ?[.,:]|"message":"(?:[^"]* )?"| ,/,
      )
    }
  })

  it('a refusal with a message and a parameter contains both', async () => {
    const client = await clientOf(row, gateway, `dialect-${row.title.replaceAll('.', '-')}-told`)
    await client.post({
      name: 'mine',
      rules: [
        { then: { refuse: { fault: 'invalid_parameter', message: 'No kites today.', param: 'prompt' } } },
      ],
    })
    expect((await client.create()).text).toContain('No kites today.')
  })

  it('a raw refusal is exactly the written text and headers', async () => {
    const client = await clientOf(row, gateway, `dialect-${row.title.replaceAll('.', '-')}-raw`)
    await client.post({
      name: 'mine',
      rules: [
        {
          when: { call: 1 },
          then: { refuse: { status: 418, body: { tea: true }, headers: { 'X-Pot': 'short' } } },
        },
        {
          when: { call: 1 },
          then: {
            refuse: { status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } },
          },
        },
        { then: { refuse: { status: 503, body: 'busy' } } },
      ],
    })
    const first = await client.create()
    expect(first).toMatchObject({ status: 418, body: { tea: true } })
    expect(first.headers['x-pot']).toBe('short')
    // Every rule counts its own calls, so the second rule's first call is the first request, too late to act.
    const second = await client.create()
    expect(second).toMatchObject({ status: 503, text: 'busy' })
    expect(second.headers['content-type']).toMatch(/^text\/plain/)
    await client.post({
      name: 'html',
      rules: [
        {
          then: {
            refuse: { status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } },
          },
        },
      ],
    })
    await client.use('html')
    const third = await client.create()
    expect(third).toMatchObject({ status: 502, text: '<h1>Bad Gateway</h1>' })
    expect(third.headers['content-type']).toBe('text/html')
  })

  it('a raw refusal also has Retry-After', async () => {
    const client = await clientOf(row, gateway, `dialect-${row.title.replaceAll('.', '-')}-raw-later`)
    await client.post({ name: 'mine', rules: [{ then: { refuse: { status: 503, retry_after: '1500ms' } } }] })
    expect(await client.create()).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  })
})

it('polls and lists of every family refuse in the family’s shape too', async () => {
  for (const row of rows.filter(({ endpoint }) => endpoint.method === 'GET')) {
    const world = `dialect-${row.title.replaceAll('.', '-')}`
    const scenario = {
      name: 'x',
      rules: [{ then: { refuse: { fault: 'rate_limited', retry_after: '9s' } } }],
    }
    await gateway.control('POST', `/worlds/${world}/scenarios`, scenario)
    const reply = await gateway.get(row.endpoint.paths[0].replace(/:[a-z_]+/g, 'none'), `sk-test-${world}`)
    expect(reply.status, row.title).toBe(429)
    expect(reply.headers['retry-after']).toBe('9')
    expect(misfit(row.family.dialect.errorSchema, reply.body), reply.text).toBeUndefined()
  }
})

it.each(naturalRefusals.map(row => [`${row.family}: ${row.what}`, row] as const))(
  'docs/error-codes.md is right without a scenario: %s',
  async (name, { method, path, body, state, isThrottled, answer }) => {
    const world = `natural-${name.replace(/\W+/g, '-')}`
    const key = `sk-test-${world}${isThrottled ? '.throttled' : ''}`
    const control = (verb: string, below: string, sent: unknown) =>
      gateway.control(verb, `/worlds/${world}${below}`, sent)
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
