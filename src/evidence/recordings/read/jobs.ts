import { isWholeList, pageOf } from './list-rows.ts'
import { observedTasks } from './observed.ts'
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
function inPossibleOrder(steps: readonly Step[]): Step[] {
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
