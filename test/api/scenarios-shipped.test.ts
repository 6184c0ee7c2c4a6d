import { describe, expect, it } from 'vitest'
import { shippedNames } from '../../src/emulator/scenarios/known-scenarios.ts'
import { type AnyClient, asynchronous, clientOf, wordsOf } from '../support/any-family.ts'
import { creating, ofEachFamily, type Row, rowNamed } from '../support/contract.ts'
import { tasksPath, text, video } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const tested = new Set<string>()

/** A client whose world has the scenario active, as `PUT /scenarios/active` makes it. */
async function under(name: string, row: Row): Promise<AnyClient> {
  tested.add(name)
  const client = await clientOf(row, gateway)
  await client.use(name)
  return client
}

const outcome = async (client: AnyClient, id: string) => (await client.control('GET', `/tasks/${id}`)).body

describe.each(ofEachFamily(asynchronous))('a client of $title', row => {
  const plain = async (name: string) => {
    const client = await under(name, row)
    return { client, id: await client.made() }
  }

  it('gets its result after six seconds with happy-path', async () => {
    const { client, id } = await plain('happy-path')
    const words = wordsOf(row, (await client.newest()).kind)
    expect((await client.poll(id)).text).toContain(`"${words.queued}"`)
    await client.advance('1s')
    expect((await client.poll(id)).text).toContain(`"${words.running}"`)
    await client.advance('5s')
    expect((await client.poll(id)).text).toContain(`"${words.succeeded}"`)
  })

  it('waits ten minutes in the queue with slow-queue', async () => {
    const { client, id } = await plain('slow-queue')
    await client.advance('9m59s')
    expect((await outcome(client, id)).state).toBe('queued')
    await client.advance('1s')
    await client.advance('2m')
    expect((await outcome(client, id)).state).toBe('succeeded')
  })

  it('sees its task fail late with late-failure, and gets a refund', async () => {
    const { client, id } = await plain('late-failure')
    await client.advance('31s')
    await client.advance('62s')
    const task = await outcome(client, id)
    expect(task.view.status).toBe(wordsOf(row, task.kind).failed)
    expect(task.view.error.code).toBeTruthy()
    expect((await client.poll(id)).text).toContain(task.view.error.message.split(' Request id')[0])
    const { totals } = (await client.control('GET', '/ledger')).body
    expect(totals.settled).toBe(0)
    expect(totals.refunded).toBe(totals.reserved)
  })

  it('never sees its task finish in time with expiry', async () => {
    const { client, id } = await plain('expiry')
    await client.advance('2h59m')
    const words = wordsOf(row, (await client.newest()).kind)
    expect((await outcome(client, id)).view.status).toBe(words.running)
    // A-expire: in families without expiry, it fails.
    await client.advance({ until: 'idle' })
    const { view, plan } = await outcome(client, id)
    expect(view.status).toBe(plan.expires_at ? words.expired : words.failed)
  })

  it('succeeds and finds its link expired with links-expire', async () => {
    const { client, id } = await plain('links-expire')
    await client.advance({ until: 'idle' })
    const { media, view, kind } = await outcome(client, id)
    expect(view.status).toBe(wordsOf(row, kind).succeeded)
    expect(media.length).toBeGreaterThan(0)
    for (const { url } of media) {
      const file = await gateway.download(url)
      expect(file.status).toBe(403)
      expect(file.bytes.toString()).toContain('<Code>AccessDenied</Code>')
    }
  })

  it('gets the answer for a missing task with unknown-task', async () => {
    const client = await under('unknown-task', row)
    const id = await client.made()
    const reply = await client.poll(id)
    expect(reply.headers['x-emulator-rule']).toMatch(/^unknown-task\//)
    expect(reply.status).toBe(['c', 'k'].includes(row.family.id) ? 400 : 404)
    const { items } = (await client.control('GET', '/requests')).body
    expect(items.at(-1)).toMatchObject({ status: reply.status, fault: 'not_found' })
  })
})

/** Each kind of task puts its links into its own reply. */
it.each(asynchronous.map(row => [row.title, row] as const))(
  'a client of %s succeeds and finds no link in the reply with success-without-url',
  async (_, row) => {
    const client = await under('success-without-url', row)
    const id = await client.made()
    await client.advance({ until: 'idle' })
    const task = await outcome(client, id)
    expect(task.view.status).toBe(wordsOf(row, task.kind).succeeded)
    expect(task.media.every((file: { url: unknown }) => file.url === null)).toBe(true)
    expect((await client.poll(id)).text).not.toContain('/files/')
  },
)

describe.each(ofEachFamily(creating))('a client of $title', row => {
  it('is refused by moderation with moderation-refusal', async () => {
    const client = await under('moderation-refusal', row)
    expect((await client.create()).status).toBe(403)
    expect((await client.control('GET', '/requests')).body.items).toMatchObject([{ fault: 'moderated' }])
    expect((await client.control('GET', '/ledger')).body.items).toEqual([])
  })

  it('has to wait ten seconds with rate-limited', async () => {
    const client = await under('rate-limited', row)
    const reply = await client.create()
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '10'])
  })

  it('is refused for ten minutes with outage, and accepted afterwards', async () => {
    const client = await under('outage', row)
    const reply = await client.create()
    expect(reply.status).toBeGreaterThanOrEqual(500)
    expect(reply.headers['retry-after']).toBe('30')
    await client.advance('9m59s')
    expect((await client.create()).status).toBeGreaterThanOrEqual(500)
    await client.advance('1s')
    expect((await client.create()).status).toBe(200)
  })
})

const patient = rowNamed('a.create')

