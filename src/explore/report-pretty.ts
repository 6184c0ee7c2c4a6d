import { styleText } from 'node:util'
import { legend, matrixOf, type Paint } from './matrix.ts'
import { replayLine } from './replay.ts'
import { counted, nameOfRow, type Report, type Row, staleText, summaryOf, warningsOf } from './report.ts'
import { isProblem, type Verdict } from './verdict.ts'

const colours: Readonly<Record<Verdict, Parameters<typeof styleText>[0]>> = {
  recovered: 'green',
  told: 'gray',
  rude: 'yellow',
  false_success: 'red',
  hung: 'red',
  crashed: 'red',
  paid_twice: 'red',
  paid_for_nothing: 'red',
}

/** The report for a terminal: the matrix, and below it each problem with its evidence and the command that plays it again. */
export function prettyReport(report: Report, { isTerminal }: { isTerminal: boolean }): string {
  const paint: Paint = (text, verdict) =>
    isTerminal ? styleText(colours[verdict], text, { validateStream: false }) : text
  const parts = [
    `${counted(report.cases.length, 'case')} at ${counted(report.calls.length, 'call')} in ${seconds(report.ms)}`,
    ...(report.differs ? [`Note: ${report.differs}.`] : []),
    matrixOf(report, paint),
    legend,
    ...report.problems.map(row => problemText(report, { row, paint })),
    ...warningsOf(report).map(row => `${paint(row.verdict, 'rude')}  ${nameOfRow(row)}\n  ${row.evidence}`),
    ...acceptedText(report),
    notTriedText(report),
    summaryOf(report),
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

function problemText(report: Report, { row, paint }: { row: Row; paint: Paint }): string {
  const log = row.log === '' ? [] : row.log.split('\n').map(line => `  | ${line}`)
  return [
    `${paint(row.verdict, row.verdict)}  ${nameOfRow(row)}`,
    `  ${row.evidence}`,
    `  ${replayLine(report, row)}`,
    ...log,
  ].join('\n')
}

function acceptedText({ cases, stale }: Report): string[] {
  const known = cases.filter(({ accepted, verdict }) => accepted !== undefined && isProblem(verdict))
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
  const lines = [...reasons].map(([reason, what]) => `  ${reason}: ${what.join(', ')}`)
  return `Not tried:\n${lines.join('\n')}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
