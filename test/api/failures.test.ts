import { describe, expect, it } from 'vitest'
import { type Operation, operations } from '../../src/emulator/scenarios/operations.ts'
import { refusals } from '../../src/emulator/scenarios/refusals.ts'
import { type Failure, failureIds, failuresOf } from '../../src/explore/plan/catalogue.ts'
import { bodyOf, clientOf } from '../support/any-family.ts'
import { pathOf, rowNamed } from '../support/contract.ts'
import { openGateway } from '../support/gateway.ts'
import { listenTo } from '../support/listener.ts'
import { accepted, refusal } from '../support/own-world.ts'
import { run } from '../support/run.ts'

const gateway = await openGateway()
const catalogue = failuresOf()
const label = ({ operation, id }: Failure) => `${operation} ${id}`
const ofKinds = (kinds: readonly string[]) => catalogue.filter(({ kind }) => kinds.includes(kind))
/** Failures by operation. */
const grouped = (failures: readonly Failure[]) =>
  [...new Set(failures.map(({ operation }) => operation))].map(
    operation => [operation, failures.filter(one => one.operation === operation)] as const,
  )

/** A world in which the nth call of the operation meets the failure. */
async function worldWith({ operation, then }: Failure): Promise<{ world: string; key: string }> {
  const world = gateway.freshWorld()
  const document = { name: 'failure', rules: [{ when: { operation, call: 1 }, then }] }
  const reply = await gateway.control('POST', `/worlds/${world}/scenarios`, document)
  expect(reply.status, reply.text).toBe(201)
  return { world, key: `sk-test-${world}` }
}

async function send(failure: Failure, key: string, signal?: AbortSignal): Promise<Response> {
  const row = rowNamed(failure.operation)
  const { endpoint } = row
  return fetch(gateway.url + (await pathOf(row, gateway)), {
    method: endpoint.method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(endpoint.body && { body: JSON.stringify(bodyOf(row, gateway)) }),
    ...(signal && { signal }),
  })
}

const made = async (world: string) => (await gateway.control('GET', `/worlds/${world}/tasks`)).body.items
const journal = async (world: string) =>
  (await gateway.control('GET', `/worlds/${world}/requests`)).body.items

/** Makes a client give up when a request of the operation is in the journal: it has certainly arrived, and its reply has not. */
async function giveUpAfter(operation: string, world: string, stop: AbortController): Promise<void> {
  const listener = await listenTo(gateway.url, world)
  void listener
    .until(({ event, data }) => event === 'request' && data.operation === operation)
    .then(() => stop.abort())
    .finally(listener.leave)
}

