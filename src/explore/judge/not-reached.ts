import { type CallName, isSameCall, nameOfCall } from '../plan/case.ts'
import { callsOf } from '../plan/plan.ts'
import { billOf } from './bill.ts'
import { endingOf } from './ending.ts'
import type { Facts } from './facts.ts'
import { resultsOf, steppingOperations } from './results.ts'
import type { Judgement } from './row.ts'
import { newFindings } from './verdict.ts'
import { levels } from './verdicts.ts'

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
    level: levels.not_reached,
    evidence: `did not make the call ${nameOfCall(absent)}, which it makes undisturbed, although no failure had come: ${sentence}`,
    cause: {
      title: `ends otherwise than undisturbed before a failure has come: ${title}`,
      where: where ?? null,
    },
    findings: newFindings(observed, baseline),
  }
}