it('a client that repeats calls succeeds with flaky-upstream: two throttled creates, one late failure, one truncated download', async () => {
  const client = await under('flaky-upstream', patient)
  for (const _ of [1, 2]) {
    const reply = await client.create()
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '5'])
    await client.advance('5s')
  }
  // The rule for the third create counts every create, the throttled ones too.
  const failing = await client.made()
  await client.advance({ until: 'idle' })
  expect((await outcome(client, failing)).view.status).toBe('failed')
  const good = await client.made()
  await client.advance({ until: 'idle' })
  const url = (await client.poll(good)).body.content.video_url
  await expect(gateway.download(url)).rejects.toThrow()
  expect((await gateway.download(url)).status).toBe(200)
})

it('with broken-media each of five downloads is broken in another way, and the sixth is complete', async () => {
  const client = await under('broken-media', patient)
  const id = await client.made()
  await client.advance({ until: 'idle' })
  const url = await client.fileOf(id)
  await expect(gateway.download(url), 'truncated').rejects.toThrow()
  const corrupt = await gateway.download(url)
  const empty = await gateway.download(url)
  const page = await gateway.download(url)
  expect(empty.bytes.length).toBe(0)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  await expect(stalled(url)).rejects.toThrow(/abort/i)
  const whole = await gateway.download(url)
  expect(whole.bytes.toString('latin1', 4, 8)).toBe('ftyp')
  expect(corrupt.bytes.length).toBe(whole.bytes.length)
  expect(corrupt.bytes.equals(whole.bytes)).toBe(false)
})

/** Reads until no more bytes arrive for a moment. */
async function stalled(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(300) })
  await response.arrayBuffer()
}

it('with special-delete-501 every delete is a 501, in any state', async () => {
  const client = await under('special-delete-501', rowNamed('special.create'))
  const { paths } = rowNamed('special.delete').endpoint
  for (const status of ['queued', 'running', 'succeeded', 'failed', 'cancelled']) {
    const id = await client.made()
    await client.control('POST', `/tasks/${id}/force`, { status })
    expect((await outcome(client, id)).view.status).toBe(status)
    const reply = await gateway.delete(paths[0].replace(':task_id', id), client.key)
    expect(reply.status, status).toBe(501)
    expect((await client.poll(id)).status).toBe(200)
  }
})

it('with late-validation a create of family B is accepted, and its task fails with InvalidParameter', async () => {
  const client = await under('late-validation', rowNamed('b.create'))
  const bad = { model: 'model_b', input: { prompt: 'a' }, parameters: { resolution: '720p' } }
  const path = rowNamed('b.create').endpoint.paths[0]
  expect((await gateway.post(path, bad, client.key)).status).toBe(400)
  const id = await client.made()
  await client.advance('2s')
  expect((await client.poll(id)).body.output).toMatchObject({
    task_status: 'FAILED',
    code: 'InvalidParameter',
    message: expect.stringMatching(/^Required parameter\(s\) missing or invalid/),
  })
})

it('with task-type-mismatch only a declared type that contradicts the prompt fails (A-task-type)', async () => {
  const client = await under('task-type-mismatch', rowNamed('a.create'))
  const ending = async (prompt: string, declared: string | null) => {
    const content = [text(prompt), video(`${gateway.url}/__emulator/samples/clip-720p-5s.mp4`)]
    const request = { model: 'model_a_25', omni_reference_task_type: declared, content }
    const { id } = (await gateway.post(tasksPath, request, client.key)).body
    await client.advance({ until: 'idle' })
    const { status, error } = (await client.poll(id)).body
    return error?.code ?? status
  }
  expect(await ending('remove the birds', 'reference')).toBe('InvalidParameter.TaskTypeMismatch')
  expect(await ending('a fox in the style of video 1', 'edit')).toBe('InvalidParameter.TaskTypeMismatch')
  expect(await ending('remove the birds', 'edit')).toBe('succeeded')
  expect(await ending('remove the birds', null)).toBe('succeeded')
  expect(await ending('a cat plays the piano', 'extend')).toBe('succeeded')
})

it.each([
  ['model-not-found', 404, 'InvalidEndpointOrModel.NotFound'],
  ['model-unavailable', 503, 'model_not_found'],
])('with %s family A refuses every create with %i %s (A-unknown-model)', async (name, status, code) => {
  const client = await under(name, rowNamed('a.create'))
  const reply = await client.create()
  expect([reply.status, reply.body.error.code]).toEqual([status, code])
})

describe('chaos', () => {
  /** The results of ten creates and their polls, as a robust client sees them. */
  async function day(world: string, seed: number): Promise<unknown[]> {
    await gateway.control('POST', '/worlds', { id: world, seed, scenarios: ['chaos'] })
    const client = await clientOf(patient, gateway, world)
    const seen: unknown[] = []
    for (let i = 0; i < 40; i++)
      await client.create().then(
        ({ status, headers }) => seen.push([status, headers['retry-after'], headers['x-emulator-rule']]),
        () => seen.push('connection broken'),
      )
    return seen
  }

  it('gives the same faults for the same seed, and others for another seed', async () => {
    tested.add('chaos')
    const [one, again, other] = [await day('chaos-1', 5), await day('chaos-2', 5), await day('chaos-3', 6)]
    expect(one).toEqual(again)
    expect(one).not.toEqual(other)
    expect(new Set(one.map(seen => JSON.stringify(seen))).size).toBeGreaterThan(3)
  })
})

it('a test of this file runs every shipped scenario', () => {
  expect([...tested].sort()).toEqual([...shippedNames].sort())
})