describe('GET /__emulator/failures (explore: the catalogue of failures)', () => {
  it('lists failures with id, operation, title, kind, transient, source and then', async () => {
    const body = accepted(await gateway.control('GET', '/failures'))
    expect(body.items).toEqual(catalogue)
    for (const item of body.items)
      expect(Object.keys(item).sort().join(' ')).toBe('id kind operation source then title transient')
  })

  it('adds the status and the code of the family on request', async () => {
    const { body } = await gateway.control('GET', '/failures?replies=true')
    const reply = (operation: string, id: string) => {
      const { status, code } = body.items.find((one: Failure) => one.operation === operation && one.id === id)
      return [status, code]
    }
    expect(reply('a.create', 'rate_limited')).toEqual([429, 'AccountRateLimitExceeded'])
    expect(reply('b.get', 'not_found')).toEqual([404, 'TaskNotFound'])
    expect(reply('c.create', 'proxy_page')).toEqual([502, undefined])
    expect(reply('k.create', 'task_moderated')).toEqual([undefined, '1301'])
  })

  it('filters by operation, by family and by both', async () => {
    const ids = async (query: string) =>
      (await gateway.control('GET', `/failures?${query}`)).body.items.map(label)
    expect(await ids('operation=a.create')).toEqual(failuresOf({ operation: 'a.create' }).map(label))
    expect(await ids('family=k')).toContain('k.create moderated')
    expect(await ids('family=k')).not.toContain('a.create moderated')
    expect(await ids('family=k')).toContain('media.download file_empty')
    expect(await ids('family=a&operation=k.create')).toEqual([])
  })

  it.each([
    ['operation=a.creat', 'operation', 'did you mean a.create?'],
    ['family=specal', 'family', 'did you mean special?'],
  ])('refuses %s and names the nearest word', async (query, path, hint) => {
    expect(refusal(await gateway.control('GET', `/failures?${query}`))).toMatchObject({ path, hint })
  })

  it('names every operation, and each id once for an operation', () => {
    expect([...new Set(catalogue.map(({ operation }) => operation))]).toEqual([...operations])
    expect(new Set(catalogue.map(label)).size).toBe(catalogue.length)
    expect(new Set(catalogue.map(({ id }) => id))).toEqual(new Set(failureIds))
  })

  it('contains only possible failures: for example no 404 on a create of A and no expired task in C', () => {
    const all = catalogue.map(label)
    expect(all).toContain('a.create task_expired')
    expect(all).toContain('a.get not_found')
    // Limits are per account.
    for (const poll of ['a.get', 'b.get', 'c.get', 'special.get', 'k.tasks.get', 'a.list'])
      expect(all).toContain(`${poll} rate_limited`)
    for (const listed of [
      'b.create late_refusal',
      ...['c.enhance', 'special.enhance', 'special.regenerate'].map(one => `${one} rate_limited`),
      ...['a.delete', 'c.delete', 'special.delete'].map(one => `${one} delete_refused`),
      'image.generate too_large',
      'special.create no_access',
      'media.download unavailable',
      'media.download proxy_page',
    ])
      expect(all).toContain(listed)
    for (const none of [
      'a.create not_found',
      'c.create task_expired',
      'a.create late_refusal',
      'a.get file_empty',
      'c.enhance no_result_link',
      'image.generate task_failed',
      'media.download moderated',
      'special.create not_found',
      'a.create too_large',
    ])
      expect(all).not.toContain(none)
    const links = failuresOf({ operation: 'media.download', family: 'c' }).map(({ id }) => id)
    expect(links).not.toContain('link_exhausted')
  })

  it.each(['', '--operation a.get', '--json', '--operation a.get --json'])(
    'gateway-emulator failures %s prints it',
    async text => {
      const args = text.split(' ').filter(Boolean)
      const main = new URL('../../dist/main.js', import.meta.url).pathname
      const { code, stdout } = await run(process.execPath, [main, 'failures', ...args])
      const expected = args.includes('a.get') ? failuresOf({ operation: 'a.get' }) : catalogue
      expect(code).toBe(0)
      if (args.includes('--json')) expect(JSON.parse(stdout)).toEqual({ items: expected })
      else expect(stdout.trim().split('\n').length).toBe(expected.length)
    },
  )
})

describe('each refusal of the catalogue happens as described', () => {
  /** What the operation's own lines do not say. */
  const beyond = [
    { source: 'network', statuses: [500, 503] },
    { source: 'A-403', statuses: [403] },
  ]

  it.each(grouped(ofKinds(['refusal']).filter(({ operation }) => operation !== 'media.download')))(
    'of %s',
    async (operation, failures) => {
      for (const failure of failures) {
        const { world, key } = await worldWith(failure)
        const reply = await send(failure, key)
        const lines = [...refusals[operation as Operation], ...beyond]
        const said = lines.flatMap(({ source, statuses }) => (source === failure.source ? statuses : []))
        expect(said, failure.id).toContain(reply.status)
        expect(reply.headers.has('retry-after'), failure.id).toBe(failure.id === 'rate_limited')
        expect(await made(world), failure.id).toEqual([])
        const text = await reply.text()
        expect(JSON.parse(text), text).toBeTypeOf('object')
      }
    },
  )
})

