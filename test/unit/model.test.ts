import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const path = '/api/v3/contents/generations/tasks'
const openedAt = Date.parse('2026-03-01T08:00:00Z')

/** The simplest model of a task. */
interface Task {
  createdAt: number
  startsAt: number
  endsAt: number
  ending: 'succeeded' | 'failed'
  /** An act of a caller: an end, or a start, before its time. */
  ended?: { at: number; as: string }
  isDeleted: boolean
}

interface World {
  key: string
  now: number
  tasks: Map<string, Task>
  snapshots: Map<string, { now: number; tasks: Map<string, Task> }>
}

type Model = World[]
type Real = object

const ask = (key: string, method: string, below: string, body?: unknown) =>
  gateway.call(method, below, body, { key })

const control = (world: World, method: string, below: string, body?: unknown) =>
  ask('', method, `/__emulator/worlds/${world.key.slice('sk-test-'.length)}${below}`, body)

function statusOf({ ended, startsAt, endsAt, ending }: Task, now: number): string {
  if (ended && now >= ended.at && ended.as !== 'running') return ended.as
  if (now >= endsAt) return ending
  return now >= startsAt || ended?.as === 'running' ? 'running' : 'queued'
}

const copied = (tasks: Map<string, Task>) => new Map([...tasks].map(([id, task]) => [id, { ...task }]))

type Act = (world: World, model: Model) => Promise<void>
type ActOnTask = (world: World, found: { id: string; task: Task }, model: Model) => Promise<void>

/** A step in one of the worlds; its words stand in the report of a run that failed. */
const step = (words: string, at: number, act: Act): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  async run(model) {
    const world = model[at % model.length]
    if (world) await act(world, model)
  },
  toString: () => `${words} in ${at}`,
})

/** A step on one of a world's tasks; it has no effect without one. */
const onTask = (words: string, [at, which]: readonly [number, number], act: ActOnTask) =>
  step(`${words} task ${which}`, at, async (world, model) => {
    const ids = [...world.tasks.keys()]
    const id = ids[which % Math.max(1, ids.length)]
    const task = id === undefined ? undefined : world.tasks.get(id)
    if (id !== undefined && task) await act(world, { id, task }, model)
  })

const create =
  (plan: { queued: number; running: number; fails: boolean }): Act =>
  async world => {
    const { queued, running, fails } = plan
    const text = `x [[queue:${queued}ms]] [[run:${running}ms]] ${fails ? '[[fail:Oops]]' : ''}`
    const made = await ask(world.key, 'POST', path, {
      model: 'model_a_20',
      content: [{ type: 'text', text }],
    })
    expect(made.status).toBe(200)
    expect(world.tasks.has(made.body.id)).toBe(false)
    const startsAt = world.now + queued
    world.tasks.set(made.body.id, {
      createdAt: world.now,
      startsAt,
      endsAt: startsAt + running,
      ending: fails ? 'failed' : 'succeeded',
      isDeleted: false,
    })
  }

const poll: ActOnTask = async (world, { id, task }, model) => {
  const reply = await ask(world.key, 'GET', `${path}/${id}`)
  if (task.isDeleted) expect(reply.status).toBe(404)
  else expect([reply.status, reply.body.status]).toEqual([200, statusOf(task, world.now)])
  // No other account and no other world finds it. Worlds of one seed may have drawn the same id.
  expect((await ask(`${world.key}.bob`, 'GET', `${path}/${id}`)).status).toBe(404)
  for (const other of model) {
    if (other !== world && !other.tasks.has(id)) {
      expect((await ask(other.key, 'GET', `${path}/${id}`)).status).toBe(404)
    }
  }
}

const remove: ActOnTask = async (world, { id, task }) => {
  const { status } = await ask(world.key, 'DELETE', `${path}/${id}`)
  const before = statusOf(task, world.now)
  if (task.isDeleted) expect(status).toBe(404)
  else if (before === 'running' || before === 'cancelled') expect(status).toBe(409)
  else {
    expect(status).toBe(200)
    if (before === 'queued') task.ended = { at: world.now, as: 'cancelled' }
    else task.isDeleted = true
  }
}

const force =
  (to: string): ActOnTask =>
  async (world, { id, task }) => {
    const before = statusOf(task, world.now)
    const isOpen = !task.isDeleted && ['queued', 'running'].includes(before)
    const isTooLate = before === 'running' && to === 'cancelled'
    const isAllowed = isOpen && !isTooLate && before !== to && to !== 'queued'
    const { status } = await control(world, 'POST', `/tasks/${id}/force`, { status: to })
    expect(status).toBe(isAllowed ? 200 : 409)
    if (isAllowed) task.ended = { at: world.now, as: to }
  }

