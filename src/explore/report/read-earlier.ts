import { readFileSync } from 'node:fs'
import { UsageError } from '../../emulator/options.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import { verdicts } from '../judge/verdicts.ts'
import type { EarlierCase } from './again.ts'

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
  const found = jsonIn(path)
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

function jsonIn(path: string): Record<string, unknown> {
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
