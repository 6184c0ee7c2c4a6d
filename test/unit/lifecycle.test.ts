import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costAt, entriesAt } from '../../src/emulator/tasks/ledger.ts'
import { isOver, nextChange, transitions, viewAt } from '../../src/emulator/tasks/lifecycle.ts'
import type { Fact, Outcome, Plan, Status, Task } from '../../src/emulator/worlds/task.ts'
import { taskWith } from '../support/bare-task.ts'

const succeeded: Outcome = { kind: 'succeeded' }
const failed: Outcome = { kind: 'failed', code: 'Broken', message: 'It broke' }
const never: Outcome = { kind: 'never' }
const statuses = (task: Task, moments: number[]) => moments.map(at => viewAt(task, at).status)

describe('viewAt', () => {
  // biome-ignore format: a table, one row a line
  const table: [string, Partial<Plan>, Fact[], Record<number, Status>][] = [
    ['runs and succeeds', {}, [], { 0: 'queued', 99: 'queued', 100: 'running', 199: 'running', 200: 'succeeded', 9999: 'succeeded' }],
    ['fails', { outcome: failed }, [], { 199: 'running', 200: 'failed' }],
    ['is cancelled by the service', { outcome: { kind: 'cancelled' } }, [], { 199: 'running', 200: 'cancelled' }],
    ['never ends without expiry', { outcome: never }, [], { 100: 'running', 1e12: 'running' }],
    ['expires while running', { outcome: never, expiresAt: 300 }, [], { 299: 'running', 300: 'expired' }],
    ['expires while queued', { startsAt: 400, endsAt: 500, expiresAt: 300 }, [], { 299: 'queued', 300: 'expired', 450: 'expired' }],
    ['ends in the moment of expiry: it finished in time', { expiresAt: 200 }, [], { 199: 'running', 200: 'succeeded' }],
    ['ends a millisecond after expiry', { endsAt: 201, expiresAt: 200 }, [], { 199: 'running', 200: 'expired' }],
    ['takes no time at all', { startsAt: 0, endsAt: 0 }, [], { 0: 'succeeded' }],
    ['is cancelled', {}, [{ kind: 'cancelled', at: 50 }], { 49: 'queued', 50: 'cancelled', 150: 'cancelled' }],
    ['is forced to fail', {}, [{ kind: 'forced', at: 150, status: 'failed' }], { 149: 'running', 150: 'failed', 200: 'failed' }],
    ['is forced to run early', {}, [{ kind: 'forced', at: 20, status: 'running' }], { 19: 'queued', 20: 'running', 200: 'succeeded' }],
    ['is forced past its expiry', { expiresAt: 120, outcome: never }, [{ kind: 'forced', at: 110, status: 'succeeded' }], { 110: 'succeeded', 130: 'succeeded' }],
  ]
  it.each(table)('a task that %s', (_, plan, facts, wanted) => {
    const moments = Object.keys(wanted).map(Number)
    expect(statuses(taskWith(plan, facts), moments)).toEqual(Object.values(wanted))
  })

  it('shows the moment of the status, the error of a failure, and when the record was removed', () => {
    expect(viewAt(taskWith({ outcome: failed }), 250)).toEqual({
      status: 'failed',
      since: 200,
      error: { code: 'Broken', message: 'It broke' },
    })
    const removed = taskWith({}, [{ kind: 'deleted', at: 300 }])
    expect(viewAt(removed, 299).deletedAt).toBeUndefined()
    expect(viewAt(removed, 300)).toMatchObject({ status: 'succeeded', since: 200, deletedAt: 300 })
  })
})

/** The simplest model of a task: a status, and how time changes it. */
class Model {
  now = 0
  status: Status = 'queued'
  readonly plan: Plan

  constructor(plan: Plan) {
    this.plan = plan
    this.live(-1, 0)
  }

  get isOpen(): boolean {
    return this.status === 'queued' || this.status === 'running'
  }

  advance(ms: number): void {
    const from = this.now
    this.now += ms
    this.live(from, this.now)
  }

  private live(from: number, to: number): void {
    const { startsAt, endsAt, expiresAt, outcome } = this.plan
    const coming: [number, number, Status][] = [[startsAt, 2, 'running']]
    if (outcome.kind !== 'never') coming.push([endsAt, 0, outcome.kind])
    if (expiresAt !== undefined) coming.push([expiresAt, 1, 'expired'])
    coming.sort((a, b) => a[0] - b[0] || a[1] - b[1])
    for (const [at, , status] of coming) if (at > from && at <= to && this.isOpen) this.status = status
  }
}

