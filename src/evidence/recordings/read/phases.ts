import type { Status } from '../../../emulator/words.ts'
import { at } from '../../spec/json.ts'
import { factsOf } from '../operation.ts'
import { rowsOf, type Step } from './steps.ts'

/** A task in one reply. */
export interface Seen {
  step: Step
  /** Virtual milliseconds after the recording's first entry. */
  at: number
  /** The family's word. */
  word: string
  status: Status
  record: Record<string, unknown>
}

/** The three phases of a task's life, in order. */
export const phases = ['queued', 'running', 'over'] as const
export type Phase = (typeof phases)[number]

/** What a reply shows about a task's state without its record: the phases in which the gateway gives such a reply. */
export interface Hint {
  step: Step
  at: number
  /** In the order of a task's life. */
  phases: readonly Phase[]
}

/** When a task was running this short a time before an accepted DELETE, it probably had not ended. Gateway milliseconds. */
const hardlyEnded = 1000

/** What the whole job shows of a task. */
export interface Shown {
  id: string
  seen: readonly Seen[]
  /** When a request did not find it, or a list left it out; absent when every request found it. */
  goneAt: number | undefined
}

/** The phases that a step allows for a task; undefined when it shows nothing about it. */
export function hintOf(step: Step, task: Shown): Hint | undefined {
  const found = phasesAt(step, task)
  return found && { step, at: step.at, phases: found }
}

function phasesAt(step: Step, task: Shown): readonly Phase[] | undefined {
  const { id, seen } = task
  if (step.operation.endsWith('.cancel')) return step.status < 300 ? ['queued'] : ['running', 'over']
  if (step.operation.endsWith('.delete')) return phasesAtDelete(step, task)
  if (step.operation.endsWith('.regenerate')) return phasesOfSource(step, id, seen)
  return step.operation.endsWith('.list') ? phasesOfUnlisted(step, id, seen) : undefined
}

function phasesAtDelete(step: Step, { seen, goneAt = 0 }: Shown): readonly Phase[] | undefined {
  const { status, family, reply } = step
  if (status >= 300) {
    const said = JSON.stringify(reply) ?? ''
    const refused = factsOf(family).refusesDelete
    if (status !== refused?.status || /invalid task_id|Cancelled/.test(said)) return undefined
    const [only, other] = refused.live
    return other !== undefined || only === undefined || /running/i.test(said) ? refused.live : [only, 'over']
  }
  const action = at(reply, 'action')
  if (action === 'deleted' || goneAt > step.at) return ['over']
  const isCancelled = seen.some(one => one.at > step.at && one.status === 'cancelled')
  if (action === 'cancelled' || isCancelled) return ['queued']
  const ran = seen.findLast(one => one.at < step.at && one.status === 'running')
  return ran && step.at - ran.at < hardlyEnded ? ['queued'] : ['queued', 'over']
}

/** Only a succeeded task can be regenerated. */
function phasesOfSource({ status, body, at: moment }: Step, id: string, seen: readonly Seen[]) {
  if (body.kind !== 'json' || at(body.value, 'source_task_id') !== id) return undefined
  if (status < 300) return ['over'] as const
  const succeedsLater = seen.some(one => one.at > moment && one.status === 'succeeded')
  return status === 400 && succeedsLater ? (['queued', 'running'] as const) : undefined
}

/** A complete list of one state shows every task in it: a task that is not in the list was in another state. */
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
