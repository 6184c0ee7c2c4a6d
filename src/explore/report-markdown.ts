import { legend, matrixOf } from './matrix.ts'
import { replayLine } from './replay.ts'
import { nameOfRow, type Report, staleText, summaryOf } from './report.ts'

/** The report as Markdown, for a pull request or a job summary. */
export function markdownReport(report: Report): string {
  const { problems, not_tried, differs, stale } = report
  const rows = problems.map(row => `| \`${nameOfRow(row)}\` | ${row.verdict} | ${cellText(row.evidence)} |`)
  const replays = problems.map(row => replayLine(report, row))
  return [
    `## Explore: ${summaryOf(report)}`,
    ...(differs ? [`Note: ${differs}.`] : []),
    ['```text', matrixOf(report), '', legend, '```'].join('\n'),
    ...(rows.length > 0 ? [['| Case | Verdict | Evidence |', '|---|---|---|', ...rows].join('\n')] : []),
    ...(replays.length > 0 ? [['```sh', ...replays, '```'].join('\n')] : []),
    ...(stale.length > 0
      ? [`Accepted, but it no longer occurs:\n\n${stale.map(one => `- ${staleText(one)}`).join('\n')}`]
      : []),
    ...(not_tried.length > 0
      ? [`Not tried:\n\n${not_tried.map(({ what, reason }) => `- ${what}: ${reason}`).join('\n')}`]
      : []),
    '',
  ].join('\n\n')
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
