import { distance } from 'fastest-levenshtein'
import { shown } from '../http/errors.ts'
import { isAmong } from '../scenarios/amounts.ts'
import { checkWhenShape } from '../scenarios/check.ts'
import type { Condition, When } from '../scenarios/conditions/condition.ts'
import { readWhen } from '../scenarios/conditions/index.ts'
import type { RequestFacts } from '../scenarios/request-facts.ts'
import { ScenarioError, type Steps } from '../scenarios/scenario-error.ts'
import type { Entry } from '../worlds/journal.ts'
import type { World } from '../worlds/world.ts'
import { entryFacts } from './entry-facts.ts'

/** Which requests a verification asks for. */
export interface Wanted {
  when: When
  /** The operation as it was asked for, for messages. */
  operation: unknown
  status?: number
  text: string
}

/** Why an entry is not what was wanted, and how far it is off. */
export interface Misses {
  reasons: string[]
  /** 0 = everything fits. */
  distance: number
}

/** Reads a matcher: as `when` in scenario rules, and also `status`. Throws ScenarioError. */
export function readWanted(value: unknown, steps: Steps): Wanted {
  const { status, ...rest } = Object(value) as Record<string, unknown>
  try {
    const source = checkWhenShape(typeof value === 'object' && !Array.isArray(value) ? rest : value)
    if (source.probability !== undefined)
      throw new ScenarioError('a request that has been made is not left to chance', {
        steps: ['probability'],
        hint: 'leave it out',
      })
    if (status !== undefined && !Number.isInteger(status))
      throw new ScenarioError(`${shown(status)} is not a status such as 200`, { steps: ['status'] })
    const when = readWhen(source, [])
    const text = shown(value)
    return {
      when,
      operation: source.operation,
      text,
      ...(status !== undefined && { status: Number(status) }),
    }
  } catch (error) {
    throw error instanceof ScenarioError ? error.below(steps) : error
  }
}

/** The entries that are what is wanted, in order. `call` counts those that fit all else, as rules count. */
export function hitsAmong(world: World, entries: readonly Entry[], wanted: Wanted): Entry[] {
  let call = 0
  return entries.filter(entry => {
    if (!isHit(world, entry, wanted)) return false
    call++
    return !wanted.when.calls || isAmong(wanted.when.calls, call)
  })
}

/** Whether an entry is what is wanted, whatever the number of its call. */
export function isHit(world: World, entry: Entry, wanted: Wanted): boolean {
  return wanted.when.operations.has(entry.operation) && missesOf(world, entry, wanted).distance === 0
}

/** Field by field, why an entry is not what is wanted; `call` is left out, since it says nothing of the entry itself. */
export function missesOf(world: World, entry: Entry, wanted: Wanted): Misses {
  const { when, operation, status } = wanted
  const facts = entryFacts(world, entry)
  const labelOf = (id: string) => world.state.tasks.get(id)?.label
  const misses: Misses = { reasons: [], distance: 0 }
  const miss = (reason: string, distance: number) => {
    misses.reasons.push(reason)
    misses.distance += distance
  }
  // A request of another operation is a different thing altogether, so it lies further off.
  if (!when.operations.has(entry.operation))
    miss(`operation: wanted ${shown(operation)}, was ${shown(entry.operation)}`, 2)
  for (const condition of when.conditions) {
    if (!condition.holds(facts, labelOf)) miss(conditionMiss(condition, facts), nearness(condition, facts))
  }
  if (status !== undefined && entry.status !== status)
    miss(`status: wanted ${status}, was ${entry.status}`, 1)
  const elapsedMs = entry.at - world.state.head.openedAt
  if (when.during && !(elapsedMs >= when.during.fromMs && elapsedMs < when.during.toMs))
    miss(`during: came ${elapsedMs} ms after the world opened`, 1)
  return misses
}

function conditionMiss({ field, asked, found }: Condition, facts: RequestFacts): string {
  const value = found(facts)
  // Keys are masked wherever the journal is shown.
  const isSecret = /^key$|authorization/i.test(field)
  const was = value === undefined ? 'absent' : isSecret ? 'another one' : shown(value)
  return `${field}: wanted ${wantedText(asked)}, was ${was}`
}

function wantedText(asked: unknown): string {
  if (typeof asked !== 'object' || asked === null) return shown(asked)
  return Object.entries(asked)
    .map(([test, value]) => `${test} ${shown(value)}`)
    .join(' and ')
}

/** Above 0 and at most 1: texts that nearly agree are nearer than others. */
function nearness({ asked, found }: Condition, facts: RequestFacts): number {
  const value = found(facts)
  if (value === undefined) return 1
  const [wanted] = typeof asked === 'object' && asked !== null ? Object.values(asked) : [asked]
  if (typeof wanted !== 'string' || typeof value !== 'string') return 0.9
  const [one, other] = [wanted.slice(0, 200), value.slice(0, 200)]
  return 0.1 + 0.8 * (distance(one, other) / Math.max(one.length, other.length, 1))
}
