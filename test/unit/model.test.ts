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
type Real = { run: string }

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

/** A step in one of the worlds. A step that needs a task has no effect without one. */
abstract class Step implements fc.AsyncCommand<Model, Real> {
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
  check = () => true
  async run(model: Model): Promise<void> {
    const world = model[this.at % model.length]
    if (world) await this.act(world, model)
  }
  abstract act(world: World, model: Model): Promise<void>
  toString(): string {
    const { at, check: _, ...rest } = this
    return `${this.constructor.name}(${at}, ${JSON.stringify(rest)})`
  }
}

abstract class TaskStep extends Step {
  readonly which: number
  constructor(at: number, which: number) {
    super(at)
    this.which = which
  }
  async act(world: World, model: Model): Promise<void> {
    const ids = [...world.tasks.keys()]
    const id = ids[this.which % Math.max(1, ids.length)]
    const task = id === undefined ? undefined : world.tasks.get(id)
    if (id !== undefined && task) await this.onTask(world, { id, task }, model)
  }
  abstract onTask(world: World, found: { id: string; task: Task }, model: Model): Promise<void>
}

class Create extends Step {
  readonly plan: { queued: number; running: number; fails: boolean }
  constructor(at: number, plan: { queued: number; running: number; fails: boolean }) {
    super(at)
    this.plan = plan
  }
  async act(world: World) {
    const { queued, running, fails } = this.plan
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
}

class Poll extends TaskStep {
  async onTask(world: World, { id, task }: { id: string; task: Task }, model: Model) {
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
}

class Delete extends TaskStep {
  async onTask(world: World, { id, task }: { id: string; task: Task }) {
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
}

class Force extends TaskStep {
  readonly to: string
  constructor(at: number, which: number, to: string) {
    super(at, which)
    this.to = to
  }
  async onTask(world: World, { id, task }: { id: string; task: Task }) {
    const before = statusOf(task, world.now)
    const isOpen = !task.isDeleted && ['queued', 'running'].includes(before)
    const isTooLate = before === 'running' && this.to === 'cancelled'
    const isAllowed = isOpen && !isTooLate && before !== this.to && this.to !== 'queued'
    const { status } = await control(world, 'POST', `/tasks/${id}/force`, { status: this.to })
    expect(status).toBe(isAllowed ? 200 : 409)
    if (isAllowed) task.ended = { at: world.now, as: this.to }
  }
}

class Advance extends Step {
  readonly ms: number
  constructor(at: number, ms: number) {
    super(at)
    this.ms = ms
  }
  async act(world: World) {
    const before = new Map([...world.tasks].map(([id, task]) => [id, statusOf(task, world.now)]))
    const { body } = await control(world, 'POST', '/clock/advance', { by: this.ms })
    world.now += this.ms
    expect(body.now_ms).toBe(world.now)
    for (const [id, task] of world.tasks) {
      if (task.isDeleted) continue
      const changes = body.events.filter((event: { task_id: string }) => event.task_id === id)
      const after = statusOf(task, world.now)
      expect(changes.at(-1)?.to ?? before.get(id)).toBe(after)
      expect(changes[0]?.from ?? after).toBe(before.get(id))
    }
  }
}

class Save extends Step {
  readonly name: string
  constructor(at: number, name: string) {
    super(at)
    this.name = name
  }
  async act(world: World) {
    expect((await control(world, 'POST', '/snapshots', { name: this.name })).status).toBe(201)
    world.snapshots.set(this.name, { now: world.now, tasks: copied(world.tasks) })
  }
}

class Restore extends Step {
  readonly name: string
  constructor(at: number, name: string) {
    super(at)
    this.name = name
  }
  async act(world: World) {
    const saved = world.snapshots.get(this.name)
    const { status } = await control(world, 'POST', `/snapshots/${this.name}/restore`)
    expect(status).toBe(saved ? 200 : 404)
    if (!saved) return
    world.now = saved.now
    world.tasks = copied(saved.tasks)
  }
}

class Reset extends Step {
  async act(world: World) {
    await control(world, 'POST', '/reset')
    world.now = openedAt
    world.tasks = new Map()
  }
}

/** Everything that a world shows agrees with the model: list, states, charges, clock. */
class Look extends Step {
  async act(world: World) {
    const { body } = await ask(world.key, 'GET', `${path}?page_size=500`)
    const shown = [...world.tasks].filter(([, task]) => !task.isDeleted)
    const seen = body.items.map((item: { id: string; status: string }) => [item.id, item.status])
    expect(seen).toEqual(shown.map(([id, task]) => [id, statusOf(task, world.now)]).reverse())
    const all = (await control(world, 'GET', '/tasks?limit=1000')).body.items
    expect(all.map(({ id }: { id: string }) => id).reverse()).toEqual([...world.tasks.keys()])
    const kinds = (await control(world, 'GET', '/ledger')).body.items.map(
      ({ kind }: { kind: string }) => kind,
    )
    const ends = [...world.tasks.values()].map(task => statusOf(task, world.now))
    const count = (wanted: string[], among: string[]) => among.filter(one => wanted.includes(one)).length
    expect(count(['reserved'], kinds)).toBe(world.tasks.size)
    expect(count(['settled'], kinds)).toBe(count(['succeeded'], ends))
    expect(count(['refunded'], kinds)).toBe(count(['failed', 'cancelled', 'expired'], ends))
    expect((await control(world, 'GET', '/clock')).body.now_ms).toBe(world.now)
  }
}

const at = fc.nat({ max: 2 })
const which = fc.nat({ max: 20 })
const ms = fc.nat({ max: 5000 })
const name = fc.constantFrom('one', 'two')
const steps = [
  fc
    .tuple(at, fc.record({ queued: ms, running: ms, fails: fc.boolean() }))
    .map(([a, plan]) => new Create(a, plan)),
  fc
    .tuple(at, fc.record({ queued: ms, running: ms, fails: fc.boolean() }))
    .map(([a, plan]) => new Create(a, plan)),
  fc.tuple(at, which).map(([a, w]) => new Poll(a, w)),
  fc.tuple(at, which).map(([a, w]) => new Delete(a, w)),
  fc
    .tuple(at, which, fc.constantFrom('running', 'succeeded', 'failed', 'cancelled', 'expired', 'queued'))
    .map(([a, w, to]) => new Force(a, w, to)),
  fc.tuple(at, ms).map(([a, by]) => new Advance(a, by)),
  fc.tuple(at, name).map(([a, n]) => new Save(a, n)),
  fc.tuple(at, name).map(([a, n]) => new Restore(a, n)),
  at.map(a => new Look(a)),
  fc.oneof(
    { weight: 9, arbitrary: at.map(a => new Look(a)) },
    { weight: 1, arbitrary: at.map(a => new Reset(a)) },
  ),
]

const runsWanted = 40
let runs = 0

it('random creates, polls, deletes, advances, forces, snapshots and restores in several worlds agree with a small model, and no world affects another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: '+1' }), async commands => {
      const run = ++runs
      const setup = () => {
        const model: Model = [1, 2, 3].map(number => ({
          key: `sk-test-model-${run}-${number}`,
          now: openedAt,
          tasks: new Map(),
          snapshots: new Map(),
        }))
        return { model, real: { run: String(run) }, all: model }
      }
      const { model, real } = setup()
      await fc.asyncModelRun(() => ({ model, real }), commands)
      for (const index of model.keys()) await new Look(index).run(model)
    }),
    { numRuns: runsWanted },
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
