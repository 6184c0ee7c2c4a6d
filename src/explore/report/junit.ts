import { causeText } from '../judge/causes.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import { failuresIn, type Report, rowsOf } from './report.ts'

/** The report as JUnit XML: one test case a case, a failure for each case that fails the report. */
export function junitReport(report: Report): string {
  const { ms } = report
  const cases = rowsOf(report)
  const failures = failuresIn(report)
  const known = cases.filter(isKnown)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures.length}" skipped="${known.length}" time="${ms / 1000}">`,
    `  <testsuite name="explore" tests="${cases.length}" failures="${failures.length}" skipped="${known.length}" time="${ms / 1000}">`,
    ...cases.map(row => testCase(row, failures)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function isKnown({ level, accepted }: Row): boolean {
  return level !== 'good' && accepted !== undefined
}

function testCase(row: Row, failures: readonly Row[]): string {
  const head = `    <testcase classname="${xml(row.operation)}" name="${xml(nameOfRow(row))}" time="${row.ms / 1000}"`
  const cause = row.cause ? `${causeText(row.cause)}\n` : ''
  const output = `      <system-out>${xml(`${row.verdict}: ${row.evidence}\n${cause}${row.log}`)}</system-out>`
  const inside = isKnown(row)
    ? [`      <skipped message="${xml(row.accepted ?? '')}"/>`]
    : failures.includes(row)
      ? [`      <failure type="${row.verdict}" message="${xml(row.evidence)}"/>`]
      : []
  return [`${head}>`, ...inside, output, '    </testcase>'].join('\n')
}

/** Text for XML 1.0: its special characters as entities, without the control characters that it forbids. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}
