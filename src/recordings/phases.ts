import { at } from './json-path.ts'
import type { Seen } from './observed.ts'
import { rowsOf, type Step } from './steps.ts'

/** The three parts of a task's life, in their order. */
export const phases = ['queued', 'running', 'over'] as const
export type Phase = (typeof phases)[number]

/** What a reply tells about the state of a task without showing its record: the phases in which it can have been given. */
export interface Hint {
  step: Step
  at: number
  /** In the order of a task's life. */
  phases: readonly Phase[]
}

/** A task that was seen running less than this before a DELETE was accepted has hardly ended in between. Gateway milliseconds. */
const hardlyEnded = 1000

/** A task as the whole job shows it. */
export interface Shown {
  id: string
  seen: readonly Seen[]
  /** When a request found it no more; absent where none did. */
  goneAt: number | undefined
}

/** The hint that a step gives about a task; undefined where it gives none. */
export function hintOf(step: Step, task: Shown): Hint | undefined {
  const found = phasesAt(step, task)
  return found && { step, at: step.at, phases: found }
}

function phasesAt(step: Step, task: Shown): readonly Phase[] | undefined {
  const { id, seen } = task
  if (step.operation === 'b.cancel') return step.status < 300 ? ['queued'] : ['running', 'over']
  if (step.operation.endsWith('.delete')) return phasesAtDelete(step, task)
  if (step.operation.endsWith('.regenerate')) return phasesOfSource(step, id, seen)
  return step.operation.endsWith('.list') ? phasesOfUnlisted(step, id, seen) : undefined
}

/** Specification, "States and transitions"; A-delete, C-delete. */
function phasesAtDelete(step: Step, { seen, goneAt = 0 }: Shown): readonly Phase[] | undefined {
  const { status, family, reply } = step
  if (status >= 300) {
    if (family === 'special') return status === 501 ? ['queued', 'running'] : undefined
    const said = JSON.stringify(reply) ?? ''
    if (status === 404 || /invalid task_id|Cancelled/.test(said)) return undefined
    if (status === 409 || (family === 'c' && status === 400))
      return /running/i.test(said) ? ['running'] : ['running', 'over']
    return undefined
  }
  const action = at(reply, 'action')
  if (action === 'deleted' || goneAt > step.at) return ['over']
  const isCancelled = seen.some(one => one.at > step.at && one.status === 'cancelled')
  if (action === 'cancelled' || isCancelled) return ['queued']
  const ran = seen.findLast(one => one.at < step.at && one.status === 'running')
  return ran && step.at - ran.at < hardlyEnded ? ['queued'] : ['queued', 'over']
}

/** Only a task that has succeeded is made again. */
function phasesOfSource({ status, body, at: moment }: Step, id: string, seen: readonly Seen[]) {
  if (body.kind !== 'json' || at(body.value, 'source_task_id') !== id) return undefined
  if (status < 300) return ['over'] as const
  const succeedsLater = seen.some(one => one.at > moment && one.status === 'succeeded')
  return status === 400 && succeedsLater ? (['queued', 'running'] as const) : undefined
}

/** A task that a list of one state does not show was in another state, where the list shows all that there are. */
function phasesOfUnlisted({ reply, status, query }: Step, id: string, seen: readonly Seen[]) {
  const wanted = query.get('filter.status')
  const rows = rowsOf(reply)
  const isWhole =
    at(reply, 'total') === rows.length && [...query.keys()].every(key => /status|page/.test(key))
  if (status >= 300 || wanted === null || !isWhole) return undefined
  if (rows.some(row => at(row, 'id') === id || at(row, 'task_id') === id)) return undefined
  if (wanted === 'queued') return ['running', 'over'] as const
  if (wanted === 'running') return ['queued', 'over'] as const
  return seen.some(one => one.word === wanted) ? (['queued', 'running'] as const) : undefined
}