describe('each failure of a connection happens as described', () => {
  const making = (operation: string) => /\.(create|enhance|generate)$/.test(operation)
  const emulated = ofKinds(['connection', 'timing']).filter(
    ({ operation, id }) => operation !== 'media.download' && !/^(task_|slow_answer)/.test(id),
  )
  /** No operation decides them: all of one create, and of each other operation one in turn. */
  const tried = grouped(emulated).flatMap(([operation, failures], place) =>
    operation === 'a.create' ? failures : failures.filter((_, i) => i === place % failures.length),
  )

  it('each of them is tried', () => {
    const idsOf = (failures: readonly Failure[]) => new Set(failures.map(({ id }) => id))
    expect(idsOf(tried)).toEqual(idsOf(emulated))
  })

  it('slow_answer of every operation', async () => {
    const slow = catalogue.filter(one => one.id === 'slow_answer' && one.operation !== 'media.download')
    const expectLate = async (failure: Failure) => {
      const { world, key } = await worldWith(failure)
      expect((await send(failure, key)).status, failure.operation).toBeLessThan(500)
      expect(await journal(world), failure.operation).toMatchObject([{ connection: '3s late' }])
    }
    await Promise.all(slow.map(expectLate))
    expect(slow.length).toBe(operations.length - 1)
  })

  it.concurrent.each(tried.map(failure => [label(failure), failure] as const))('%s', async (_, failure) => {
    const { world, key } = await worldWith(failure)
    const stop = new AbortController()
    if (failure.id === 'no_answer') await giveUpAfter(failure.operation, world, stop)
    const answer = send(failure, key, stop.signal).then(async reply => ({
      status: reply.status,
      text: await reply.text(),
    }))
    const [settled] = await Promise.allSettled([answer])
    const [entry] = await journal(world)
    expect(entry.rule).toBe('failure/1')
    if (making(failure.operation))
      expect((await made(world)).length, 'tasks made').toBe(
        ['request_lost', 'proxy_page'].includes(failure.id) ? 0 : 1,
      )
    if (failure.id === 'proxy_page') expect(settled).toMatchObject({ value: { status: 502 } })
    else if (failure.id === 'garbled_answer')
      expect(() => JSON.parse(settled.status === 'fulfilled' ? settled.value.text : '')).toThrow()
    else expect(settled.status).toBe('rejected')
  })
})

describe('each point of a restart holds the request', () => {
  it.concurrent.each([
    ['killed_before', 0, 0],
    ['killed_after', 1, 200],
  ])('%s: a create that is held there has made %i tasks', async (id, tasks, status) => {
    const failure = catalogue.find(one => one.operation === 'a.create' && one.id === id)
    if (!failure) throw new Error(`${id} is not in the catalogue`)
    const { world, key } = await worldWith(failure)
    const stop = new AbortController()
    await giveUpAfter('a.create', world, stop)
    await expect(send(failure, key, stop.signal)).rejects.toThrow()
    expect((await made(world)).length).toBe(tasks)
    const [entry] = await journal(world)
    expect(entry).toMatchObject({ status, rule: 'failure/1', reply_lost: true })
    expect((await send(failure, key)).status).toBe(200)
    expect((await made(world)).length).toBe(tasks + 1)
  })
})

