import { type CauseEntry, causeText, countText } from '../judge/causes.ts'
import { counted } from '../judge/counted.ts'
import { callerOf, nameOfRow } from '../judge/row.ts'
import { patienceLines } from '../patience/patience.ts'
import { againLines } from './again.ts'
import { billText, costOf, failuresIn, notesOf, type Report, rowsOf, staleText, summaryOf } from './report.ts'
import { type Repository, repositoryHere } from './sarif.ts'

/** GitHub shows no more than these of a level in a step. */
const mostShown = 10

/**
 * The report as annotations of a GitHub workflow, on the lines of the causes: an error for each cause that fails it and each need that is
 * not met, a warning for each other cause. Of the causes the ten worst are shown: those that fail it first, then by money; one more line names the rest.
 */
export function githubReport(report: Report, repository: Repository = repositoryHere()): string {
  const { not_tried, patience, stale, totals } = report
  const bill = billText(totals)
  const causes = byMoney(report)
  const rest = causes.slice(mostShown)
  const lines = [
    ...causes.slice(0, mostShown).map(({ cause, isFailure }) =>
      annotation(isFailure ? 'error' : 'warning', {
        ...textOf(report, cause),
        ...placeIn(repository, cause),
      }),
    ),
    ...(rest.length > 0
      ? [
          annotation('notice', {
            title: `explore: ${counted(rest.length, 'more cause')}`,
            text: rest.map(({ cause }) => `${cause.verdict}: ${causeText(cause)}`).join('\n'),
          }),
        ]
      : []),
    ...(patience?.needs ?? [])
      .filter(({ is_met }) => !is_met)
      .map(({ need, text }) => annotation('error', { title: `not met: ${need}`, text })),
    ...(patience
      ? [annotation('notice', { title: 'patience', text: patienceLines(patience).join('\n') })]
      : []),
    ...(report.again
      ? [annotation('notice', { title: 'explore: again', text: againLines(report).join('\n') })]
      : []),
    ...notesOf(report).map(text => annotation('notice', { title: 'explore: note', text })),
    ...stale.map(one =>
      annotation('notice', { title: 'explore: accepted, but it no longer occurs', text: staleText(one) }),
    ),
    annotation('notice', {
      title: 'explore',
      text: `${summaryOf(report)}${bill === undefined ? '' : `; ${bill}`}; ${not_tried.length} not tried`,
    }),
  ]
  return `${lines.join('\n')}\n`
}

function byMoney(report: Report): { cause: CauseEntry; isFailure: boolean }[] {
  const failures = new Set(failuresIn(report).map(nameOfRow))
  const rows = rowsOf(report)
  return report.causes
    .map(cause => ({
      cause,
      isFailure: cause.cases.some(name => failures.has(name)),
      cost: costOf(rows.filter(row => cause.cases.includes(nameOfRow(row)))),
    }))
    .sort((one, other) => Number(other.isFailure) - Number(one.isFailure) || other.cost - one.cost)
}

interface Annotation {
  title: string
  text: string
  file?: string
  line?: number
}

function textOf(report: Report, cause: CauseEntry): Annotation {
  const [first = '', ...others] = cause.cases
  const row = rowsOf(report).find(one => nameOfRow(one) === first)
  const alike = (cause.verdicts[cause.verdict] ?? 1) - 1
  return {
    title: `${cause.verdict}: ${first}${row ? callerOf(row) : ''}${alike === 0 ? '' : ` and ${alike} more`}`,
    text: [
      row?.evidence ?? '',
      `Cause: ${causeText(cause)}, ${countText(cause, 'case')}`,
      ...(others.length === 0 ? [] : [`Also: ${others.join(', ')}`]),
    ].join('\n'),
  }
}

function placeIn(repository: Repository, { file, line }: CauseEntry): Pick<Annotation, 'file' | 'line'> {
  const path = file === null ? undefined : repository.pathOf(file)
  return path === undefined || line === null ? {} : { file: path, line }
}

function annotation(level: 'error' | 'warning' | 'notice', { text, file, line, title }: Annotation): string {
  const properties = Object.entries({ file, line, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${level} ${properties.join(',')}::${escaped(text)}`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
