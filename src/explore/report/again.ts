import { counted } from '../judge/counted.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import type { Verdict } from '../judge/verdicts.ts'
import type { NotTried } from '../plan/plan.ts'

/** A problem or warning of an earlier report. */
export interface EarlierCase {
  /** `a.create#1 reply_lost`. */
  name: string
  verdict: Verdict
}

/** What became of a problem or warning of an earlier report. */
export interface AgainRow {
  /** Its name, such as `a.create#1 reply_lost`. */
  case: string
  /** `fixed`: it is neither a problem nor a warning now; `still`: it is one; `not_played`: nothing is known. */
  state: 'fixed' | 'still' | 'not_played'
  /** Its verdict in the earlier report. */
  was: Verdict
  /** Its verdict now; absent when it was not played. */
  now?: Verdict
  /** Why it was not played. */
  reason?: string
}

export function againOf(
  earlier: readonly EarlierCase[],
  {
    rows,
    notTried,
    unasked,
  }: { rows: readonly Row[]; notTried: readonly NotTried[]; unasked: readonly string[] },
): AgainRow[] {
  return earlier.map(({ name, verdict: was }) => {
    const row = rows.find(one => nameOfRow(one) === name)
    if (!row) {
      const reason =
        notTried.find(({ what }) => what === name)?.reason ??
        (name.split(' + ').some(part => unasked.includes(part))
          ? 'left out by --only or --skip'
          : 'the undisturbed run has no such case any more')
      return { case: name, state: 'not_played', was, reason }
    }
    if (row.verdict === 'not_reached' && was !== 'not_reached')
      return { case: name, state: 'not_played', was, now: row.verdict, reason: row.evidence }
    return { case: name, state: row.level === 'good' ? 'fixed' : 'still', was, now: row.verdict }
  })
}

/** `FIXED  a.get#1 unavailable: was uncaught, is recovered`, the open ones first; none without `--again`. */
export function againLines({ again }: { again?: readonly AgainRow[] }): string[] {
  if (again === undefined) return []
  if (again.length === 0)
    return ['The earlier report has no problem and no warning: nothing was played again']
  const signs = { still: 'STILL', not_played: 'NOT PLAYED', fixed: 'FIXED' } as const
  const of = (state: AgainRow['state']) => again.filter(row => row.state === state)
  const lines = [...of('still'), ...of('not_played'), ...of('fixed')].map(row => {
    const { was, now, reason } = row
    const is = reason ?? (now === was ? '' : `is ${now}`)
    return `${signs[row.state]}  ${row.case}: was ${was}${is === '' ? '' : `, ${is}`}`
  })
  return [
    ...lines,
    `Of ${counted(again.length, 'case')} of the earlier report: ${of('fixed').length} fixed, ${of('still').length} still, ${of('not_played').length} not played`,
  ]
}