describe('each outcome of a task happens as described', () => {
  const outcomes = ofKinds(['outcome', 'timing']).filter(
    ({ id, operation }) => id !== 'slow_answer' && operation !== 'image.generate',
  )
  const ends: Record<string, string> = {
    late_refusal: 'failed',
    task_failed: 'failed',
    task_moderated: 'failed',
    task_expired: 'expired',
    task_cancelled: 'cancelled',
    no_result_link: 'succeeded',
    task_slow: 'succeeded',
    task_runs_long: 'succeeded',
    task_stuck: 'running',
  }

  async function expectOutcome(failure: Failure): Promise<void> {
    const { world } = await worldWith(failure)
    const row = rowNamed(failure.operation)
    const client = await clientOf(row, gateway, world)
    const made = await client.made()
    expect((await client.poll(made)).status).toBe(200)
    const slow = { task_slow: /queued|submitted|PENDING/i, task_runs_long: /running|processing/i }
    const waits = slow[failure.id as 'task_slow']
    await client.advance(waits ? '9m' : { until: 'idle' })
    if (waits) {
      expect((await client.newest()).view.status).toMatch(waits)
      await client.advance({ until: 'idle' })
    }
    const task = await client.newest()
    if (['task_gone', 'task_unknown'].includes(failure.id)) {
      const reply = await client.poll(task.id)
      const found = reply.status === 200 && reply.body.data === undefined
      expect(found ? reply.body.output.task_status : reply.status).not.toBe(200)
      expect(found).toBe(failure.id === 'task_unknown')
      expect(task.deleted_at).toBeTypeOf('string')
      return
    }
    const words = row.family.words({ kind: task.kind }) as Record<string, string>
    expect(task.view.status, failure.id).toBe(words[ends[failure.id] ?? ''])
    if (failure.id === 'no_result_link') expect(task.media_fault).toEqual({ kind: 'missing_url' })
    if (failure.id === 'task_moderated')
      expect(task.view.error.message).toMatch(/content|sensitive|inappropriate|policy|security|risk/i)
  }

  it.each(grouped(outcomes))('of %s', async (_, failures) => {
    for (const failure of failures) await expectOutcome(failure)
  })
})

describe('each failure of a file happens as described', () => {
  it.concurrent.each(
    catalogue
      .filter(({ operation, kind }) => operation === 'media.download' && kind !== 'restart')
      .map(failure => [failure.id, failure] as const),
  )('%s', async (id, failure) => {
    const { world, key } = await worldWith(failure)
    const row = rowNamed('a.create')
    const client = await clientOf(row, gateway, world)
    const task = await client.made()
    await client.advance({ until: 'idle' })
    const link = await client.fileOf(task)
    const stop = new AbortController()
    if (id === 'no_answer') await giveUpAfter('media.download', world, stop)
    const arrived = { status: 0, bytes: 0 }
    const reading = (async () => {
      const reply = await fetch(link, { signal: stop.signal })
      arrived.status = reply.status
      const parts: Uint8Array[] = []
      for await (const part of reply.body ?? []) {
        parts.push(part)
        arrived.bytes += part.length
        const promised = Number(reply.headers.get('content-length'))
        if (id === 'file_stalled' && arrived.bytes >= Math.floor(promised / 2)) stop.abort()
      }
      return { type: reply.headers.get('content-type'), bytes: Buffer.concat(parts) }
    })()
    const [end] = await Promise.allSettled([reading])
    const whole = Buffer.from(await (await fetch(link)).arrayBuffer())
    expect(key).toContain(world)
    /** The failures in which no whole file comes: what ends the read, its status, and the bytes that arrive. */
    const partial: Record<string, [end: 'fulfilled' | 'rejected', status: number, bytes?: number]> = {
      file_truncated: ['rejected', 200],
      file_stalled: ['rejected', 200, Math.floor(whole.length / 2)],
      reply_lost: ['rejected', 0],
      no_answer: ['rejected', 0],
      internal: ['fulfilled', 500],
      unavailable: ['fulfilled', 503],
      proxy_page: ['fulfilled', 502],
      link_expired: ['fulfilled', 403],
      link_exhausted: ['fulfilled', 403],
    }
    if (partial[id]) {
      const [how, status, count = arrived.bytes] = partial[id]
      expect([end.status, arrived.status, arrived.bytes]).toEqual([how, status, count])
      expect(arrived.bytes).toBeLessThan(whole.length)
      return
    }
    const { type, bytes } = (end as PromiseFulfilledResult<{ type: string; bytes: Buffer }>).value
    if (id === 'file_empty') expect(bytes.length).toBe(0)
    else if (id === 'file_wrong_type') expect(type).toMatch(/^text\/html/)
    else if (id === 'file_corrupt') expect([bytes.length, bytes.equals(whole)]).toEqual([whole.length, false])
    else if (id === 'slow_answer') expect(bytes.equals(whole)).toBe(true)
    else throw new Error(`nothing is said about ${id}`)
  })
})
