import { expect, it } from 'vitest'
import { entriesAt, fixedCharge, roundCredits } from '../../src/emulator/tasks/ledger.ts'
import type { Fact, Plan } from '../../src/emulator/worlds/task.ts'
import { taskWith } from '../support/bare-task.ts'

it.each<[number, Partial<Plan>, Fact[]]>([
  [200, {}, []],
  [150, { expiresAt: 150 }, []],
  [60, {}, [{ kind: 'cancelled', at: 60 }]],
])('the last line of a task that ended at %d has that moment, also later', (end, plan, facts) => {
  const task = { ...taskWith(plan, facts), charge: fixedCharge(5) }
  expect(entriesAt(task, 500).map(({ at }) => at)).toEqual([0, end])
})

it('a price of 0 has no lines in the ledger', () => {
  expect(entriesAt(taskWith(), 500)).toEqual([])
})

it.each([
  [0.1 + 0.2, 0.3],
  [1.0000004, 1],
  [-0.1234567, -0.123457],
])('round(%d) is %d: six decimals', (credits, wanted) => {
  expect(roundCredits(credits)).toBe(wanted)
})
