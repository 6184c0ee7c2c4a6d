import { nameOfRow, type Report, staleText, summaryOf, warningsOf } from './report.ts'

/** The report as annotations of a GitHub workflow: an error for each problem, a warning for each rude case. */
export function githubReport(report: Report): string {
  const { problems, not_tried, differs, stale } = report
  const lines = [
    ...problems.map(row =>
      annotation('error', { title: `${row.verdict}: ${nameOfRow(row)}`, text: row.evidence }),
    ),
    ...warningsOf(report).map(row =>
      annotation('warning', { title: `rude: ${nameOfRow(row)}`, text: row.evidence }),
    ),
    ...(differs ? [annotation('notice', { title: 'explore: note', text: differs })] : []),
    ...stale.map(one =>
      annotation('notice', { title: 'explore: accepted, but it no longer occurs', text: staleText(one) }),
    ),
    annotation('notice', {
      title: 'explore',
      text: `${summaryOf(report)}; ${not_tried.length} not tried`,
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
