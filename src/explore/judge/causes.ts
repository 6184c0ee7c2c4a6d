import { counted } from './counted.ts'
import { nameOfRow, type Row, worstFirst } from './row.ts'
import { type Level, type Verdict, verdicts } from './verdicts.ts'

/** Why cases are problems or warnings: the error or message, and where in the user's own files. */
export interface CauseEntry {
  /** `HTTPError not caught`. */
  title: string
  /** The innermost frame in the user's own files, such as `kling.py:44 \`create\``; null where the program printed no stack. */
  where: string | null
  /** The file of `where`, or without a stack of the call that failed, from the folder in which the program was started; null where neither is known. */
  file: string | null
  /** The line there, from 1. */
  line: number | null
  /** The worst verdict of its cases. */
  verdict: Verdict
  /** The worst level of its cases. */
  level: Level
  /** The names of its cases, such as `a.get#1 unavailable`; the worst first. */
  cases: string[]
  /** How many of its cases have each verdict, the worst first. */
  verdicts: Partial<Record<Verdict, number>>
}

/** The causes of all problems and warnings that were not accepted: the worst verdict first, then that with the most cases. */
export function causesOf(cases: readonly Row[]): CauseEntry[] {
  return groupedByCause(worstFirst(cases).filter(({ accepted }) => accepted === undefined))
    .flatMap(({ rows, cause }) => {
      const sorted = rows.toSorted((one, other) => rankOf(one) - rankOf(other))
      const [worst] = sorted
      if (!worst) return []
      const { verdict, level } = worst
      const counts = verdicts.map(word => [word, sorted.filter(row => row.verdict === word).length] as const)
      return [
        {
          title: cause.title,
          where: cause.where,
          ...placeOf(cause.where ?? rows.find(row => row.cause?.call)?.cause?.call ?? null),
          verdict,
          level,
          cases: sorted.map(nameOfRow),
          verdicts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
        },
      ]
    })
    .sort((one, other) => rankOf(one) - rankOf(other) || other.cases.length - one.cases.length)
}

/** Whether a class says nothing without its message; so do the names that bundlers give. */
export function isGeneric(name: string): boolean {
  return /^(?:an error|[eE]rror|Exception|RuntimeError|RuntimeException|StandardError|\w{1,2})$/.test(name)
}

type Cause = NonNullable<Row['cause']>

/** The file and line of a place such as `kling.py:44 \`create\``. */
function placeOf(where: string | null): { file: string | null; line: number | null } {
  const [, file, line] = /^(.+):(\d+)(?: `[^`]*`)?$/s.exec(where ?? '') ?? []
  return file === undefined ? { file: null, line: null } : { file, line: Number(line) }
}

/**
 * The rows with the same cause, in the order of the first of each. One line that throws a generic error with several messages, or an error
 * of a class for each status, is one cause, and its title then has none of them.
 */
export function groupedByCause(rows: readonly Row[]): { cause: Cause; rows: Row[] }[] {
  const groups = new Map<string, { cause: Cause; rows: Row[] }>()
  for (const row of rows) {
    if (!row.cause) continue
    const general = withoutMessage(row.cause)
    const key = causeText(general)
    const group = groups.get(key) ?? { cause: row.cause, rows: [] }
    if (group.cause.title !== row.cause.title) group.cause = general
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Classes that clients name after a status, one or several statuses each. */
const ofStatus =
  /^(?:\w*(?:RateLimit|TooManyRequests|InternalServer|Server|BadGateway|ServiceUnavailable|GatewayTimeout|Overloaded|BadRequest|Unauthorized|Authentication|Forbidden|PermissionDenied|UnprocessableEntity|APIStatus)|(?:API|Api|HTTP|Http)?NotFound)(?:Error|Exception)?$/

/** A cause at a known line, without the message of a generic error: `Error not caught`. */
function withoutMessage({ title, where, error }: Cause): Cause {
  if (where === null || error === undefined) return { title, where }
  if (ofStatus.test(error)) return { title: 'the error of a status not caught', where }
  return { title: isGeneric(error) ? `${error.length > 2 ? error : 'an error'} not caught` : title, where }
}

/** `10 cases`, or `1 of 10 cases (9 uncaught)`: a cause is headed by its worst verdict, which few of its cases may have. */
export function countText({ cases, verdict, verdicts }: CauseEntry, what: string): string {
  const { [verdict]: worst = cases.length, ...others } = verdicts
  const all = counted(cases.length, what)
  if (worst === cases.length) return all
  const rest = Object.entries(others).map(([word, count]) => `${count} ${word.replaceAll('_', ' ')}`)
  return `${worst} of ${all} (${rest.join(', ')})`
}

/** `kling.py:44 \`create\`: HTTPError not caught`. */
export function causeText({ title, where }: { title: string; where: string | null }): string {
  return where === null ? title : `${where}: ${title}`
}

/** A warning ranks below each problem: the failure may make a warning of a verdict. */
function rankOf({ verdict, level }: { verdict: Verdict; level: Level }): number {
  return verdicts.indexOf(verdict) + (level === 'problem' ? 0 : verdicts.length)
}
