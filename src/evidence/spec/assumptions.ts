import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fixturePath, late } from '../../emulator/ground.ts'
import { agrees, pages, rising, sums } from './agreements.ts'
import * as is from './forms.ts'
import { at, valuesAt } from './json.ts'
import type { SpecFamily } from './observation.ts'
import { type Agrees, fields, filtered, type Predicate, repeated } from './predicates.ts'
import type { Section } from './statement.ts'

/** How assumptions are seen in requests and replies: by id, then by the family that shows them. */
type SeenById = Readonly<Record<string, Readonly<Partial<Record<SpecFamily, readonly Predicate[]>>>>>

const inC = (seen: (family: SpecFamily) => Predicate[]) => ({ c: seen('c'), special: seen('special') })

/** The code of a failed task, where it has one. A replay repeats what was recorded. */
const failureCode = (view: string, path: string, form: is.Form) =>
  fields(view, { [path]: form }, undefined, repeated)

/** The id of a create's reply and of its request. */
const sentId: Agrees['read'] = (reply, { body }) => {
  const sent = at(body, 'external_task_id') ?? at(body, 'options', 'external_task_id')
  const told = at(reply, 'data', 'external_id')
  return typeof told === 'string' && typeof sent === 'string' && sent !== '' ? [told, sent] : undefined
}

/** Left, top, right and bottom, in thousandths of the base image. */
const box = is.such(
  'a box within 0 to 1000',
  value => {
    if (!Array.isArray(value)) return true
    const [left, top, right, bottom] = value.map(Number) as [number, number, number, number]
    return left >= 0 && top >= 0 && left <= right && top <= bottom && right <= 1000 && bottom <= 1000
  },
  [0, 0, 10, 10],
  [0, 0, 1200, 10],
)
const items = (reply: unknown) => valuesAt(reply, 'data[]').map(([, item]) => item)
const usage = (reply: unknown, name: string, wanted: number) => {
  const told = at(reply, 'usage', name)
  return typeof told === 'number' && !Number.isNaN(wanted) ? ([told, wanted] as const) : undefined
}
const count: Agrees['read'] = reply => {
  const data = at(reply, 'data')
  return Array.isArray(data) ? usage(reply, 'generated_images', data.length) : undefined
}
/** A token for every 256 pixels of all pictures together. */
const tokens: Agrees['read'] = reply => {
  const sizes = items(reply).map(item => /^(\d+)x(\d+)$/.exec(String(at(item, 'size'))))
  const pixels = sizes.reduce((sum, size) => sum + Number(size?.[1]) * Number(size?.[2]), 0)
  return usage(reply, 'output_tokens', Math.round(pixels / 256))
}
/** A recording describes the file that a reply contains. */
const typeOfFile: Agrees['read'] = item => [
  at(item, 'b64_json', 'type'),
  `image/${at(item, 'output_format')}`,
]
const sizeOfFile: Agrees['read'] = item => {
  const [width, height] = [at(item, 'b64_json', 'width'), at(item, 'b64_json', 'height')]
  return width === undefined ? undefined : [`${width}x${height}`, at(item, 'size')]
}

/** A row that is missing here is seen only in comparisons with the emulator, or never. */
export const seenById: SeenById = {
  'A-times': { a: [rising('a.record', 'created_at', 'updated_at')] },
  'A-list': {
    a: [
      ...pages('a.list', 'items', 'created_at', 20),
      filtered('a.list', 'filter.model', 'model', { isNeverShown: true }),
      filtered('a.list', 'filter.task_ids', 'id', { isNeverShown: true }),
    ],
  },
  'A-errors': { a: [failureCode('a.record', 'error.code', is.neverShown(is.words))] },
  'A-usage': { a: [sums('a.record', 'usage.total_tokens', 'usage.completion_tokens')] },
  'B-states': {
    b: [
      failureCode('b.get', 'output.code', is.neverShown(is.words)),
      rising('b.get', 'output.submit_time', 'output.scheduled_time', 'output.end_time'),
    ],
  },
  'B-usage': {
    b: [sums('b.get', 'usage.duration', 'usage.input_video_duration', 'usage.output_video_duration')],
  },
  'B-list': {
    b: [
      ...pages('b.list', 'data', 'gmt_create', 10),
      filtered('b.list', 'status', 'status', { isNeverShown: true }),
      filtered('b.list', 'task_id', 'task_id', { isNeverShown: true }),
      rising('b.row', 'gmt_create', 'start_time', 'end_time'),
    ],
  },
  'C-ids': inC(family => [rising(`${family}.record`, 'created_at', 'updated_at')]),
  'C-list': inC(family => pages(`${family}.list`, 'items', 'created_at', 20)),
  'C-usage': inC(family => [
    sums(`${family}.record`, 'usage.total_seconds', 'usage.input_seconds', 'usage.output_seconds'),
    sums(`${family}.record`, 'usage.total_tokens', 'usage.prompt_tokens', 'usage.completion_tokens'),
  ]),
  'C-errors': inC(family => [failureCode(`${family}.record`, 'error.code', is.digits)]),
  'K-external-id': { k: [agrees('k.create', 'data.external_id', sentId)] },
  'K-ids': {
    k: [
      rising('k.record', 'create_time', 'update_time'),
      rising('k.slow-record', 'created_at', 'updated_at'),
    ],
  },
  'I-size': {
    image: [
      agrees('image.item', 'b64_json.size', sizeOfFile),
      agrees('image.item', 'b64_json.type', typeOfFile),
    ],
  },
  'I-layers': { image: [fields('image.item', { 'bounding_box.normalized': is.neverShown(box) })] },
  'I-usage': {
    image: [
      sums('image.generate', 'usage.total_tokens', 'usage.output_tokens'),
      agrees('image.generate', 'usage.output_tokens', tokens),
      agrees('image.generate', 'usage.generated_images', count),
    ],
  },
}

