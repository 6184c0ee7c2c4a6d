import { describe, expect, it } from 'vitest'
import { notesOf } from '../../src/console/copies/notes.ts'
import { runOfCall, runOfTask, wholeRun } from '../../src/console/copies/part.ts'
import { scenarioOf } from '../../src/console/copies/scenario.ts'
import type { ScenarioThen } from '../../src/emulator/scenarios/scenario.ts'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import type { Trace, WorldClient } from '../../src/index.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { openGateway, openingTime } from '../support/gateway.ts'

const gateway = await openGateway()
const emulator = connectEmulator(gateway.url)

/** What a person does between the calls of a client. */
type Hand = (world: WorldClient, ids: readonly string[]) => Promise<unknown>

/** The moments at which a client lets a person act, by name. */
type Hands = Readonly<Record<string, Hand>>

/** A client: it acts in a world, and calls `pause` where a person may act. */
type Client = (world: WorldClient, pause: (moment: string) => Promise<void>) => Promise<void>

const ask = (world: WorldClient, method: string, path: string, body?: unknown) =>
  gateway.call(method, path, body, { key: world.apiKey }).catch(() => undefined)

/** Creates with three tries, then polls six times, whatever happens; deletes the task when it is told to. */
function poller(deletesAfter?: number): Client {
  return async (world, pause) => {
    let id: string | undefined
    for (let n = 1; n <= 3 && id === undefined; n++) {
      await pause(`create ${n}`)
      const reply = await ask(world, 'POST', tasksPath, textBody())
      id = typeof reply?.body === 'object' ? reply.body?.id : undefined
    }
    for (let n = 1; id !== undefined && n <= 6; n++) {
      await pause(`poll ${n}`)
      const reply = await ask(world, 'GET', `${tasksPath}/${id}`)
      if (n === deletesAfter) await ask(world, 'DELETE', `${tasksPath}/${id}`)
      const link = reply?.status === 200 ? reply.body?.content?.video_url : undefined
      if (!link) continue
      await pause('download')
      await fetch(link, { method: 'HEAD' })
      return
    }
  }
}

/** Makes a picture and fetches it with three tries. */
const fetcher: Client = async (world, pause) => {
  const picture = { model: 'model_image', prompt: 'a kite', size: '1K', response_format: 'url' }
  const made = await ask(world, 'POST', '/api/v3/images/generations', picture)
  for (let n = 1; n <= 3; n++) {
    await pause(`download ${n}`)
    const whole = await fetch(made?.body?.data?.[0]?.url, { signal: AbortSignal.timeout(2000) })
      .then(reply => reply.arrayBuffer())
      .catch(() => undefined)
    if (whole && whole.byteLength > 1000) return
  }
}

const inject =
  (operation: string, nth: number, then: ScenarioThen): Hand =>
  world =>
    world.inject(operation, nth, then)
const advance =
  (by: string): Hand =>
  world =>
    world.clock.advance(by)
const force =
  (status: string, error?: { code: string; message: string }): Hand =>
  (world, [id = '']) =>
    world.tasks.force(id, { status, ...(error && { error }) })

/** Every moment of which the clock goes on by itself is a person who advances it. */
const ticking: Hands = {
  'poll 2': advance('2s'),
  'poll 3': advance('40s'),
  'poll 4': advance('3m'),
  'poll 5': advance('10m'),
}

/** The same, with an effect on the first create. */
const failingCreate = (then: ScenarioThen): Hands => ({ ...ticking, 'create 1': inject('a.create', 1, then) })

