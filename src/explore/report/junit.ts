import { escaped } from '../../emulator/words.ts'
import { causeText } from '../judge/causes.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import type { NeedResult } from '../patience/patience.ts'
import type { NotTried } from '../plan/plan.ts'
import { failuresIn, playedText, type Report, rowsOf } from './report.ts'

/** The report as JUnit XML: one test case a case, or a need of patience, and a failure for each that fails the report. A case that was not tried, or whose call was not reached, is skipped. */
export function junitReport(report: Report): string {
  const cases = rowsOf(report)
  const failures = failuresIn(report)
  const { needs = [] } = report.patience ?? {}
  const left = report.not_tried.filter(({ kind }) => kind === 'case')
  const outside = cases.filter(row => skippedAs(row, failures) !== undefined)
  const counts = [
    `tests="${cases.length + left.length + needs.length}"`,
    `failures="${failures.length + needs.filter(({ is_met }) => !is_met).length}"`,
    `skipped="${outside.length + left.length}"`,
    `time="${report.ms / 1000}"`,
  ].join(' ')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="explore" ${counts}>`,
    ...(report.patience
      ? []
      : [`    <properties><property name="played" value="${escaped(playedText(report))}"/></properties>`]),
    ...cases.map(row => testCase(row, failures)),
    ...left.map(testNotTried),
    ...needs.map(testOfNeed),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testNotTried({ what, reason }: NotTried): string {
  const head = `    <testcase classname="${escaped(what.split('#', 1)[0] ?? '')}" name="${escaped(what)}"`
  return `${head}><skipped message="${escaped(`not tried: ${reason}`)}"/></testcase>`
}

/** Why a row is no test that passed or failed: its problem is known, or the failure was not reached. */
function skippedAs(row: Row, failures: readonly Row[]): string | undefined {
  const { level, accepted, verdict, evidence } = row
  if (level !== 'good' && accepted !== undefined) return accepted
  return verdict === 'not_reached' && !failures.includes(row) ? `not reached: ${evidence}` : undefined
}

function testCase(row: Row, failures: readonly Row[]): string {
  const head = `    <testcase classname="${escaped(row.operation)}" name="${escaped(nameOfRow(row))}" time="${row.ms / 1000}"`
  const { service, reused } = row
  const called = service === undefined ? '' : `called by ${service}\n`
  const cause = row.cause ? `${causeText(row.cause)}\n` : ''
  const output = `      <system-out>${escaped(`${row.verdict}: ${row.evidence}\n${called}${cause}${row.log}`)}</system-out>`
  const named = [
    ...(service === undefined ? [] : [`<property name="service" value="${escaped(service)}"/>`]),
    ...(reused ? ['<property name="reused" value="true"/>'] : []),
  ]
  const properties = named.length === 0 ? [] : [`      <properties>${named.join('')}</properties>`]
  const skipped = skippedAs(row, failures)
  const inside =
    skipped !== undefined
      ? [`      <skipped message="${escaped(skipped)}"/>`]
      : failures.includes(row)
        ? [`      <failure type="${row.verdict}" message="${escaped(row.evidence)}"/>`]
        : []
  return [`${head}>`, ...properties, ...inside, output, '    </testcase>'].join('\n')
}

function testOfNeed({ need, is_met, text }: NeedResult): string {
  const head = `    <testcase classname="patience" name="${escaped(need)}"`
  return is_met
    ? `${head}><system-out>${escaped(text)}</system-out></testcase>`
    : `${head}><failure type="not met" message="${escaped(text)}"/></testcase>`
}
