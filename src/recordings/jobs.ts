import { pageOf } from './list-rows.ts'
import { inPossibleOrder } from './possible-order.ts'
import type { Step } from './steps.ts'

/** Requests that have to be made again together: those about one task, and about all tasks that one of them names too. */
export interface Job {
  steps: Step[]
}

/** Groups the calls of a recording into jobs, in the order of their first calls. A call that names no task is a job of its own. */
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
  // A list names tasks from before the recording as well; those tie nothing together. What is on a later page depends on all tasks.
  const tied = (step: Step) => {
    if (!step.operation.endsWith('.list')) return step.tasks
    const before = pageOf(step).number > 1 ? madeBefore(step, steps) : []
    return [...before, ...step.tasks.filter(id => made.has(id))]
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

/** The tasks of the same family that the recording's account had made when a list was asked for. */
function madeBefore({ family, place, entry }: Step, steps: readonly Step[]): string[] {
  return steps.flatMap(step => {
    const isSame = step.family === family && step.entry._gateway?.key === entry._gateway?.key
    return isSame && step.place < place ? (step.makes ?? []) : []
  })
}
