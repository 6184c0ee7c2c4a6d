import { nameOfRow, type Report } from './report.ts'

/** The report as annotations of a GitHub workflow: an error for each problem, a warning for each rude case. */
export function githubReport({ problems, cases, not_tried }: Report): string {
  const warnings = cases.filter(({ verdict, accepted }) => verdict === 'rude' && accepted === undefined)
  const lines = [
    ...problems.map(row =>
      annotation('error', { title: `${row.verdict}: ${nameOfRow(row)}`, text: row.evidence }),
    ),
    ...warnings.map(row => annotation('warning', { title: `rude: ${nameOfRow(row)}`, text: row.evidence })),
    annotation('notice', {
      title: 'explore',
      text: `${problems.length} problems in ${cases.length} cases; ${not_tried.length} not tried`,
    }),
  ]
  return `${lines.join('\n')}\n`
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