const advance =
  (by: number): Act =>
  async world => {
    const before = new Map([...world.tasks].map(([id, task]) => [id, statusOf(task, world.now)]))
    const { body } = await control(world, 'POST', '/clock/advance', { by })
    world.now += by
    expect(body.now_ms).toBe(world.now)
    for (const [id, task] of world.tasks) {
      if (task.isDeleted) continue
      const changes = body.events.filter((event: { task_id: string }) => event.task_id === id)
      const after = statusOf(task, world.now)
      expect(changes.at(-1)?.to ?? before.get(id)).toBe(after)
      expect(changes[0]?.from ?? after).toBe(before.get(id))
    }
  }

const save =
  (name: string): Act =>
  async world => {
    expect((await control(world, 'POST', '/snapshots', { name })).status).toBe(201)
    world.snapshots.set(name, { now: world.now, tasks: copied(world.tasks) })
  }

const restore =
  (name: string): Act =>
  async world => {
    const saved = world.snapshots.get(name)
    const { status } = await control(world, 'POST', `/snapshots/${name}/restore`)
    expect(status).toBe(saved ? 200 : 404)
    if (!saved) return
    world.now = saved.now
    world.tasks = copied(saved.tasks)
  }

const reset: Act = async world => {
  await control(world, 'POST', '/reset')
  world.now = openedAt
  world.tasks = new Map()
}

/** Everything that a world shows agrees with the model: list, states, charges, clock. */
const look: Act = async world => {
  const { body } = await ask(world.key, 'GET', `${path}?page_size=500`)
  const shown = [...world.tasks].filter(([, task]) => !task.isDeleted)
  const seen = body.items.map((item: { id: string; status: string }) => [item.id, item.status])
  expect(seen).toEqual(shown.map(([id, task]) => [id, statusOf(task, world.now)]).reverse())
  const all = (await control(world, 'GET', '/tasks?limit=1000')).body.items
  expect(all.map(({ id }: { id: string }) => id).reverse()).toEqual([...world.tasks.keys()])
  const { items } = (await control(world, 'GET', '/ledger')).body
  const kinds = items.map(({ kind }: { kind: string }) => kind)
  const ends = [...world.tasks.values()].map(task => statusOf(task, world.now))
  const count = (wanted: string[], among: string[]) => among.filter(one => wanted.includes(one)).length
  expect(count(['reserved'], kinds)).toBe(world.tasks.size)
  expect(count(['settled'], kinds)).toBe(count(['succeeded'], ends))
  expect(count(['refunded'], kinds)).toBe(count(['failed', 'cancelled', 'expired'], ends))
  expect((await control(world, 'GET', '/clock')).body.now_ms).toBe(world.now)
}

const at = fc.nat({ max: 2 })
const task = fc.tuple(at, fc.nat({ max: 20 }))
const ms = fc.nat({ max: 5000 })
const name = fc.constantFrom('one', 'two')
const status = fc.constantFrom('running', 'succeeded', 'failed', 'cancelled', 'expired', 'queued')
const plan = fc.record({ queued: ms, running: ms, fails: fc.boolean() })
const creating = fc.tuple(at, plan).map(([a, p]) => step(`create ${JSON.stringify(p)}`, a, create(p)))
const looking = at.map(a => step('look', a, look))
const steps = [
  ...[creating, creating],
  task.map(of => onTask('poll', of, poll)),
  task.map(of => onTask('delete', of, remove)),
  fc.tuple(task, status).map(([of, to]) => onTask(`force to ${to}`, of, force(to))),
  fc.tuple(at, ms).map(([a, by]) => step(`advance by ${by}`, a, advance(by))),
  fc.tuple(at, name).map(([a, n]) => step(`save ${n}`, a, save(n))),
  fc.tuple(at, name).map(([a, n]) => step(`restore ${n}`, a, restore(n))),
  looking,
  fc.oneof({ weight: 9, arbitrary: looking }, { weight: 1, arbitrary: at.map(a => step('reset', a, reset)) }),
]

let runs = 0

it('random creates, polls, deletes, advances, forces, snapshots and restores in several worlds agree with a small model, and no world affects another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: '+1' }), async commands => {
      const run = ++runs
      const model: Model = [1, 2, 3].map(number => ({
        key: `sk-test-model-${run}-${number}`,
        now: openedAt,
        tasks: new Map(),
        snapshots: new Map(),
      }))
      await fc.asyncModelRun(() => ({ model, real: {} }), commands)
      for (const world of model) await look(world, model)
    }),
    { numRuns: 40 },
  )
}, 120_000)

it('a world gives the same results beside a hundred others', async () => {
  const before = await control({ key: 'sk-test-quiet' } as World, 'GET', '/state')
  for (let i = 0; i < 100; i++) {
    const key = `sk-test-busy-${i}`
    await ask(key, 'POST', path, { model: 'model_a_20', content: [{ type: 'text', text: 'x' }] })
    await control({ key } as World, 'POST', '/clock/advance', { by: '1h' })
  }
  const after = await control({ key: 'sk-test-quiet' } as World, 'GET', '/state')
  expect(after.body).toEqual(before.body)
})
