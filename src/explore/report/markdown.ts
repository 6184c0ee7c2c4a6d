import { heardLines } from '../as/heard.ts'
import { causeText, countText } from '../judge/causes.ts'
import { callerOf, nameOfRow } from '../judge/row.ts'
import { patienceLines } from '../patience/patience.ts'
import { againLines } from './again.ts'
import { legendOf, matrixOf } from './matrix.ts'
import {
  billText,
  notesOf,
  type Report,
  replayLine,
  rowsOf,
  staleText,
  summaryOf,
  timeLine,
} from './report.ts'

/** The report as Markdown, for a pull request or a job summary. */
export function markdownReport(report: Report): string {
  const { problems, warnings, causes, totals, not_tried, stale, as, patience } = report
  const bill = billText(totals)
  const all = rowsOf(report)
  const reasons = causes.map(
    cause => `| ${cause.verdict} | ${cellText(causeText(cause))} | ${countText(cause, 'case')} |`,
  )
  const rows = [...problems, ...warnings].map(
    row => `| \`${nameOfRow(row)}\`${callerOf(row)} | ${row.verdict} | ${cellText(row.evidence)} |`,
  )
  const first = causes.flatMap(cause => all.find(row => nameOfRow(row) === cause.cases[0]) ?? [])
  const replays = first.map(row => replayLine(report, row))
  return [
    `## Explore: ${summaryOf(report)}`,
    timeLine(report),
    ...(bill === undefined ? [] : [`The failures ${bill}.`]),
    ...(as ? heardLines(as) : []),
    ...notesOf(report).map(note => `Note: ${note}.`),
    patience
      ? patienceLines(patience)
          .map(line => `- ${line}`)
          .join('\n')
      : ['```text', matrixOf(all), '', legendOf(all), '```'].join('\n'),
    ...(reasons.length > 0 ? [['| Verdict | Cause | Cases |', '|---|---|---|', ...reasons].join('\n')] : []),
    ...(rows.length > 0 ? [['| Case | Verdict | Evidence |', '|---|---|---|', ...rows].join('\n')] : []),
    ...(replays.length > 0 ? [['```sh', ...replays, '```'].join('\n')] : []),
    ...(report.again ? [['```text', ...againLines(report), '```'].join('\n')] : []),
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
