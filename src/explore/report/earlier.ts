import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../../emulator/options.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import { type Verdict, verdicts } from '../judge/verdicts.ts'
import { type Case, nameOfCase } from '../plan/case.ts'
import { scenarioOf } from '../plan/scenario.ts'
import { areUnchanged, type Loaded } from '../run/loaded-files.ts'
import type { EarlierCase } from './again.ts'

/** What the undisturbed run of a program loaded, and a digest of all else that decides on its cases. */
export interface ProgramFiles {
  /** The user's own files that it loaded or read, with digests: paths from the folder of the program, and the runtime. */
  files: Readonly<Record<string, string>>
  /** Why these are not all. Absent: they are. */
  why?: string
  /** The digest of command, options, environment, calls and version. */
  setup: string
  /** The pairs that the report leaves out, without what they wrote and asked. */
  explained?: readonly Row[]
}

/** The pairs that a report leaves out, as far as a later exploration needs them to leave them out again. */
export function explainedOnce(rows: readonly Row[]): Pick<ProgramFiles, 'explained'> {
  const short = rows.map(({ trace: _, ...row }) => ({ ...row, log: '', stories: [], requests: [] }))
  return short.length === 0 ? {} : { explained: short }
}

/** The report of a folder, as far as it can be read. */
export interface ReusedReport {
  folder: string
  report?: { cases: Row[]; restarts: Row[]; program?: ProgramFiles; played_once?: string[] }
}

/** Reads the report.json of a folder. It may have none yet. */
export function readReused(folder: string): ReusedReport {
  const path = join(folder, 'report.json')
  if (!existsSync(path)) return { folder }
  try {
    const { cases, restarts, program, played_once } = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(cases) && Array.isArray(restarts)
      ? { folder, report: { cases, restarts, program, played_once } }
      : { folder }
  } catch {
    return { folder }
  }
}

/** What became of `--reuse`. */
export interface Reuse {
  /** The folder of the earlier report. */
  from: string
  /** How many of the cases were taken over from it. */
  cases: number
  /** Why none could be. Absent: those whose files have not changed were. */
  why?: string
}

/** Why no row of an earlier report can be taken over; undefined when those can be whose own files have not changed. */
export function whyNoneReused({ report }: ReusedReport, now: ProgramFiles | undefined): string | undefined {
  if (!now) return 'the files of a program with --state are not known'
  if (now.why !== undefined) return now.why
  if (!report) return 'no report.json of explore is there'
  const { program: was } = report
  if (!was) return 'that report does not say which files were loaded'
  if (was.why !== undefined) return `which files were loaded then is not known: ${was.why}`
  if (was.setup !== now.setup)
    return 'the command, an option, a variable, a call of the undisturbed run, or the version of the emulator is another one'
  if (isDeepStrictEqual({ ...was.files }, { ...now.files })) return undefined
  const names = [...new Set([...Object.keys(was.files), ...Object.keys(now.files)])]
  const changed = names.filter(name => was.files[name] !== now.files[name]).map(placeText)
  return `of what the undisturbed run loaded, ${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''} changed`
}

/** A file, or the list of the files in a folder, of which only those of programs and settings matter when the name ends with `/`. */
function placeText(name: string): string {
  const [folder = '', all] = name.split(/\/(\*?)$/)
  return all === undefined ? name : `the list of ${all ? 'files' : 'programs and settings'} in ${folder}/`
}

/** The row of a case in an earlier report, if it is sure that the case would end as it did then. */
export function reusedRow(reuse: ReusedReport, one: Case, folder: string): Row | undefined {
  const { report } = reuse
  if (!report) return undefined
  const name = nameOfCase(one)
  const isOne = (row: Row) => nameOfRow(row) === name
  const left = report.program?.explained?.find(isOne)
  const row = left ?? [...report.cases, ...report.restarts].find(isOne)
  // It is left out again as long as each of its failures alone ends as it did.
  if (left && !partsOf(one).every(part => reusedRow(reuse, part, folder))) return undefined
  if (!row?.loaded || row.accepted !== undefined || report.played_once?.includes(name)) return undefined
  if (ofBusyMachines.includes(row.verdict)) return undefined
  const isSame = JSON.stringify(row.scenario) === JSON.stringify(scenarioOf(one))
  return isSame && areUnchanged(row.loaded, folder) ? { ...row, reused: true } : undefined
}

/** What depends on how busy the machine is. */
const ofBusyMachines: readonly Verdict[] = ['unsteady', 'unfinished', 'not_reached']

function partsOf({ and, ...one }: Case): Case[] {
  return and ? [one, and] : [one]
}

/** What a row says of the files of its runs: those that the undisturbed run did not load. */
export function loadedBeside({ files: undisturbed }: Loaded, { files, why }: Loaded): Pick<Row, 'loaded'> {
  const isOther = (name: string) => undisturbed[name] !== files[name]
  const names = Object.keys(files).filter(isOther)
  const isKnown = why === undefined && !names.some(name => name in undisturbed)
  return { loaded: isKnown ? Object.fromEntries(names.map(name => [name, files[name] ?? ''])) : null }
}

/** The problems and warnings of an earlier report, and in which worlds they were found. */
export interface Earlier {
  cases: EarlierCase[]
  restarts: boolean
  pairs: boolean
  seed: number
  now: string
}

/** Reads a report.json of `--out`, or what `--reporter json` printed. Throws UsageError. */
export function readEarlier(path: string): Earlier {
  const found = reportAt(path)
  const { problems, warnings, seed, now } = found
  if (!areRows(problems) || !areRows(warnings) || typeof seed !== 'number' || typeof now !== 'string')
    throw new UsageError(`--again ${path}: not a report of explore; give the report.json of --out`)
  const rows = [...problems, ...warnings]
  return {
    cases: rows.map(row => ({ name: nameOfRow(row), verdict: row.verdict })),
    restarts: rows.some(({ id }) => id.startsWith('killed_')),
    pairs: rows.some(({ and }) => and !== undefined),
    seed,
    now,
  }
}

function reportAt(path: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'not JSON; give the report.json of --out' : 'cannot be read'
    throw new UsageError(`--again ${path}: ${why} (${error instanceof Error ? error.message : error})`)
  }
}

type EarlierRow = Pick<Row, 'operation' | 'nth' | 'id' | 'and' | 'verdict'>

function areRows(value: unknown): value is EarlierRow[] {
  return (
    Array.isArray(value) &&
    value.every(row => {
      const { operation, nth, id, verdict } = Object(row)
      return (
        typeof operation === 'string' &&
        Number.isInteger(nth) &&
        typeof id === 'string' &&
        verdicts.includes(verdict)
      )
    })
  )
}
