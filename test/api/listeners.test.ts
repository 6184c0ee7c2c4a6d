import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { realTime } from '../../src/emulator/worlds/clock.ts'
import { tasksPath, text, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { type Heard, listenTo } from '../support/listener.ts'

const gateway = await openGateway()

interface Change {
  at: string
  from: string
  to: string
}

type Watched = Awaited<ReturnType<typeof watched>>

/** A world with a listener, and the data to compare its events with the time lines. */
async function watched() {
  const name = gateway.freshWorld()
  const world = worldOfA(gateway, name)
  const { control } = world
  await control('GET', '/clock')
  const listener = await listenTo(gateway.url, name)
  onTestFinished(listener.leave)
  let marks = 0
  return {
    ...world,
    listener,
    create: (words: string) => world.made({ model: 'model_a_20', content: [text(words)] }),
    /** Waits until the listener has received all events so far. */
    async settle(): Promise<void> {
      const rate = 2 + ++marks / 1000
      await control('PATCH', '/clock', { mode: 'manual', rate })
      await listener.until(({ event, data }) => event === 'clock' && data.rate === rate)
    },
    /** Each task's changes up to now, from its time line. */
    async timelines(): Promise<Map<string, Change[]>> {
      const found = new Map<string, Change[]>()
      for (const { id } of (await control('GET', '/tasks?limit=1000')).body.items) {
        const timeline: (Change & { is_past?: boolean })[] = (await control('GET', `/tasks/${id}`)).body
          .timeline
        const past = timeline.filter(change => change.is_past)
        found.set(
          id,
          past.map(({ at, from, to }) => ({ at, from, to })),
        )
      }
      return found
    },
  }
}
const it = test.extend('w', () => watched())

const transitionsIn = (heard: readonly Heard[]) => heard.filter(({ event }) => event === 'transition')

function changesOf(heard: readonly Heard[], id: string): Change[] {
  const own = transitionsIn(heard).filter(({ data }) => data.task_id === id)
  return own.map(({ data: { at, from, to } }) => ({ at, from, to }))
}

/** The events of a listener since an event are those of the time lines, each change once and in order. */
async function expectAgreement(w: Watched): Promise<void> {
  await w.settle()
  for (const [id, timeline] of await w.timelines()) expect(changesOf(w.listener.heard, id)).toEqual(timeline)
  const moments = transitionsIn(w.listener.heard).map(({ data }) => data.at_ms as number)
  expect(moments).toEqual([...moments].sort((a, b) => a - b))
}

describe('a listener hears each change once', () => {
  it('in a realtime world whose clock is advanced at once', async ({ w }) => {
    await w.control('PATCH', '/clock', { mode: 'realtime', rate: 1000 })
    for (let i = 0; i < 6; i++) {
      await w.create(`x [[queue:${i}s]] [[run:5s]]`)
      await w.control('POST', '/clock/advance', { by: '7s' })
    }
    await w.control('POST', '/clock/advance', { until: 'idle' })
    await expectAgreement(w)
    expect(transitionsIn(w.listener.heard)).toHaveLength(12)
  })

  it('when the clock’s mode changes before the due changes were read', async ({ w }) => {
    await w.control('PATCH', '/clock', { mode: 'realtime', rate: 1_000_000 })
    const id = await w.create('x [[queue:1ms]] [[run:1ms]]')
    await w.control('PATCH', '/clock', { mode: 'manual' })
    await w.control('POST', '/clock/advance', { by: '1s' })
    await expectAgreement(w)
    expect(changesOf(w.listener.heard, id).map(({ to }) => to)).toEqual(['running', 'succeeded'])
  })

  it('when the clock is stopped on a machine where each look at the time takes a millisecond', async () => {
    const w = await watched()
    for (let i = 1; i <= 300; i++) await w.create(`x [[queue:0s]] [[run:${i}s]]`)
    let now = 1_000_000_000
    const looks = vi.spyOn(realTime, 'elapsedMs').mockImplementation(() => ++now)
    onTestFinished(() => looks.mockRestore())
    await w.control('PATCH', '/clock', { mode: 'realtime', rate: 1000 })
    await w.settle()
    const heard = [...w.listener.heard]
    for (const [id, timeline] of await w.timelines()) expect(changesOf(heard, id)).toEqual(timeline)
    expect(transitionsIn(heard).length).toBeLessThan(600)
  })

  it('when a task runs or is finished as soon as it is created', async ({ w }) => {
    const id = await w.create('x [[queue:0s]]')
    const { body } = await w.control('POST', '/tasks', { family: 'image', kind: 'image' })
    await expectAgreement(w)
    expect(changesOf(w.listener.heard, id).map(({ to }) => to)).toEqual(['running'])
    expect(changesOf(w.listener.heard, body.id).map(({ to }) => to)).toEqual(['succeeded'])
  })

  it('when a scenario rule moves the clock', async ({ w }) => {
    const id = await w.create('x [[queue:1s]] [[run:1s]]')
    await w.control('POST', '/scenarios', {
      name: 'hurry',
      // biome-ignore lint/suspicious/noThenProperty: the word of scenario files
      rules: [{ when: { operation: 'a.get' }, then: { clock: { advance: '1h' } } }],
    })
    await w.control('POST', '/scenarios/hurry/activate')
    await w.get(id)
    await expectAgreement(w)
    expect(changesOf(w.listener.heard, id).map(({ to }) => to)).toEqual(['running', 'succeeded'])
  })

  it('when a record is removed, also when its links are ended afterwards', async ({ w }) => {
    const id = await w.create('x')
    await w.control('POST', '/clock/advance', { until: 'idle' })
    await w.remove(id)
    await w.control('POST', `/tasks/${id}/expire-link`)
    await expectAgreement(w)
    expect(changesOf(w.listener.heard, id).map(({ to }) => to)).toEqual(['running', 'succeeded', 'deleted'])
  })

  it('when two changes happen in one moment: both, as in time line and story', async ({ w }) => {
    const id = await w.create('x')
    await w.control('POST', `/tasks/${id}/force`, { status: 'running' })
    await w.control('POST', `/tasks/${id}/force`, { status: 'succeeded' })
    await expectAgreement(w)
    expect(changesOf(w.listener.heard, id).map(({ to }) => to)).toEqual(['running', 'succeeded'])
    const { items } = (await w.control('GET', `/tasks/${id}/story`)).body
    const told = items
      .map((item: { text: string }) => item.text)
      .filter((line: string) => line.includes('forced'))
    expect(told).toEqual([
      'queued -> running, forced through the control API',
      'running -> succeeded, forced through the control API',
    ])
  })

  it('in realtime, up to a reset', async ({ w }) => {
    await w.control('PATCH', '/clock', { mode: 'realtime', rate: 1_000_000 })
    const id = await w.create('x [[queue:1ms]] [[run:1ms]]')
    await w.get(id)
    await w.control('POST', '/reset')
    await w.listener.until(({ event }) => event === 'reset')
    expect(changesOf(w.listener.heard, id).map(({ to }) => to)).toEqual(['running', 'succeeded'])
  })
})

it('a world with a listener is not dropped to make room for a new one', async () => {
  const small = await openGateway({ maxWorlds: 3 })
  await small.get(tasksPath, 'sk-test-heard')
  const { leave } = await listenTo(small.url, 'heard')
  onTestFinished(leave)
  for (const world of ['one', 'two', 'three', 'four']) await small.get(tasksPath, `sk-test-${world}`)
  const { items } = (await small.control('GET', '/worlds')).body
  expect(items.map(({ id }: { id: string }) => id)).toContain('heard')
  expect(items.length).toBeLessThanOrEqual(3)
})

type Step =
  | { kind: 'create'; queued: number; running: number; fails: boolean }
  | { kind: 'advance'; ms: number }
  | { kind: 'mode'; mode: string; rate: number }
  | { kind: 'force'; which: number; status: string }
  | { kind: 'delete' | 'expire-link' | 'poll'; which: number }
  | { kind: 'snapshot' | 'restore' | 'reset' }

const lengths = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 }))
const which = fc.nat({ max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      queued: lengths,
      running: lengths,
      fails: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.nat({ max: 3000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mode' as const),
      mode: fc.constantFrom('manual', 'auto', 'realtime'),
      rate: fc.constantFrom(1, 60, 5000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('force' as const),
      which,
      status: fc.constantFrom('running', 'succeeded', 'failed', 'cancelled', 'expired'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'expire-link', 'poll'), which }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('snapshot' as const, 'restore', 'reset') }) },
)

