import { beforeAll, describe, expect, it } from 'vitest'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { runCommand } from '../support/emulator-process.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const world = connectEmulator(gateway.url).worldNamed('traced')
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const other = `00-${'a'.repeat(32)}-00f067aa0ba902b7-01`
let task = ''

beforeAll(async () => {
  const asked = (method: string, path: string, body: unknown, header: string) =>
    gateway.call(method, path, body, { key: world.apiKey, headers: { traceparent: header } })
  task = (await asked('POST', tasksPath, textBody(), traceparent)).body.id
  await asked('GET', `${tasksPath}/${task}`, undefined, traceparent)
  await asked('POST', tasksPath, textBody(), other)
  await asked('GET', `${tasksPath}/${task}`, undefined, 'nonsense')
})

describe('the trace of a client finds its task', () => {
  it.each([
    ['the trace id', traceId],
    ['the trace id in capitals', traceId.toUpperCase()],
    ['the whole traceparent', traceparent],
  ])('the journal is filtered by %s', async (_, trace) => {
    const found = await world.requests.list({ trace })
    expect(found.map(({ operation, trace_id }) => [operation, trace_id])).toEqual([
      ['a.create', traceId],
      ['a.get', traceId],
    ])
    expect(found[0]?.task_id).toBe(task)
  })

  it('the journal is filtered by task, in the client and in the control API', async () => {
    const found = await world.requests.list({ task })
    expect(found.map(({ operation }) => operation)).toEqual(['a.create', 'a.get', 'a.get'])
    const { body } = await gateway.control('GET', `/worlds/traced/requests?task=${task}&trace=${traceId}`)
    expect(body.items.map(({ id }: { id: number }) => id)).toEqual([1, 2])
    expect(await world.requests.list({ task: 'nothing' })).toEqual([])
  })

  it('a verification matches by trace, and says which trace a near miss had', async () => {
    const match = { operation: 'a.create', trace: traceId }
    expect(await world.requests.verify({ match, count: { exactly: 1 } })).toMatchObject({
      ok: true,
      found: 1,
    })
    const missed = await world.requests.verify({ match: { operation: 'a.get', trace: other } })
    expect(missed.ok).toBe(false)
    expect(missed.near_misses[0]?.reasons).toEqual([`trace: wanted ${'a'.repeat(32)}, was absent`])
  })

  it.each(['x', '4bf92f3577b34da6a3ce929d0e0e473', '0'.repeat(32)])(
    'refuses %j, which is not a trace id, with 400',
    async trace => {
      const listed = await gateway.control('GET', `/worlds/traced/requests?trace=${trace}`)
      expect([listed.status, listed.body.error.path]).toEqual([400, 'trace'])
      const verified = await gateway.control('POST', '/worlds/traced/requests/verify', { match: { trace } })
      expect([verified.status, verified.body.error.path]).toEqual([400, 'match.trace'])
    },
  )

  it('the text of the story names the trace of each request', async () => {
    const { text } = await world.tasks.story(task)
    const traced = text.split('\n').filter(line => line.endsWith(` [trace ${traceId}]`))
    expect(traced.length).toBe(2)
  })

  it('a HAR contains the header traceparent, and no value of it', async () => {
    const { body } = await gateway.control('GET', '/worlds/traced/requests?format=har')
    const values = body.log.entries.map(
      ({ request }: { request: { headers: { name: string; value: string }[] } }) =>
        request.headers.find(({ name }) => name === 'traceparent')?.value,
    )
    expect(values).toEqual(Array(4).fill('redacted'))
  })

  it('the command line filters by trace, task and status, and shows the trace', async () => {
    const args = ['requests', '--url', gateway.url, '--world', 'traced']
    const traced = await runCommand([...args, '--trace', traceId, '--task', task, '--status', '200'])
    expect(traced.code, traced.stderr).toBe(0)
    expect(traced.stdout.trim().split('\n')).toEqual([
      expect.stringContaining(`(a.create, trace ${traceId})`),
      expect.stringContaining(`(a.get, trace ${traceId})`),
    ])
    const wrong = await runCommand([...args, '--trace', 'x'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('--trace: ')
  })
})
