import { globPattern } from '../../emulator/words.ts'
import type { Row } from '../judge/row.ts'
import type { Bill, End, Verdict } from '../judge/verdicts.ts'
import { isCall } from '../plan/case.ts'

/** What is known about a case. Each given axis must be as in the row. */
export interface AcceptedCase {
  /** An operation, or a call such as `a.create#1`; `*` matches any characters. */
  operation: string
  /** The failure, such as `reply_lost`. */
  id: string
  /** The headline. */
  verdict?: Verdict
  /** How the program ends. */
  end?: End
  /** What it costs. */
  bill?: Bill['verdict']
}

/** A known problem: one case, or all cases of one cause. */
export type Accepted = (AcceptedCase | { cases: readonly AcceptedCase[] }) & {
  /** The cause, for those who read the file. */
  cause?: string
  /** Why it is accepted. */
  reason?: string
}

/** A known problem, with the reason. */
export type KnownProblem = AcceptedCase & { reason: string }

export function knownCases(known: readonly Accepted[]): KnownProblem[] {
  return known.flatMap(entry => {
    const { reason = 'accepted' } = entry
    return ('cases' in entry ? entry.cases : [entry]).map(({ operation, id, verdict, end, bill }) => ({
      operation,
      id,
      ...(verdict && { verdict }),
      ...(end && { end }),
      ...(bill && { bill }),
      reason,
    }))
  })
}

/** Whether a row is accepted: operation, failure and each given axis agree. */
export function isAccepted(row: Row, { operation, id, verdict, end, bill }: AcceptedCase): boolean {
  return (
    isCall(operation, row) &&
    globPattern(id).test(row.id) &&
    (verdict ?? row.verdict) === row.verdict &&
    (end ?? row.end) === row.end &&
    (bill ?? row.bill.verdict) === row.bill.verdict
  )
}

/** Whether a known problem is about the case with this name, such as `a.create#1 reply_lost`. */
export function isNamed(name: string, { operation, id }: AcceptedCase): boolean {
  const [, called = '', nth, failure = ''] = /^(.+)#(\d+) (\S+)/.exec(name) ?? []
  return isCall(operation, { operation: called, nth: Number(nth) }) && globPattern(id).test(failure)
}

/** The reason of the first known problem that a row agrees with; undefined when there is none. */
export function knownReason(row: Row, known: readonly Accepted[]): string | undefined {
  return knownCases(known).find(one => isAccepted(row, one))?.reason
}
