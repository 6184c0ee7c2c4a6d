import { describe, expect, it } from 'vitest'
import { costAt, entriesAt, fixedCharge, movement, roundCredits } from '../../src/emulator/tasks/ledger.ts'
import type { Charge, Fact, Plan } from '../../src/emulator/worlds/task.ts'
import { taskWith } from '../support/bare-task.ts'

const charged = (charge: Charge, plan: Partial<Plan> = {}, facts: Fact[] = []) => ({
  ...taskWith(plan, facts),
  charge,
})
const told = (task: ReturnType<typeof charged>, now: number) =>
  entriesAt(task, now).map(({ at, kind, amount, released }) => [
    at,
    kind,
    amount,
    ...(released === undefined ? [] : [released]),
  ])

describe('entriesAt (Spec, "What the service does" 7)', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['queued', 50, {}, [], [[0, 'reserved', 5]]],
    ['running', 150, {}, [], [[0, 'reserved', 5]]],
    ['succeeded', 200, {}, [], [[0, 'reserved', 5], [200, 'settled', 5]]],
    ['failed', 500, { outcome: { kind: 'failed', code: 'x', message: 'y' } }, [], [[0, 'reserved', 5], [200, 'refunded', 5]]],
    ['expired', 500, { expiresAt: 150 }, [], [[0, 'reserved', 5], [150, 'refunded', 5]]],
    ['cancelled', 500, {}, [{ kind: 'cancelled', at: 60 }], [[0, 'reserved', 5], [60, 'refunded', 5]]],
    ['succeeded and removed', 500, {}, [{ kind: 'deleted', at: 300 }], [[0, 'reserved', 5], [200, 'settled', 5]]],
  ] as [string, number, Partial<Plan>, Fact[], unknown[]][],
  )('of a task that is %s', (_, now, plan, facts, wanted) => {
    expect(told(charged(fixedCharge(5), plan, facts), now)).toEqual(wanted)
  })

  it('releases what was reserved above the true price', () => {
    const task = charged({ reserved: 12, settled: 4.5 })
    expect(told(task, 200)).toEqual([
      [0, 'reserved', 12],
      [200, 'settled', 4.5, 7.5],
    ])
    expect([50, 200].map(now => costAt(task, now))).toEqual([12, 4.5])
  })

  it('has no lines for a price of 0', () => {
    expect(entriesAt(charged({ reserved: 0, settled: 0 }), 500)).toEqual([])
  })

  it('changes the balance by the reserved, refunded and released amounts', () => {
    const lines = entriesAt(charged({ reserved: 12, settled: 4.5 }), 200)
    expect(lines.map(movement)).toEqual([-12, 7.5])
  })
})

it.each([
  [0.1 + 0.2, 0.3],
  [1.0000004, 1],
  [-0.1234567, -0.123457],
])('round(%d) is %d: six decimals', (credits, wanted) => {
  expect(roundCredits(credits)).toBe(wanted)
})