const incidents: Readonly<Record<string, { client?: Client; hands: Hands }>> = {
  'nothing goes wrong': { hands: ticking },
  'a create is throttled, with Retry-After': {
    hands: {
      ...failingCreate({ refuse: { fault: 'rate_limited', retry_after: '5s' } }),
      'create 2': advance('5s'),
    },
  },
  'a create is refused by moderation before the task': {
    hands: failingCreate({ refuse: { fault: 'moderated' } }),
  },
  'the reply to a create is lost': { hands: failingCreate({ connection: { reset: 'before_headers' } }) },
  'the request of a create is lost': { hands: failingCreate({ connection: { reset: 'before_request' } }) },
  'a create is answered with a page': {
    hands: failingCreate({ refuse: { status: 200, body: '<h1>Sign in</h1>' } }),
  },
  'two polls are refused': {
    hands: {
      ...ticking,
      'poll 1': inject('a.get', 1, { refuse: { fault: 'unavailable' } }),
      'poll 3': inject('a.get', 2, { refuse: { fault: 'rate_limited', retry_after: '2s' } }),
    },
  },
  'a poll is answered by a proxy': {
    hands: { ...ticking, 'poll 2': inject('a.get', 1, { refuse: { proxy_page: 502 } }) },
  },
  'a poll breaks off, and one is garbled': {
    hands: {
      ...ticking,
      'poll 2': inject('a.get', 1, { connection: { reset: 'mid_body' } }),
      'poll 3': inject('a.get', 1, { connection: 'garble' }),
    },
  },
  'the record is lost': { hands: failingCreate({ task: { queued: '1s', running: '1h', gone: '30s' } }) },
  'the task fails late': {
    hands: failingCreate({ task: { outcome: 'failed', error: { code: 'Mine', message: 'no' } } }),
  },
  'the task never ends': { hands: failingCreate({ task: { outcome: 'never' } }) },
  'a person lets it fail between two polls of one moment': {
    hands: { 'poll 2': force('failed', { code: 'ByHand', message: 'so' }) },
  },
  'a person lets it succeed later': { hands: { 'poll 2': advance('3s'), 'poll 3': force('succeeded') } },
  'a person starts it, and the clock goes on': { hands: { ...ticking, 'poll 2': force('running') } },
  'a person ends its links': {
    hands: { ...ticking, download: (world, [id = '']) => world.tasks.expireLink(id) },
  },
  'its links end with time': { hands: { ...ticking, download: advance('3h') } },
  'its client deletes it': { client: poller(1), hands: {} },
  'an account has too little left, until a person helps': {
    hands: {
      ...ticking,
      'create 1': world => world.accounts.change('default', { balance: 0 }),
      'create 2': world => world.accounts.change('default', { balance: 1000 }),
    },
  },
  'a file breaks off, then it is empty': {
    client: fetcher,
    hands: {
      'download 1': inject('media.download', 1, { media: 'truncated' }),
      'download 2': inject('media.download', 1, { media: 'empty' }),
    },
  },
  'a file is a page': {
    client: fetcher,
    hands: { 'download 1': inject('media.download', 1, { media: 'wrong_type' }) },
  },
}

let opened = 0

/** Plays a client in a new world. */
async function played(client: Client, hands: Hands, scenario?: object): Promise<Trace> {
  const clock = { mode: 'manual', now: openingTime } as const
  const world = await emulator.openWorld({ id: `copy-${++opened}`, clock })
  if (scenario) await world.scenarios.post(scenario as never)
  await client(world, async moment => {
    const ids = (await world.tasks.list()).map(({ id }) => id)
    await hands[moment]?.(world, ids)
  })
  await expect.poll(async () => (await world.trace()).open).toEqual([])
  const trace = await world.trace()
  await world.drop()
  return trace
}

/** What must be equal: all but ids and times. */
function essence({ attempts, tasks, findings, world }: Trace) {
  const ids = tasks.map(({ id }) => id)
  const plain = (text: string) => text.replace(/\?.*/, '').replaceAll(world, 'w')
  const named = (text: string) => ids.reduce((all, id, i) => all.replaceAll(id, `task-${i}`), plain(text))
  return {
    attempts: attempts.map(({ operation, task_id, calls }) => ({
      operation,
      task: task_id === undefined ? undefined : named(task_id),
      calls: calls.map(({ method, path, status, broken, client_left, fault, wait, response }) => ({
        method,
        path: named(path),
        status,
        broken,
        client_left,
        fault,
        asked: wait?.asked_s,
        error: (response.body as { error?: { code?: string } } | null)?.error?.code,
      })),
    })),
    tasks: tasks.map(({ states, money, links, error }) => ({
      states: states.map(({ status, planned }) => [status, planned]),
      money: money.map(({ kind, amount }) => [kind, amount]),
      links: links.map(({ output, downloads }) => [output, downloads]),
      error,
    })),
    findings: findings.map(({ kind }) => kind),
  }
}

