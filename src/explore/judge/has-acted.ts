import { parseDuration } from '../../emulator/words.ts'
import type { Trace } from '../../kits/views.ts'
import type { Observed } from '../plan/observe.ts'
import { type NamedRule, ruleNames } from '../plan/scenario.ts'

/** What a world shows of what acted. */
interface Shown {
  observed: Pick<Observed, 'requests' | 'tasks'>
  trace: Pick<Trace, 'attempts' | 'incomplete'>
}

/**
 * Whether one of these rules did to a request all that it says. A tag in the prompt and the header of a scenario come before the
 * rules of the world, so that a rule which matched may have changed nothing. Of a run too long for a whole trace the name is enough.
 */
export function hasActed(rules: readonly NamedRule[], { observed, trace }: Shown): boolean {
  const calls = trace.attempts.flatMap(attempt => attempt.calls)
  const matched = [...observed.requests, ...observed.tasks].flatMap(ruleNames)
  return rules.some(
    ({ name, then }) =>
      (trace.incomplete !== undefined && matched.includes(name)) ||
      calls.some(call => ruleNames(call).includes(name) && holds(call.effect, then)),
  )
}

/** Whether what acted has all that a rule names. A word such as `hang` is the key of an object there. */
function holds(acted: unknown, named: unknown): boolean {
  if (typeof acted === 'object' && acted !== null)
    return typeof named === 'object' && named !== null
      ? Object.entries(named).every(([key, value]) => holds((acted as Record<string, unknown>)[key], value))
      : String(named) in acted
  const ms = parseDuration(named)
  return acted === named || (ms !== undefined && ms === parseDuration(acted))
}
