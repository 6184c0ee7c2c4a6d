import { nameOfRow, type Row, worstFirst } from './row.ts'
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

/** The rows with the same cause, in the order of the first of each. */
export function groupedByCause(rows: readonly Row[]): { cause: NonNullable<Row['cause']>; rows: Row[] }[] {
  const groups = new Map<string, { cause: NonNullable<Row['cause']>; rows: Row[] }>()
  for (const row of rows) {
    if (!row.cause) continue
    const key = causeText(row.cause)
    const group = groups.get(key) ?? { cause: row.cause, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** `kling.py:44 \`create\`: HTTPError not caught`. */
export function causeText({ title, where }: { title: string; where: string | null }): string {
  return where === null ? title : `${where}: ${title}`
}

/** A warning ranks below each problem: the failure may make a warning of a verdict. */
function rankOf({ verdict, level }: { verdict: Verdict; level: Level }): number {
  return verdicts.indexOf(verdict) + (level === 'problem' ? 0 : verdicts.length)
}