const plans: fc.Arbitrary<Plan> = fc
  .record({
    queued: fc.integer({ min: 0, max: 300 }),
    running: fc.integer({ min: 0, max: 300 }),
    expiresAt: fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
    outcome: fc.constantFrom<Outcome>(succeeded, failed, { kind: 'cancelled' }, never),
  })
  .map(({ queued, running, expiresAt, outcome }) => ({
    startsAt: queued,
    endsAt: queued + running,
    outcome,
    ...(expiresAt !== undefined && { expiresAt }),
  }))

type Action =
  | { kind: 'advance'; ms: number }
  | { kind: 'cancel' | 'delete' }
  | { kind: 'force'; status: Exclude<Status, 'queued'> }
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 200 }).map(ms => ({ kind: 'advance' as const, ms })) },
    { weight: 1, arbitrary: fc.constantFrom<Action>({ kind: 'cancel' }, { kind: 'delete' }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<Exclude<Status, 'queued'>[]>('running', 'succeeded', 'failed', 'cancelled', 'expired')
        .map(status => ({ kind: 'force' as const, status })),
    },
  ),
  { maxLength: 12 },
)

const always = (numRuns: number, holds: (plan: Plan, acts: Action[]) => void) =>
  fc.assert(fc.property(plans, actions, holds), { numRuns })

/** Lives through acts in a task and in its model; `look` sees both after each act. */
function live(plan: Plan, acts: Action[], look: (task: Task, model: Model, act: Action) => void = () => {}) {
  const model = new Model(plan)
  let task = taskWith(plan)
  for (const act of acts) {
    const fact = apply(model, act)
    if (fact) task = { ...task, facts: [...task.facts, fact] }
    look(task, model, act)
  }
  return { task, model }
}

describe('the lifecycle against a small model (Spec, "States and transitions")', () => {
  it('agrees with it after any plan and any actions', () => {
    always(2000, (plan, acts) => {
      live(plan, acts, (task, model) => {
        expect(viewAt(task, model.now).status).toBe(model.status)
        expect(isOver(task, model.now)).toBe(!model.isOpen)
      })
    })
  })

  it('never changes the past, and gives the moment of each coming change', () => {
    always(1000, (plan, acts) => {
      const seen: [number, Status][] = []
      const { task: last } = live(plan, acts, (task, model, act) => {
        if (act.kind === 'advance' && act.ms > 0)
          seen.push([model.now - 1, viewAt(task, model.now - 1).status])
        const next = nextChange(task, model.now)
        if (next === undefined) expect(viewAt(task, 1e9).status).toBe(model.status)
        else {
          expect(viewAt(task, next - 1).status).toBe(model.status)
          expect(viewAt(task, next).status).not.toBe(model.status)
        }
      })
      for (const [at, status] of seen) expect(viewAt(last, at).status).toBe(status)
    })
  })

  it('its transitions lead from queued to the end, in order', () => {
    fc.assert(
      fc.property(plans, plan => {
        const chain = transitions(taskWith(plan))
        expect(chain.map(({ at }) => at)).toEqual(chain.map(({ at }) => at).sort((a, b) => a - b))
        expect(chain.map(({ from }) => from)).toEqual(['queued', ...chain.map(({ to }) => to)].slice(0, -1))
      }),
    )
  })

  it('settles, refunds or keeps exactly what was reserved (Spec, "What the service does" 7)', () => {
    always(1000, (plan, acts) => {
      const { task: bare, model } = live(plan, acts)
      const task = { ...bare, charge: { reserved: 10, settled: 7 } }
      const wanted = model.isOpen ? 10 : model.status === 'succeeded' ? 7 : 0
      expect(costAt(task, model.now)).toBeCloseTo(wanted)
      expect(entriesAt(task, model.now)).toHaveLength(model.isOpen ? 1 : 2)
    })
  })
})

/** Makes an act if the task's state allows it; returns the fact that it adds to the task. */
function apply(model: Model, act: Action): Fact | undefined {
  switch (act.kind) {
    case 'advance':
      model.advance(act.ms)
      return undefined
    case 'cancel':
      if (model.status !== 'queued') return undefined
      model.status = 'cancelled'
      return { kind: 'cancelled', at: model.now }
    case 'delete':
      return model.isOpen ? undefined : { kind: 'deleted', at: model.now }
    case 'force':
      if (!model.isOpen || model.status === act.status) return undefined
      model.status = act.status
      return { kind: 'forced', at: model.now, status: act.status }
  }
}

it('a task with a planned length of zero ends from the queue, without having run', () => {
  const task = taskWith({ startsAt: 100, endsAt: 100 })
  expect(transitions(task)).toEqual([{ at: 100, from: 'queued', to: 'succeeded' }])
  expect(statuses(task, [99, 100])).toEqual(['queued', 'succeeded'])
})
