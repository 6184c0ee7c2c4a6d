import { parseDuration } from '../../emulator/words.ts'
import type { Trace } from '../../kits/views.ts'
import { type CallName, isSameCall, nameOfCall } from '../plan/case.ts'
import type { WorldObservation } from '../plan/observe.ts'
import { callsOf } from '../plan/plan.ts'
import { type NamedRule, ruleNames } from '../plan/scenario.ts'
import { billOf } from './bill.ts'
import { endingOf } from './ending.ts'
import { resultsOf, steppingOperations } from './results.ts'
import type { Judgement } from './row.ts'
import { newFindings } from './verdict.ts'
import { type Facts, levelOf } from './verdicts.ts'

/**
 * The judgement on a program that did not make the call which was to fail, although it does undisturbed. Undefined when that is no fault: an
 * earlier failure of the same run acted, or it has all its results without that call.
 */
export function notReachedOf(facts: Facts, absent: CallName): Judgement | undefined {
  const { observed, baseline, one } = facts
  if (absent !== one || callsOf(observed.requests).some(call => isSameCall(call, absent))) return undefined
  const steps = steppingOperations(baseline)
  const now = resultsOf(observed, steps)
  const before = resultsOf(baseline, steps)
  const { end, sentence, title, where } = endingOf(facts, { now, before })
  if (end === 'done') return undefined
  return {
    end,
    bill: billOf(facts, { now, before, isOver: false }).bill,
    verdict: 'not_reached',
    level: levelOf('not_reached'),
    evidence: `did not make the call ${nameOfCall(absent)}, which it makes undisturbed, although no failure had come: ${sentence}`,
    cause: {
      title: `ends otherwise than undisturbed before a failure has come: ${title}`,
      where: where ?? null,
    },
    findings: newFindings(observed, baseline),
  }
}

/** What a world shows of what acted. */
interface Shown {
  observed: Pick<WorldObservation, 'requests' | 'tasks'>
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
