import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isOnItsWay } from '../../src/explore/judge/waiting.ts'
import type { Case } from '../../src/explore/plan/case.ts'
import { failuresOf } from '../../src/explore/plan/catalogue.ts'
import type { WorldNow } from '../../src/explore/plan/observe.ts'
import { type ObservedCall, planOf } from '../../src/explore/plan/plan.ts'
import { type Exit, watchLimit } from '../../src/explore/run/run.ts'

describe('the limit of a run (docs/explore.md, "Choosing cases": --limit)', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Watches a run that goes on as long as `goesOn` says, for an hour. */
  async function watched(goesOn?: () => Promise<boolean>): Promise<Exit[]> {
    const over: Exit[] = []
    watchLimit({ limitMs: 1000, ...(goesOn && { goesOn }) }, exit => over.push(exit))
    await vi.advanceTimersByTimeAsync(3_600_000)
    return over
  }

  it.each([
    ['a run that goes nowhere ends at the limit', [false], { kind: 'limit', ms: 1000 }],
    [
      'a run on its way is looked at each quarter of a limit',
      [true, true, false],
      { kind: 'limit', ms: 1500, limits: 1.5 },
    ],
  ])('%s', async (_, answers, exit) => {
    expect(await watched(async () => answers.shift() ?? false)).toEqual([exit])
  })

  it('ten limits are the most, and a run of which nothing can be read ends at the first', async () => {
    expect(await watched(async () => true)).toEqual([{ kind: 'limit', ms: 10_000, limits: 10 }])
    expect(await watched(() => Promise.reject(new Error('no world')))).toEqual([{ kind: 'limit', ms: 1000 }])
    expect(await watched()).toEqual([{ kind: 'limit', ms: 1000 }])
  })

  it('a watch that is stopped says nothing', async () => {
    const over: Exit[] = []
    const stop = watchLimit({ limitMs: 1000 }, exit => over.push(exit))
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(over).toEqual([])
  })
})

const hour = 3_600_000
const failures = failuresOf({ operation: 'a.create' })

describe('a run past its limit (docs/explore.md, "What it says": hung)', () => {
  const [failure] = failures.filter(({ id }) => id === 'task_expired')
  /** A task that expires after an hour, and a poll of it each minute up to `untilMs`. */
  const seen = (untilMs: number, others: object = {}) =>
    ({
      requests: Array.from({ length: untilMs / 60_000 }, (_, index) => ({
        id: index + 1,
        operation: 'a.get',
        path: '/tasks/t1',
        task_id: 't1',
        status: 200,
        at_ms: (index + 1) * 60_000,
        started_ms: index,
      })),
      tasks: [
        {
          id: 't1',
          timeline: [{ at: new Date(hour).toISOString(), from: 'running', to: 'expired', state: 'expired' }],
        },
      ],
      isDriven: true,
      nowMs: untilMs,
      ...others,
    }) as unknown as WorldNow

  it.each([
    ['on its way while the end of the task is to come', 30 * 60_000, {}, true],
    ['on its way while it asks in vain for less than an hour', 1.5 * hour, {}, true],
    ['shown to be endless after an hour', 2.1 * hour, {}, false],
    ['on no way when its own sleeps do not move the clock', 1.5 * hour, { isDriven: false }, false],
    ['on no way when it asked nothing', 0, {}, false],
  ])('is %s', (_, untilMs, others, expected) => {
    const one = { operation: 'a.create', nth: 1, failure } as Case
    expect(isOnItsWay(seen(untilMs, others), one)).toBe(expected)
  })

  it.each([
    [
      'on no way when it waits for a reply that never comes',
      { effects: [{ kind: 'hang', place: 'before_headers' }] },
      0,
      false,
    ],
    ['on no way when its time stands still since the look before', {}, 0, false],
    ['on its way when its time has moved since then', {}, 1, true],
  ])('is %s', (_, call, movedMs, expected) => {
    const one = { operation: 'a.create', nth: 1, failure } as Case
    const before = seen(30 * 60_000)
    const last = { ...before.requests.at(-1), ...call }
    const now = {
      ...before,
      requests: [...before.requests.slice(0, -1), last],
      nowMs: before.nowMs + movedMs,
    }
    expect(isOnItsWay(now as WorldNow, one, before)).toBe(expected)
  })

  it.each([
    ['on its way while its time passes and it asks nothing, as a driver that waits', 30 * 60_000, 31, true],
    ['on its way so at its first look', undefined, 31, true],
    ['on no way when it has asked nothing for an hour', 30 * 60_000, 90, false],
    ['on no way when other calls came since the look before', 30 * 60_000, 31, false, 4],
  ])('is %s', (_, beforeMs, untilMin, expected, firstCall = 1) => {
    const one = { operation: 'a.create', nth: 1, failure } as Case
    const download = { operation: 'media.download', path: '/f', status: 200, at_ms: 60_000, started_ms: 1 }
    const lookAt = (nowMs: number, id: number) => seen(0, { requests: [{ ...download, id }], nowMs })
    const before = beforeMs === undefined ? undefined : lookAt(beforeMs, firstCall)
    expect(isOnItsWay(lookAt(untilMin * 60_000, 1), one, before)).toBe(expected)
  })
})

it.each([
  [{ model: 'model_a_25' }, { running: '1h', outcome: 'expired' }],
  [{ model: 'model_a_25', execution_expires_after: 7200 }, { outcome: 'expired' }],
])('a task made with %j expires early unless the program chose when: %j', (body, task) => {
  const request = { task_id: 't1', path: '/tasks', request: { body } }
  const calls = [{ operation: 'a.create', nth: 1, request } as unknown as ObservedCall]
  const { cases } = planOf(calls, { catalogue: failures, tasks: [] })
  expect(cases.find(({ failure }) => failure.id === 'task_expired')?.failure.then).toEqual({ task })
})
