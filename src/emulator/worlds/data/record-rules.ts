import type { Header, LogChange } from './log-format.ts'
import { type Data, firstFileVersion, type Migration, migrated, type Values } from './world-data.ts'

/** A change that sets a record. */
type SetRecord = Extract<LogChange, { value: unknown }>

/** What a database must know of its records, which it does not understand itself. */
export type RecordRules<V extends Values = Values> = {
  /** The version of this program: the first line of each file tells who began it. */
  program: string
  migrations: readonly Migration[]
  /** What is wrong with a record of the newest version, in words. */
  faultOf: (record: SetRecord) => string | undefined
  /** What is wrong with the records of all worlds together, in words. */
  faultOfAll(data: Data<V>): string | undefined
}

/** Rules under which every record is right, for databases whose records only their user knows. */
export const noRules: RecordRules = {
  program: 'unknown',
  migrations: [],
  faultOf: () => undefined,
  faultOfAll: () => undefined,
}

/** The first line of the files that a program with these rules writes. */
export function newestHeader({ program, migrations }: RecordRules): Header {
  return { version: firstFileVersion + migrations.length, program }
}

/** A record in the newest version, or what is wrong with it, in words. `version`: the version that it was written in. */
export function readRecord(
  record: SetRecord,
  version: number,
  { migrations, faultOf }: RecordRules,
): SetRecord | { fault: string } {
  const steps = migrations.slice(version - firstFileVersion)
  try {
    const read = steps.length === 0 ? record : { ...record, value: migrated(record, steps) }
    const fault = faultOf(read)
    return fault === undefined ? read : { fault }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
