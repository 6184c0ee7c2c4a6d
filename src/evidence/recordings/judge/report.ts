import { escaped } from '../../../emulator/words.ts'
import type { ComparedRow, Comparison, Difference } from './comparison.ts'

const forms = {
  pretty,
  json: (verdict: Comparison) => `${JSON.stringify(verdict, null, 2)}\n`,
  markdown,
  junit,
}
export type ReportForm = keyof typeof forms
export const reportForms = Object.keys(forms) as ReportForm[]

/** A verdict as text, with a line break at the end. */
export function report(verdict: Comparison, form: ReportForm): string {
  return forms[form](verdict)
}

const of = ({ rows }: Comparison, status: ComparedRow['status']) => rows.filter(row => row.status === status)

/** One sentence with the number of comparisons and the result. */
function summaryOf(verdict: Comparison): string {
  const requests = verdict.recordings.reduce((sum, { repeated }) => sum + repeated, 0)
  const jobs = verdict.recordings.reduce((sum, one) => sum + one.jobs, 0)
  if (verdict.compared === 0) return 'Nothing was compared.'
  const counts = (['confirmed', 'partly', 'contradicted', 'not seen'] as const).map(
    status => `${of(verdict, status).length} ${status}`,
  )
  const ignored = verdict.recordings.reduce((sum, one) => sum + one.ignored, 0)
  const left =
    ignored === 0
      ? ''
      : ` Entries left out, because they are no call of the API or have no complete reply: ${ignored}.`
  return `Made again: requests ${requests}, jobs ${jobs}; comparisons ${verdict.compared}. Rows: ${counts.join(', ')}; differences that no row claims: ${verdict.unclaimed.length}.${left}`
}

function pretty(verdict: Comparison): string {
  const lines = [
    ...of(verdict, 'confirmed').map(row => `confirmed     ${row.id} (${row.seen})${howFar(row)}`),
    ...of(verdict, 'partly').map(row => `partly        ${row.id} (${row.seen})${howFar(row)}`),
    ...of(verdict, 'contradicted').flatMap(({ id, says, differences }) => [
      `contradicted  ${id}: ${says}`,
      ...differences.map(difference => `              ${sentence(difference)}`),
    ]),
    ...verdict.unclaimed.map(difference => `no row claims ${sentence(difference)}`),
    summaryOf(verdict),
  ]
  return `${lines.join('\n')}\n`
}

/** `: usage.total_tokens, 400 for content`; empty for a row that was seen whole. */
function howFar({ shown, missing }: ComparedRow, end = ''): string {
  const of = missing.length === 0 ? '' : ` of ${[...shown, ...missing].join(', ')}`
  return shown.length === 0 ? '' : `: ${shown.join(', ')}${of}${end}`
}

/** `#4 GET /x: usage.total_tokens is 7 in the recording and 8 in the emulator (62 requests, 3 pairs of values)`. */
function sentence(difference: Difference): string {
  return `${difference.request}: ${difference.says}${countsOf(difference)}`
}

function countsOf({ requests, values, aspect }: Difference): string {
  if (requests < 2) return ''
  const pairs = values > 1 && aspect !== 'more' && aspect !== 'absent' ? `, ${values} pairs of values` : ''
  return ` (${requests} requests${pairs})`
}

function markdown(verdict: Comparison): string {
  const contradicted = of(verdict, 'contradicted')
  const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
  const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  const differences = (id: string, list: readonly Difference[]) =>
    list.map(one => row(`\`${id}\``, one.says, `\`${one.request}\`${countsOf(one)}`))
  const table = [row('Row', 'Difference', 'Request'), row('---', '---', '---')]
  return [
    '## The emulator and the recorded gateway',
    '',
    summaryOf(verdict),
    ...(contradicted.length === 0
      ? []
      : [
          '',
          '### Contradicted',
          '',
          ...table,
          ...contradicted.flatMap(one => differences(one.id, one.differences)),
        ]),
    ...(verdict.unclaimed.length === 0
      ? []
      : ['', '### No row claims', '', ...verdict.unclaimed.map(one => `- ${sentence(one)}`)]),
    '',
    ...(['confirmed', 'partly'] as const).flatMap(status => [
      `<details><summary>${of(verdict, status).length} rows ${status === 'partly' ? 'confirmed partly' : status}</summary>`,
      '',
      ...of(verdict, status).map(row => `- \`${row.id}\`${howFar(row, '.')} ${cell(row.says)}`),
      '',
      '</details>',
      '',
    ]),
  ].join('\n')
}

function junit(verdict: Comparison): string {
  const cases = verdict.rows.map(row => {
    const { id, status, differences } = row
    const name = `<testcase classname="recordings" name="${escaped(id)}"`
    if (status === 'not seen') return `  ${name}><skipped/></testcase>`
    if (status === 'partly') return `  ${name}><skipped message="partly${escaped(howFar(row))}"/></testcase>`
    if (status === 'confirmed') return `  ${name}/>`
    const text = differences.map(sentence).join('\n')
    return `  ${name}><failure message="contradicted">${escaped(text)}</failure></testcase>`
  })
  const unclaimed = verdict.unclaimed.map(
    difference =>
      `  <testcase classname="recordings" name="no row claims ${escaped(difference.path)}"><failure message="no row claims it">${escaped(sentence(difference))}</failure></testcase>`,
  )
  const empty =
    verdict.compared > 0
      ? []
      : [
          '  <testcase classname="recordings" name="anything"><failure message="nothing was compared"/></testcase>',
        ]
  const all = [...cases, ...unclaimed, ...empty]
  const failures = all.filter(line => line.includes('<failure')).length
  const skipped = of(verdict, 'not seen').length + of(verdict, 'partly').length
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="recordings" tests="${all.length}" failures="${failures}" skipped="${skipped}">\n${all.join('\n')}\n</testsuite>\n`
}
