import { observedTasks } from './observed.ts'
import type { Step } from './steps.ts'

/** A step that shows or does something at a certain point in the life of a task. */
type Ranks = ReadonlyMap<Step, ReadonlyMap<string, number>>

const made = 0
const live: Readonly<Record<string, number>> = { queued: 1, running: 2 }
const cancels = 2.5
const over = 3
const removes = 3.5
const gone = 4

/**
 * Steps in an order in which the gateway may have handled them. The gateway handles a request at some moment between its start and
 * its reply, so overlapping requests are sorted by the life of the task. The order of the offsets does not change.
 */
export function inPossibleOrder(steps: readonly Step[]): Step[] {
  if (!steps.some((step, index) => index > 0 && isUnderWay(step, steps[index - 1]))) return [...steps]
  const ranks = ranksOf(steps)
  const left = [...steps]
  return steps.map(({ at }) => {
    const [head] = left
    const open = left.filter(step => step === head || isUnderWay(step, head))
    const next = open.find(step => open.every(other => mayPrecede(step, other, ranks))) ?? open[0]
    left.splice(left.indexOf(next as Step), 1)
    return { ...(next as Step), at }
  })
}

/** Whether a step began before the reply to the other one, which was answered first. */
function isUnderWay(step: Step, other: Step | undefined): boolean {
  return other !== undefined && step.answeredBefore <= other.place
}

function mayPrecede(step: Step, other: Step, ranks: Ranks): boolean {
  const own = ranks.get(step)
  const others = ranks.get(other)
  if (!own || !others) return true
  return [...own].every(([task, rank]) => rank <= (others.get(task) ?? rank))
}

function ranksOf(steps: readonly Step[]): Ranks {
  const ranks = new Map<Step, Map<string, number>>()
  const rank = (step: Step, task: string, value: number) =>
    ranks.set(step, (ranks.get(step) ?? new Map<string, number>()).set(task, value))
  for (const { id, makes, seen } of observedTasks({ steps: [...steps] })) {
    if (makes) rank(makes, id, made)
    for (const { step, status } of seen) rank(step, id, live[status] ?? over)
    const isCancelled = seen.some(({ status }) => status === 'cancelled')
    for (const step of steps) {
      if (step.params.task_id !== id) continue
      if (step.method === 'GET' && step.status === 404) rank(step, id, gone)
      else if (step.method !== 'GET' && step.status < 300) rank(step, id, isCancelled ? cancels : removes)
      else if (step.method !== 'GET') rank(step, id, step.status === 404 ? gone : (live.running ?? 0))
    }
  }
  return ranks
}
