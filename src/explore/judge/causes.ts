import { nameOfRow, type Row, worstFirst } from './row.ts'
import { isGeneric } from './uncaught/error.ts'
import { type Level, type Verdict, verdicts } from './verdicts.ts'

/** Why cases are problems or warnings: the error or message, and where in the user's own files. */
export interface CauseEntry {
  /** `HTTPError not caught`. */
  title: string
  /** The innermost frame in the user's own files, such as `kling.py:44 \`create\``; null where the program printed no stack. */
  where: string | null
  /** The worst verdict of its cases. */
  verdict: Verdict
  /** The worst level of its cases. */
  level: Level
  /** The names of its cases, such as `a.get#1 unavailable`; the worst first. */
  cases: string[]
}

/** The causes of all problems and warnings that were not accepted: the worst verdict first, then that with the most cases. */
export function causesOf(cases: readonly Row[]): CauseEntry[] {
  return groupedByCause(worstFirst(cases).filter(({ accepted }) => accepted === undefined))
    .flatMap(({ rows, cause }) => {
      const sorted = rows.toSorted((one, other) => rankOf(one) - rankOf(other))
      const [worst] = sorted
      if (!worst) return []
      const { verdict, level } = worst
      return [{ title: cause.title, where: cause.where, verdict, level, cases: sorted.map(nameOfRow) }]
    })
    .sort((one, other) => rankOf(one) - rankOf(other) || other.cases.length - one.cases.length)
}

type Cause = NonNullable<Row['cause']>

/**
 * The rows with the same cause, in the order of the first of each. One line that throws a generic error with several messages is one
 * cause, and its title then has none of them.
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

/** A cause at a known line, without the message of a generic error: `Error not caught`. */
function withoutMessage({ title, where }: Cause): Cause {
  const name = /^not caught: (an error|\w+): /.exec(title)?.[1] ?? ''
  if (where === null || !isGeneric(name)) return { title, where }
  return { title: `${name.length > 2 ? name : 'an error'} not caught`, where }
}

/** `kling.py:44 \`create\`: HTTPError not caught`. */
export function causeText({ title, where }: { title: string; where: string | null }): string {
  return where === null ? title : `${where}: ${title}`
}

/** A warning ranks below each problem: the failure may make a warning of a verdict. */
function rankOf({ verdict, level }: { verdict: Verdict; level: Level }): number {
  return verdicts.indexOf(verdict) + (level === 'problem' ? 0 : verdicts.length)
}
