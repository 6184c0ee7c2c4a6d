import { isObject } from '../../spec/json.ts'
import { type Observed, recordsIn } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import { lifeOf } from '../read/task-life.ts'
import type { Check } from './check.ts'

/** Checks that the moments of recorded tasks have the order of a task's life. */
export function checkMoments(step: Step): Check[] {
  return recordsIn(step).flatMap(([, record]) => {
    const { createdAt, startedAt, changedAt } = lifeOf(record)
    const told = [createdAt, startedAt, changedAt].filter(moment => moment !== undefined)
    const name = names.find(one => one in record)
    if (told.length < 2 || name === undefined || step.operation === 'image.generate') return []
    const isAlike = told.every((moment, index) => index === 0 || moment >= (told[index - 1] ?? 0))
    const recorded = isAlike ? 'in order' : 'before the task was made'
    const path = step.family === 'b' ? `output.${name}` : `${wrapped(step)}${name}`
    return [{ step, aspect: 'format' as const, path, recorded, emulated: 'in order', isAlike }]
  })
}

const names = ['updated_at', 'update_time', 'end_time', 'scheduled_time']

function wrapped({ operation, family }: Step): string {
  if (family === 'k') return 'data.'
  return operation.endsWith('.list') ? 'items.' : ''
}

/** Records have whole seconds, and a poll takes some time. Milliseconds. */
const edgeMs = 2000

/** Specification, "States and transitions": a task of family A that has not ended at its expiry is expired from then on. */
export function checkExpiry({ makes, seen, family }: Observed): Check[] {
  if (family !== 'a' || !makes) return []
  return seen.flatMap(({ step, at, status, word, record }) => {
    const expiresAfter = record.execution_expires_after
    if (typeof expiresAfter !== 'number' || !isObject(record)) return []
    const { createdAt, changedAt } = lifeOf(record)
    const isLive = status === 'queued' || status === 'running'
    const livedMs = isLive
      ? at - makes.at - step.within - makes.within
      : (changedAt ?? Number.NaN) - (createdAt ?? Number.NaN)
    if (status === 'cancelled' || Number.isNaN(livedMs)) return []
    const isPast =
      livedMs > expiresAfter * 1000 + (isLive ? edgeMs : 0) || (!isLive && livedMs === expiresAfter * 1000)
    const isEarly = status === 'expired' && livedMs < expiresAfter * 1000
    if (!isPast && !isEarly) return []
    const check = { step, aspect: 'order' as const, path: 'state', recorded: word }
    const emulated = isEarly ? 'no end yet' : 'expired'
    const isAlike = status === 'expired' && !isEarly
    return ['a.create.expiry-expires', 'a.states.expire'].map(rule => ({ ...check, emulated, isAlike, rule }))
  })
}
