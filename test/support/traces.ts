import { expect } from 'vitest'
import type { Answer } from './gateway.ts'

/**
 * What a refused request must leave unchanged (spec, "What the service does" 7): the number of tasks in its world, the sums of all
 * charges, and the newest charge.
 */
export async function tracesOf(world: { control(method: string, path: string): Promise<Answer> }): Promise<{
  tasks: number
  totals: Record<string, number>
  newest: unknown[]
}> {
  // This request opens the world when it is the first one.
  const ledger = await world.control('GET', '/ledger?limit=1')
  const view = await world.control('GET', '')
  expect([ledger.status, view.status]).toEqual([200, 200])
  return { tasks: view.body.tasks, totals: ledger.body.totals, newest: ledger.body.items }
}
