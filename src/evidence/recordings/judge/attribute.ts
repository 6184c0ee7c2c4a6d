import type { Job, Step } from '../read/steps.ts'
import type { Replay } from '../replay/replay.ts'
import { assumptionOf } from './assumption-of.ts'
import type { Check } from './check.ts'
import { isOfSpecification, judgeRows, refusesWithout } from './judge-rows.ts'

/** A comparison with the row that it belongs to. */
export interface Attributed extends Check {
  row: string | undefined
  /** For a difference: rows that hold at the same place, and are not confirmed while it differs. */
  spoils: readonly string[]
}

/**
 * Gives each comparison to its row. A row of the specification that replies show is confirmed and contradicted by its predicate
 * only; a difference that breaks no predicate belongs to the assumption about the value, or to no row.
 */
export function attribute(
  { job, made, hasWorked }: { job: Job; made: Replay; hasWorked(step: Step): boolean },
  checks: readonly Check[],
): Attributed[] {
  const judged = judgeRows(job, made, hasWorked)
  const stated = judged.filter(isStated)
  const broken = [...stated, ...checks.filter(isStated)].filter(({ isAlike }) => !isAlike)
  const compared = checks.flatMap((check): Attributed[] => {
    // A planned refusal is like the recorded one because it was made so.
    if (check.isAlike && made.refusals.has(check.step)) return []
    const claimed = assumptionOf(check, made.replies.get(check.step))
    const row = check.rule ?? claimed?.row
    // Only its predicate, or a check that names it, confirms and contradicts a row of the specification.
    const own = check.rule === undefined && row !== undefined && isOfSpecification(row) ? undefined : row
    if (check.isAlike)
      return row === own && !isExplained(check, row, stated)
        ? [
            {
              ...check,
              row,
              ...(check.rule === undefined && claimed && { shows: [claimed.column] }),
              spoils: [],
            },
          ]
        : []
    if (!isStated(check) && broken.some(one => isSamePlace(one, check))) return []
    const spoils = stated.filter(one => isSamePlace(one, check)).map(({ rule }) => rule ?? '')
    return [{ ...check, row: own, spoils }]
  })
  const rows = judged.map(check => {
    const others = stated.filter(
      one => one.step === check.step && isOnePlace(one, check) && one.path === check.path,
    )
    const isSpoiling = !check.isAlike && !stated.includes(check)
    return { ...check, row: check.rule, spoils: isSpoiling ? others.map(({ rule }) => rule ?? '') : [] }
  })
  return [...rows, ...compared]
}

function isStated({ rule = '' }: Check): boolean {
  return isOfSpecification(rule)
}

/** Whether a row of the specification says by itself why a request is refused. Then the refusal confirms no assumption. */
function isExplained(check: Check, assumption: string | undefined, stated: readonly Check[]): boolean {
  const { aspect, path, rule, step } = check
  return (
    rule === undefined &&
    (aspect === 'status' || path === 'error.param') &&
    stated.some(
      one =>
        one.step === step &&
        step.status >= 400 &&
        one.place === 'status' &&
        refusesWithout(assumption, one.rule),
    )
  )
}

/** Whether two comparisons of one request are about one field, or about a field and the object that contains it. */
function isSamePlace(one: Check, other: Check): boolean {
  if (one.step !== other.step || !isOnePlace(one, other)) return false
  return (
    one.path === other.path ||
    one.path.startsWith(`${other.path}.`) ||
    one.path.startsWith(`${other.path}[]`) ||
    other.path.startsWith(`${one.path}.`) ||
    other.path.startsWith(`${one.path}[]`)
  )
}

function isOnePlace({ place = 'body' }: Check, other: Check): boolean {
  return place === (other.place ?? 'body')
}
