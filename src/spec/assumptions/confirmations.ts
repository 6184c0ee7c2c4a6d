import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixturePath } from '../../package/files.ts'
import type { Confirmation } from './assumption.ts'

/** What `compare --confirm` writes of a recording: which rows it confirmed, and nothing else. */
export interface ConfirmedRows extends Confirmation {
  rows: readonly string[]
}

/** By id of a row: the last recording of the real gateway that agreed with it. A row that is missing was never confirmed. */
export const confirmations: Readonly<Record<string, Confirmation>> = readConfirmations(
  fixturePath('recordings'),
)

/** Reads the files of a folder; the latest recording of each row counts. Throws for a file that is something else. */
export function readConfirmations(folder: string): Record<string, Confirmation> {
  const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : []
  const read = files.map(name => confirmedRows(JSON.parse(readFileSync(join(folder, name), 'utf8')), name))
  read.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return Object.fromEntries(
    read.flatMap(({ at, recording, rows }) => rows.map(id => [id, { at, recording }] as const)),
  )
}

function confirmedRows(value: Partial<ConfirmedRows>, name: string): ConfirmedRows {
  const { at, recording, rows } = value
  if (
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof recording === 'string' &&
    Array.isArray(rows)
  )
    return { at, recording, rows }
  throw new Error(`fixtures/recordings/${name} must hold at (ISO 8601), recording and rows`)
}