async function act(w: Watched, made: readonly string[], step: Step): Promise<string | undefined> {
  const idOf = (which: number) => made[which % Math.max(1, made.length)] ?? 'none'
  switch (step.kind) {
    case 'create':
      return await w.create(
        `x [[queue:${step.queued}ms]] [[run:${step.running}ms]] ${step.fails ? '[[fail:Oops]]' : ''}`,
      )
    case 'advance':
      await w.control('POST', '/clock/advance', { by: step.ms })
      return undefined
    case 'mode':
      await w.control('PATCH', '/clock', { mode: step.mode, rate: step.rate })
      return undefined
    case 'force':
      await w.control('POST', `/tasks/${idOf(step.which)}/force`, { status: step.status })
      return undefined
    case 'expire-link':
      await w.control('POST', `/tasks/${idOf(step.which)}/expire-link`)
      return undefined
    case 'delete':
    case 'poll': {
      await (step.kind === 'poll' ? w.get : w.remove)(idOf(step.which))
      return undefined
    }
    case 'snapshot':
      await w.control('POST', '/snapshots', { name: 'x' })
      return undefined
    case 'restore':
    case 'reset':
      return undefined
  }
}

/**
 * A part of a world's life between two jumps back: the received events are the new entries of the time lines.
 * A restored task has changes that were received before.
 */
async function expectStretch(w: Watched, start: { heard: number; known: Map<string, Change[]> }) {
  await w.settle()
  const heard = w.listener.heard.slice(start.heard)
  let count = 0
  for (const [id, timeline] of await w.timelines()) {
    const fresh = timeline.slice(start.known.get(id)?.length ?? 0)
    expect(changesOf(heard, id)).toEqual(fresh)
    count += fresh.length
  }
  expect(transitionsIn(heard)).toHaveLength(count)
  const moments = transitionsIn(heard).map(({ data }) => data.at_ms as number)
  expect(moments).toEqual([...moments].sort((a, b) => a - b))
}

it('random creates, advances, modes, forces, deletions, polls, snapshots and resets: a listener hears exactly the changes of the time lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async steps => {
      const w = await watched()
      let made: string[] = []
      let start = { heard: 0, known: new Map<string, Change[]>() }
      for (const step of steps) {
        const id = await act(w, made, step)
        if (id !== undefined) made.push(id)
        if (step.kind !== 'reset' && step.kind !== 'restore') continue
        await expectStretch(w, start)
        await w.control('POST', step.kind === 'reset' ? '/reset' : '/snapshots/x/restore')
        await w.settle()
        start = { heard: w.listener.heard.length, known: await w.timelines() }
        made = [...start.known.keys()]
      }
      await expectStretch(w, start)
      w.listener.leave()
    }),
    { numRuns: 12 },
  )
}, 120_000)
