import { counted, rounded } from '../judge/counted.ts'
import type { Row } from '../judge/row.ts'
import { type Verdict, verdicts } from '../judge/verdicts.ts'

/** What the explored failures cost, and how many cases had each verdict. */
export type Totals = { bill: BillTotals } & Partial<Record<Verdict, number>>

/** Sums over all cases, in credits. */
export interface BillTotals {
  /** The sum of `lost` in the bills. */
  lost: { credits: number; cases: number }
  /** Settled above the sum of the undisturbed run, where tasks were paid for again. */
  twice: { credits: number; cases: number }
}

/** The totals of some cases, the bill first, then the verdicts, the worst first. */
export function totalsOf(cases: readonly Row[]): Totals {
  const played = cases.filter(({ verdict }) => verdict !== 'not_reached')
  const lost = played.filter(({ bill }) => bill.lost > 0)
  const twice = played.filter(({ bill }) => bill.verdict === 'twice' && !bill.is_expected)
  const counts = verdicts.map(
    verdict => [verdict, cases.filter(row => row.verdict === verdict).length] as const,
  )
  return {
    bill: {
      lost: { credits: sum(lost.map(({ bill }) => bill.lost)), cases: lost.length },
      twice: { credits: sum(twice.map(({ bill }) => bill.settled - bill.undisturbed)), cases: twice.length },
    },
    ...Object.fromEntries(counts.filter(([, count]) => count > 0)),
  }
}

/** What some cases cost more than they should, in credits. */
export function costOf(cases: readonly Row[]): number {
  const { lost, twice } = totalsOf(cases).bill
  return lost.credits + twice.credits
}

function sum(amounts: readonly number[]): number {
  return rounded(amounts.reduce((total, amount) => total + amount, 0))
}

/** `lost 36 credits in 6 cases, paid 12 twice in 2`; undefined when no case cost more than it should. */
export function billText({ bill: { lost, twice } }: Totals): string | undefined {
  const parts = [
    ...(lost.cases > 0 ? [`lost ${lost.credits} credits in ${counted(lost.cases, 'case')}`] : []),
    ...(twice.cases > 0 ? [twiceText(twice, lost.cases > 0)] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : undefined
}

function twiceText({ credits, cases }: BillTotals['twice'], isSecond: boolean): string {
  return isSecond
    ? `paid ${credits} twice in ${cases}`
    : `paid ${credits} credits twice in ${counted(cases, 'case')}`
}
