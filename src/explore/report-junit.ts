import { nameOfRow, type Report, type Row } from './report.ts'
import { isProblem } from './verdict.ts'

/** The report as JUnit XML: one test case a case, a failure for each problem that was not accepted. */
export function junitReport(report: Report): string {
  const { cases, problems, ms } = report
  const known = cases.filter(row => isProblem(row.verdict) && row.accepted !== undefined)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${problems.length}" skipped="${known.length}" time="${ms / 1000}">`,
    `  <testsuite name="explore" tests="${cases.length}" failures="${problems.length}" skipped="${known.length}" time="${ms / 1000}">`,
    ...cases.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(row: Row): string {
  const head = `    <testcase classname="${xml(row.operation)}" name="${xml(nameOfRow(row))}" time="${row.ms / 1000}"`
  const output = `      <system-out>${xml(`${row.verdict}: ${row.evidence}\n${row.log}`)}</system-out>`
  const inside = isProblem(row.verdict)
    ? [
        row.accepted === undefined
          ? `      <failure type="${row.verdict}" message="${xml(row.evidence)}"/>`
          : `      <skipped message="${xml(row.accepted)}"/>`,
      ]
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
