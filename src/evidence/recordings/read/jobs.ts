import { isWholeList, pageOf } from './list-rows.ts'
import { inPossibleOrder } from './possible-order.ts'
import type { Job, Step } from './steps.ts'

/** Groups the calls of a recording into jobs, in the order of their first calls. A call without a task is a job of its own. */
export function jobsOf(steps: readonly Step[]): Job[] {
  const roots = new Map<string, string>()
  const rootOf = (id: string): string => {
    const above = roots.get(id) ?? id
    if (above === id) return id
    const root = rootOf(above)
    roots.set(id, root)
    return root
  }
  const made = new Set(steps.flatMap(({ makes }) => makes ?? []))
  // A list also shows tasks from before the recording, which connect no calls. A later page depends on all tasks, and so does a whole list.
  const tied = (step: Step) => {
    if (!step.operation.endsWith('.list')) return step.tasks
    const before = pageOf(step).number > 1 || isWhole(step, steps) ? madeBefore(step, steps) : []
    return [...before.map(({ makes = '' }) => makes), ...step.tasks.filter(id => made.has(id))]
  }
  for (const step of steps) {
    const [first, ...others] = tied(step)
    for (const other of others) roots.set(rootOf(other), rootOf(first ?? other))
  }
  const jobs = new Map<string, Job>()
  for (const step of steps) {
    const [first] = tied(step)
    const name = first === undefined ? `alone ${step.number}` : rootOf(first)
    const job = jobs.get(name) ?? { steps: [] }
    job.steps.push(step)
    jobs.set(name, job)
  }
  return [...jobs.values()].map(job => ({ steps: inPossibleOrder(job.steps) }))
}

/** Whether a list shows all tasks that there were. Of a request that overlaps with others nobody knows which tasks there were. */
function isWhole(step: Step, steps: readonly Step[]): boolean {
  const { place, answeredBefore } = step
  const isAlone = steps.every(other => other.place <= place || other.answeredBefore > place)
  return answeredBefore === place && isAlone && isWholeList(step)
}

/** The calls that had made tasks of the same family with the same key when the list was requested. */
export function madeBefore({ family, place, entry }: Step, steps: readonly Step[]): Step[] {
  return steps.filter(
    step =>
      step.makes !== undefined &&
      step.family === family &&
      step.entry._gateway?.key === entry._gateway?.key &&
      step.place < place,
  )
}
