import { late } from '../../../emulator/ground.ts'
import { globPattern } from '../../../emulator/words.ts'
import { answers } from '../../spec/assumptions.ts'
import { readLeftOut, shown, Words } from '../../spec/json.ts'
import { namedBy } from '../../spec/observation.ts'
import { statements } from '../../spec/statements/index.ts'
import type { Compared, Judged } from './compare-recording.ts'
import { partsOfRow } from './judge-rows.ts'

/** All differences of one kind at one path, as reports show them: the first one, and how many there are. */
export interface Difference {
  recording: string
  /** The first request: its number in the recording, method and path. */
  request: string
  operation: string
  aspect: string
  path: string
  recorded: unknown
  /** What the emulator has, or a rule demands. */
  emulated: unknown
  /** Both sides as one sentence. */
  says: string
  /** The number of requests that show it. */
  requests: number
  /** The operations of these requests. */
  operations: string[]
  /** The number of different pairs of values; the first pair is shown. */
  values: number
}

export interface ComparedRow {
  id: string
  kind: 'specification' | 'assumption'
  says: string
  status: 'confirmed' | 'partly' | 'contradicted' | 'not seen'
  /** The number of comparisons that belong to it. */
  seen: number
  /**
   * How far a confirmed row was seen. For an assumption: the places and statuses that agreed. For a row of several families: those
   * that showed all of it. For a row that is confirmed partly: the parts that were seen.
   */
  shown: string[]
  /** The parts that were not seen, of a row that is confirmed partly. */
  missing: string[]
  differences: Difference[]
}

export interface Comparison {
  recordings: { name: string; requests: number; repeated: number; jobs: number; ignored: number }[]
  compared: number
  rows: ComparedRow[]
  /** Differences that belong to no row. */
  unclaimed: Difference[]
}

/** Whether a difference is known and left out of the report. It is named by a row's id, or by an operation and a path, also with `*`. */
export type Ignore = (row: string | undefined, difference: Difference) => boolean

/** Groups comparisons by row. One difference contradicts a row. A row is confirmed when everything that its sentence says was seen, all of it is equal, and nothing differs at its places. */
export function comparisonOf(compared: readonly Compared[], isIgnored: Ignore): Comparison {
  const judged = compared
    .flatMap(one => one.judged)
    .filter(one => one.isAlike || !isIgnored(one.row, differenceOf([one])))
  const byRow = new Map<string, Judged[]>()
  for (const one of judged) {
    if (one.row === undefined) continue
    const own = byRow.get(one.row)
    if (own) own.push(one)
    else byRow.set(one.row, [one])
  }
  const spoiled = new Set(judged.flatMap(({ spoils }) => spoils))
  const unclaimed = judged.filter(one => !one.isAlike && one.row === undefined)
  return {
    recordings: compared.map(({ recording, jobs, repeated }) => ({
      name: recording.name,
      requests: recording.steps.length,
      repeated,
      jobs,
      ignored: recording.ignored,
    })),
    compared: judged.length,
    rows: knownRows().map(row => {
      const own = byRow.get(row.id) ?? []
      return { ...row, ...statusOf(row, own, spoiled.has(row.id)) }
    }),
    unclaimed: grouped(unclaimed),
  }
}

function statusOf(
  { id, kind }: Pick<ComparedRow, 'id' | 'kind'>,
  judged: readonly Judged[],
  isSpoiled: boolean,
): Omit<ComparedRow, 'id' | 'kind' | 'says'> {
  const differences = grouped(judged.filter(({ isAlike }) => !isAlike))
  const none = { seen: judged.length, shown: [], missing: [], differences }
  if (differences.length > 0) return { ...none, status: 'contradicted' }
  const parts = partsOfRow(id)
  const shown = new Set(judged.flatMap(({ shows = [] }) => shows))
  const all = Object.values(parts).flat()
  const isSeen = judged.length > 0 && (all.length === 0 || all.some(part => shown.has(part)))
  if (isSpoiled || !isSeen) return { ...none, status: 'not seen', seen: 0 }
  const families = Object.keys(parts)
  const whole = families.filter(family => parts[family]?.every(part => shown.has(part)))
  const howFar = kind === 'assumption' ? judged.map(shownBy) : families.length > 1 ? whole : []
  const isEvery = id.startsWith('all.') ? whole.length === families.length : whole.length > 0
  const told = { ...none, shown: [...new Set(howFar)] }
  if (isEvery) return { ...told, status: 'confirmed' }
  if (whole.length > 0)
    return { ...told, status: 'partly', missing: families.filter(one => !whole.includes(one)) }
  const seen = (family: string) => parts[family]?.filter(part => shown.has(part)) ?? []
  const [best = ''] = families.sort((one, other) => seen(other).length - seen(one).length)
  const left = parts[best]?.filter(part => !shown.has(part)) ?? []
  const labels = labelsOf(parts[best] ?? [])
  const missing = left.map(labels)
  return {
    ...told,
    status: 'partly',
    shown: kind === 'assumption' ? told.shown : seen(best).map(labels),
    missing,
  }
}

