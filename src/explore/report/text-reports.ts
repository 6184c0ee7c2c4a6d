import { styleText } from 'node:util'
import { proxyLines } from '../as/proxy-observation.ts'
import { type CauseEntry, causeText, countText } from '../judge/causes.ts'
import { counted } from '../judge/counted.ts'
import { callerOf, nameOfRow, reusedText } from '../judge/row.ts'
import type { Level } from '../judge/verdicts.ts'
import { patienceLines } from '../patience/patience.ts'
import { againLines } from './again.ts'
import { coverageLines } from './coverage.ts'
import { legendOf, matrixOf, type Paint } from './matrix.ts'
import {
  billText,
  namesText,
  notesOf,
  playedCounts,
  playedText,
  type Report,
  replayLine,
  rowsOf,
  seconds,
  staleText,
  summaryOf,
  timeLine,
} from './report.ts'

const colours: Readonly<Record<Level, Parameters<typeof styleText>[0]>> = {
  problem: 'red',
  warning: 'yellow',
  good: 'green',
}

/** The report for a terminal: the matrix, the bill, and below each cause with its evidence and the command that plays one of its cases again. */
export function prettyReport(report: Report, { isTerminal }: { isTerminal: boolean }): string {
  const paint: Paint = (text, { level, verdict }) =>
    isTerminal
      ? styleText(verdict === 'told' ? 'gray' : colours[level], text, { validateStream: false })
      : text
  const bill = billText(report.totals)
  const rows = rowsOf(report)
  const parts = [
    `${report.patience ? 'Patience' : playedLine(report)} at ${counted(report.calls.length, 'call')} in ${seconds(report.ms)}`,
    timeLine(report),
    ...(report.as ? proxyLines(report.as) : []),
    ...notesOf(report).map(note => `Note: ${note}.`),
    ...(report.patience
      ? [patienceLines(report.patience).join('\n')]
      : [matrixOf(rows, paint), legendOf(rows)]),
    ...(bill === undefined ? [] : [`Bill: ${bill}`]),
    ...report.causes.map(cause => textOf(cause, { report, paint })),
    ...acceptedText(report),
    notTriedText(report),
    coverageLines(report).join('\n'),
    againLines(report).join('\n'),
    ...(report.patience ? [] : bill === undefined ? [summaryOf(report)] : [`${summaryOf(report)}: ${bill}`]),
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

/** `18 of 48 cases played,`, or `48 cases`. */
function playedLine(report: Report): string {
  const { played, planned } = playedCounts(report)
  return played === planned ? playedText(report) : `${playedText(report)} played,`
}

function textOf(cause: CauseEntry, { report, paint }: { report: Report; paint: Paint }): string {
  const [first = '', ...others] = cause.cases
  const row = rowsOf(report).find(one => nameOfRow(one) === first)
  if (!row) return ''
  const log =
    row.log === '' || cause.level !== 'problem' ? [] : row.log.split('\n').map(line => `  | ${line}`)
  return [
    `${paint(cause.verdict, cause)}  ${causeText(cause)}, ${countText(cause, row.lives ? 'point' : 'case')}`,
    `  ${first}${callerOf(row)}${reusedText(row)}: ${row.evidence}`,
    ...(others.length > 0 ? [`  also ${namesText(others)}`] : []),
    `  ${replayLine(report, row)}`,
    ...log,
  ].join('\n')
}

function acceptedText(report: Report): string[] {
  const { stale } = report
  const known = rowsOf(report).filter(({ accepted, level }) => accepted !== undefined && level !== 'good')
  return [
    ...(known.length > 0
      ? [`Known:\n${known.map(row => `  ${nameOfRow(row)} ${row.verdict}: ${row.accepted}`).join('\n')}`]
      : []),
    ...(stale.length > 0
      ? [`Accepted, but it no longer occurs:\n${stale.map(one => `  ${staleText(one)}`).join('\n')}`]
      : []),
  ]
}

function notTriedText({ not_tried }: Report): string {
  if (not_tried.length === 0) return ''
  const reasons = new Map<string, string[]>()
  for (const { what, reason } of not_tried) reasons.set(reason, [...(reasons.get(reason) ?? []), what])
  const lines = [...reasons].map(([reason, what]) => `  ${reason}: ${namesText(what)}`)
  return `Not tried:\n${lines.join('\n')}`
}

/** The report as Markdown, for a pull request or a job summary. */
export function markdownReport(report: Report): string {
  const { problems, warnings, causes, totals, not_tried, stale, as, patience } = report
  const bill = billText(totals)
  const all = rowsOf(report)
  const reasons = causes.map(
    cause => `| ${cause.verdict} | ${cellText(causeText(cause))} | ${countText(cause, 'case')} |`,
  )
  const rows = [...problems, ...warnings].map(
    row =>
      `| \`${nameOfRow(row)}\`${callerOf(row)}${reusedText(row)} | ${row.verdict} | ${cellText(row.evidence)} |`,
  )
  const first = causes.flatMap(cause => all.find(row => nameOfRow(row) === cause.cases[0]) ?? [])
  const replays = first.map(row => replayLine(report, row))
  return [
    `## Explore: ${summaryOf(report)}`,
    timeLine(report),
    ...(bill === undefined ? [] : [`The failures ${bill}.`]),
    ...(as ? proxyLines(as) : []),
    ...notesOf(report).map(note => `Note: ${note}.`),
    patience
      ? patienceLines(patience)
          .map(line => `- ${line}`)
          .join('\n')
      : ['```text', matrixOf(all), '', legendOf(all), '```'].join('\n'),
    ...(reasons.length > 0 ? [['| Verdict | Cause | Cases |', '|---|---|---|', ...reasons].join('\n')] : []),
    ...(rows.length > 0 ? [['| Case | Verdict | Evidence |', '|---|---|---|', ...rows].join('\n')] : []),
    ...(replays.length > 0 ? [['```sh', ...replays, '```'].join('\n')] : []),
    ...(report.coverage ? [['```text', ...coverageLines(report), '```'].join('\n')] : []),
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