/** A row of the tables: the answer, how it is seen, and what a recording says of it. */
export interface AnswerRow extends Answer, Evidences {
  seen?: SeenById[string] | undefined
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
  const about = { id, scope, question, answer, reason, source: sourceOf(row), certainty }
  return { ...about, seen: seenById[id], claims, completes, statuses }
}

/** The patterns of all rows that were looked at: each is compiled once. */
const patterns = new Map<string | number, RegExp>()

/** Whether a pattern of a row fits a text; an absent one fits every text. */
export function fits(pattern: string | number | undefined, text: string): boolean {
  if (pattern === undefined) return true
  const known = patterns.get(pattern) ?? new RegExp(`${pattern}`)
  patterns.set(pattern, known)
  return known.test(text)
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

/** A point that the specification leaves open, and the emulator's answer to it. Code and tests cite the id. */
export interface Answer {
  /** The name that code and tests cite, such as `A-07`. */
  id: string
  /** The family that it is about. */
  scope: 'all' | 'a' | 'b' | 'c' | 'special' | 'k' | 'image'
  /** What the specification leaves open. */
  question: string
  /** What the emulator does. */
  answer: string
  /** Why the emulator gives this answer. */
  reason: string
  /** What the answer rests on. */
  source: Source
  /** How likely it is that the real gateway gives the same answer. */
  certainty: 'high' | 'medium' | 'low'
}

/** A row as `/__emulator/assumptions` serves it. */
export interface Assumption extends Answer {
  /** The last recording of the real gateway that agreed with the answer; null if there is none. */
  confirmed: Confirmation | null
  /** The same as text, or `never`. */
  last_confirmed: string
}

/** The recording of the real gateway that last agreed with an answer, and its date. */
export interface Confirmation {
  /** ISO 8601. */
  at: string
  /** The name of the recording. */
  recording: string
}

/** What an answer is based on. */
export type Source =
  | { kind: 'specification'; section: Section /** The statement in our words. */; says: string }
  | {
      kind: 'upstream'
      evidence: Evidence /** What is known about the provider behind the gateway. */
      fact: string
    }
  | { kind: 'guess' /** Why the guess is sensible. */; because: string }

/**
 * How a fact about the upstream is known: from its own pages, from client code, from a live measurement, or inferred from these.
 */
export type Evidence = 'documented' | 'client' | 'measured' | 'inferred'

/**
 * What a recording says of an answer. Operations are those of requests; a refusal is `a.error`, a file `b.file`. Patterns are regular
 * expressions.
 */
export interface Evidences {
  /** Comparisons that confirm and contradict it: operations, place in a record, aspects (all, if absent) and what the emulator has there. */
  claims?: readonly { on: string; at: string; aspects?: string; emulated?: string }[] | undefined
  /** Differences that contradict it where no claim fits, in replies (`a.reply`) or refusals (`a.error`), at places that the specification names. */
  completes?: Readonly<Record<string, string>> | undefined
  /** Statuses of the emulator that it explains, and what the reply must name for it. */
  statuses?: readonly { on: string; status: string | number; names?: string }[] | undefined
}

/** A row as the files of `fixtures/assumptions/` have it: a key for the kind of its source has the fact. */
interface StoredAnswer
  extends Pick<Answer, 'question' | 'answer' | 'reason' | 'certainty'>,
    Evidences,
    Partial<Record<Evidence | 'guess', string>> {
  /** The scope, where it is not that of the file. */
  scope?: Answer['scope']
  /** The section of the specification that `says` it. */
  section?: Section
  says?: string
}
