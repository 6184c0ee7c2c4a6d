import { at } from './json.ts'
import { recordsFor, removes, type Sight, stateIn } from './sight.ts'

/** Completes a sight of one account with what its earlier sights showed: the request that made the task, its last state, and other records. */
export type Trail = (sight: Sight, task: string | undefined) => Sight

/** A trail without sights. */
export function newTrail(): Trail {
  const made = new Map<string, unknown>()
  const states = new Map<string, string>()
  const records = new Map<string, unknown>()
  return (sight, task) => {
    if (task === undefined) return sight
    if (sight.status < 300 && /\.(?:create|enhance|regenerate)$/.test(sight.operation))
      made.set(task, sight.body)
    const before = states.get(task)
    const seen: Sight = {
      ...sight,
      made: made.get(task),
      others: [...records.values()],
      ...(before !== undefined && { before }),
    }
    const now = stateIn(sight)
    if (now !== undefined) states.set(task, now)
    if (removes(seen)) states.delete(task)
    for (const [, record] of recordsFor(`${sight.family}.record`, sight))
      records.set(String(at(record, 'id')), record)
    return seen
  }
}
