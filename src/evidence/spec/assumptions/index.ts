import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fixturePath, late } from '../../../emulator/ground.ts'
import type { Answer, Assumption, Confirmation, Evidences, Source, StoredAnswer } from './assumption.ts'
import { type SeenById, seenById } from './seen.ts'

/** A row of the tables: the answer, how it is seen, and what a recording says of it. */
export interface AnswerRow extends Answer, Evidences {
  seen?: SeenById[string]
}

/** The files of `fixtures/assumptions/` in the order of the table, each with the family that its rows are about. */
const files = [
  ['requests', 'all'],
  ['inputs', 'all'],
  ['tasks', 'all'],
  ['a', 'a'],
  ['b', 'b'],
  ['c', 'c'],
  ['k', 'k'],
  ['image', 'image'],
] as const

/** Every point that the specification leaves open, with the emulator's answer. Read on first use: few runs of the program need it. */
export const answers = late((): readonly AnswerRow[] =>
  files.flatMap(([file, scope]) =>
    Object.entries(readTable(file)).map(([id, row]) => rowOf(id, { scope, ...row })),
  ),
)

function readTable(file: string): Record<string, StoredAnswer> {
  const { parse }: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  return parse(readFileSync(fixturePath(`assumptions/${file}.yaml`), 'utf8'))
}

function rowOf(id: string, row: StoredAnswer & Pick<Answer, 'scope'>): AnswerRow {
  const { scope, question, answer, reason, certainty, claims, completes, statuses } = row
  const seen = seenById[id]
  const completed = Object.entries(completes ?? {}).map(([view, at]) => [view, new RegExp(at)])
  return {
    id,
    scope,
    question,
    answer,
    reason,
    source: sourceOf(row),
    certainty,
    ...(seen && { seen }),
    ...(claims && {
      claims: claims.map(({ on, at, aspects, emulated }) => ({
        on: new RegExp(on),
        at: new RegExp(at),
        aspects: aspects?.split(' '),
        emulated: patternOf(emulated),
      })),
    }),
    ...(completes && { completes: Object.fromEntries(completed) }),
    ...(statuses && {
      statuses: statuses.map(({ on, status, names }) => ({
        on: new RegExp(on),
        status: new RegExp(`${status}`),
        names: patternOf(names),
      })),
    }),
  }
}

function patternOf(text: string | undefined): RegExp | undefined {
  return text === undefined ? undefined : new RegExp(text)
}

/** Throws for a row without a source. */
function sourceOf({ section, says, guess, ...row }: StoredAnswer): Source {
  if (section !== undefined && says !== undefined) return { kind: 'specification', section, says }
  if (guess !== undefined) return { kind: 'guess', because: guess }
  for (const evidence of ['documented', 'client', 'measured', 'inferred'] as const) {
    const fact = row[evidence]
    if (fact !== undefined) return { kind: 'upstream', evidence, fact }
  }
  throw new Error(`The answer to ${JSON.stringify(row.question)} has no source`)
}

/** The answers as `/__emulator/assumptions` serves them. */
export const assumptions = late((): readonly Assumption[] =>
  answers().map(({ seen: _seen, claims: _claims, completes: _completes, statuses: _statuses, ...answer }) => {
    const confirmed = confirmations()[answer.id] ?? null
    const last = confirmed ? `${confirmed.at} by ${confirmed.recording}` : 'never'
    return { ...answer, confirmed, last_confirmed: last }
  }),
)

/** What `compare --confirm` writes of a recording: which rows it confirmed, and nothing else. */
export interface ConfirmedRows extends Confirmation {
  rows: readonly string[]
}

/** By id of a row: the last recording of the real gateway that agreed with it. A row that is missing was never confirmed. */
export const confirmations = late(() => readConfirmations(fixturePath('recordings')))

/** Reads the files of a folder; the latest recording of each row counts. Throws for a file that is something else. */
export function readConfirmations(folder: string): Readonly<Record<string, Confirmation>> {
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : []
  const read = names.map(name => confirmedRows(JSON.parse(readFileSync(join(folder, name), 'utf8')), name))
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
