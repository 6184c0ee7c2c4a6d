import { type CauseEntry, causeText, countText } from '../judge/causes.ts'
import { nameOfRow } from '../judge/row.ts'
import { patienceLines } from '../patience/words.ts'
import { notesOf } from './notes.ts'
import { failuresIn, type Report, rowsOf, staleText, summaryOf } from './report.ts'
import { billText } from './totals.ts'

/** The report as annotations of a GitHub workflow: an error for each cause that fails it and each need that is not met, a warning for each other cause. */
export function githubReport(report: Report): string {
  const { causes, not_tried, patience, stale, totals } = report
  const bill = billText(totals)
  const lines = [
    ...causes.map(cause => annotationOf(report, cause)),
    ...(patience?.needs ?? [])
      .filter(({ is_met }) => !is_met)
      .map(({ need, text }) => annotation('error', { title: `not met: ${need}`, text })),
    ...(patience
      ? [annotation('notice', { title: 'patience', text: patienceLines(patience).join('\n') })]
      : []),
    ...notesOf(report).map(text => annotation('notice', { title: 'explore: note', text })),
    ...stale.map(one =>
      annotation('notice', { title: 'explore: accepted, but it no longer occurs', text: staleText(one) }),
    ),
    annotation('notice', {
      title: 'explore',
      text: `${summaryOf(report)}${bill === undefined ? '' : `; ${bill}`}; ${not_tried.length} not tried`,
    }),
  ]
  return `${lines.join('\n')}\n`
}

function annotationOf(report: Report, cause: CauseEntry): string {
  const [first = '', ...others] = cause.cases
  const row = rowsOf(report).find(one => nameOfRow(one) === first)
  const alike = (cause.verdicts[cause.verdict] ?? 1) - 1
  const isFailure = failuresIn(report).some(one => cause.cases.includes(nameOfRow(one)))
  return annotation(isFailure ? 'error' : 'warning', {
    title: `${cause.verdict}: ${first}${alike === 0 ? '' : ` and ${alike} more`}`,
    text: [
      row?.evidence ?? '',
      `Cause: ${causeText(cause)}, ${countText(cause, 'case')}`,
      ...(others.length === 0 ? [] : [`Also: ${others.join(', ')}`]),
    ].join('\n'),
  })
}

function annotation(
  level: 'error' | 'warning' | 'notice',
  { title, text }: { title: string; text: string },
): string {
  const property = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${level} title=${property}::${escaped(text)}`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