describe('a run copied as a scenario: the same client meets the same run in a new world', () => {
  it.each(Object.entries(incidents))('%s', async (_, { client = poller(), hands }) => {
    const run = await played(client, hands)
    const copy = await played(client, {}, scenarioOf(wholeRun(run)))
    // Links that a person ended cannot end in a scenario; the note says that such findings may differ.
    const isSaid = notesOf(wholeRun(run), 'rules').some(note => note.startsWith('links were ended by hand'))
    const differs = isSaid ? { findings: [] } : {}
    expect({ ...essence(copy), ...differs }).toEqual({ ...essence(run), ...differs })
  })

  it('without the copy, the same client meets another run', async () => {
    const run = await played(poller(), incidents['two polls are refused']?.hands ?? {})
    expect(essence(await played(poller(), {}))).not.toEqual(essence(run))
  })
})

it('a refused request without a task copies with its attempt', async () => {
  const run = await played(
    async world => {
      await ask(world, 'POST', tasksPath, { ...textBody(), resolution: '9p' })
      await ask(world, 'GET', `${tasksPath}?page_num=1`)
    },
    { 'create 1': inject('a.create', 1, { refuse: { fault: 'moderated' } }) },
  )
  const [refused] = run.attempts[0]?.calls ?? []
  const copied = runOfCall(run, refused?.id ?? 0).calls
  expect(copied).toMatchObject([{ operation: 'a.create', status: 400 }])
})

it('what a copy cannot carry over is named', async () => {
  const run = await played(poller(), {
    'create 1': world => world.accounts.change('default', { disabled: true }),
    'create 2': async world => {
      await world.accounts.change('default', { disabled: false })
      await world.tasks.create({ family: 'k', kind: 'k.voice', request: { voice_name: 'Anna' } })
    },
  })
  const part = wholeRun(run)
  expect(notesOf(part, 'rules')).toEqual([
    '1 made through the control API: a scenario makes no tasks',
    'an account was changed by hand; the copy has the refusals that followed, not the change',
    'a disabled key was refused; rules act only after the key was accepted',
  ])
  expect(scenarioOf(part).description).toContain('Not carried over: 1 made through the control API')
  expect(notesOf(part, 'control')).toEqual([])
})

it('a reply that waits for another call copies with the number of that call in the copy, and its task', async () => {
  const world = await emulator.openWorld({ clock: 'manual' })
  const create = (prompt: string) =>
    ask(world, 'POST', tasksPath, { ...textBody(), content: [{ type: 'text', text: prompt }] })
  await create('an earlier one')
  await world.inject('a.create', 1, { connection: { after: { operation: 'a.create', call: 3 } } })
  const held = create('answered second')
  await expect.poll(async () => (await world.trace()).open.length).toBe(1)
  await create('answered first')
  const id = String((await held)?.body.id)
  const part = runOfTask(await world.trace(), id)
  expect(part.tasks.map(({ prompt }) => prompt)).toEqual(['answered second', 'answered first'])
  const [rule] = scenarioOf(part).rules
  expect(rule?.when).toEqual({ operation: 'a.create', call: 1 })
  expect(rule?.then.connection).toEqual({ after: { operation: 'a.create', call: 2 } })
  // The trace of the task alone does not have the other call.
  const alone = runOfTask(await world.trace({ task: id }), id)
  expect(JSON.stringify(scenarioOf(alone).rules)).not.toContain('after')
  expect(notesOf(alone, 'control')).toEqual([
    `request ${alone.calls[0]?.id}: its reply waited for that to a call which this run does not have`,
  ])
})