/** The names of parts: without family and place, and without the name of a field that all of them have. */
function labelsOf(parts: readonly string[]): (part: string) => string {
  const plain = (part: string) => part.replace(/^\w+ \d+ /, '')
  const [first = ''] = plain(parts[0] ?? '').split(' ')
  const isOne = parts.length > 1 && parts.every(part => plain(part).startsWith(`${first} `))
  // A row may say the same of a request and of its reply.
  const isDouble = (part: string) => parts.filter(one => plain(one) === plain(part)).length > 1
  const side = (part: string) => (/^\w+ 0 /.test(part) ? 'a request' : 'a reply')
  return part => {
    if (isOne) return plain(part).slice(first.length + 1)
    return columnLabels[part] ?? (isDouble(part) ? `${plain(part)} in ${side(part)}` : plain(part))
  }
}

/** How reports call what an assumption says of replies, and of statuses. */
const columnLabels: Readonly<Record<string, string>> = { claims: 'values', statuses: 'statuses' }

/** What an equal comparison shows: `usage.total_tokens`, `400 for content`. */
function shownBy({ step, aspect, path, about = namedBy(step.reply) }: Judged): string {
  const isStatus = aspect === 'status' || path === 'error.param'
  return isStatus
    ? [step.status, about].filter(Boolean).join(' for ')
    : path.replace(/^(?:task|items\[\])\./, '') || 'body'
}

const knownRows = late(() => [
  ...statements.map(({ id, says }) => ({ id, kind: 'specification' as const, says })),
  ...answers().map(({ id, question, answer }) => ({
    id,
    kind: 'assumption' as const,
    says: `${question} ${answer}`,
  })),
])

function grouped(judged: readonly Judged[]): Difference[] {
  const groups = new Map<string, [Judged, ...Judged[]]>()
  for (const one of judged) {
    const key = `${one.aspect} ${one.path}`
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()].map(differenceOf)
}

function differenceOf(group: readonly [Judged, ...Judged[]]): Difference {
  const [first] = group
  const { recording, step, aspect, path, recorded, emulated } = first
  const counted = (read: (one: Judged) => string) => [...new Set(group.map(read))]
  return {
    recording,
    request: `#${step.number} ${step.method} ${step.path}`,
    operation: step.operation,
    aspect,
    path: path === '' ? 'body' : path,
    recorded: plain(recorded),
    emulated: plain(emulated),
    says: sentenceOf(first),
    requests: counted(one => `${one.recording} ${one.step.number}`).length,
    operations: counted(one => one.step.operation),
    values: counted(one => JSON.stringify([one.recorded, one.emulated])).length,
  }
}

function plain(value: unknown): unknown {
  return value instanceof Words ? value.text : value === undefined ? 'absent' : value
}

/** `the HTTP status is 201 in the recording and 200 in the emulator`. */
function sentenceOf({ aspect, place, path, recorded, emulated, isRule }: Judged): string {
  const what = place === 'status' ? 'the HTTP status' : path === '' ? 'the body' : path
  if (aspect === 'more')
    return `the reply has a field ${readLeftOut(path.split('.').at(-1)) ? 'whose name was left out, ' : ''}\`${path}\``
  if (aspect === 'absent' && !isRule) return `the reply has no field \`${path}\``
  const verb = /^(?:type|null)$/.test(aspect) && place !== 'connection' ? 'is of the type' : 'is'
  const told = (side: unknown) =>
    aspect === 'count' && typeof side === 'number' ? `${side} long` : shown(side)
  const start = `${what} ${verb} ${told(recorded)} in the recording`
  return isRule ? `${start}, and must be ${told(emulated)}` : `${start} and ${told(emulated)} in the emulator`
}

/** 0: equal. 1: contradicted, or nothing was compared. 4: differences that belong to no row. */
export function exitCode(
  { rows, unclaimed, compared }: Comparison,
  failOn: 'changed' | 'unknown',
): 0 | 1 | 4 {
  if (compared === 0 || rows.some(({ status }) => status === 'contradicted')) return 1
  return failOn === 'unknown' && unclaimed.length > 0 ? 4 : 0
}

/**
 * Reads which differences to ignore, one on each line: the id of a row, or an operation and a path (`a.get usage.*`). `*` matches
 * any text, and lines that begin with # are comments. Throws for a line that matches no row.
 */
export function readIgnore(text: string): Ignore {
  const lines = text
    .split(/\r?\n/)
    .map(line => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(line => line !== '')
  const ignored = lines.map(ignoreOf)
  return (row, difference) => ignored.some(isIgnored => isIgnored(row, difference))
}

function ignoreOf(line: string): Ignore {
  const [first = '', path] = line.split(/\s+/)
  const start = globPattern(first)
  if (path === undefined) {
    if (!knownRows().some(({ id }) => start.test(id)))
      throw new Error(`${JSON.stringify(first)} is not the id of a row`)
    return row => row !== undefined && start.test(row)
  }
  const place = globPattern(path)
  return (_row, difference) => start.test(difference.operation) && place.test(difference.path)
}
