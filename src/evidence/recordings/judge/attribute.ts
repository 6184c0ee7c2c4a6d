import { downloadOperation } from '../../../emulator/words.ts'
import { answers, type Evidences, fits } from '../../spec/assumptions.ts'
import { homeOf, operationsOf, rootOf, specFamilies } from '../../spec/observation.ts'
import { statements } from '../../spec/statements/index.ts'
import { isTaskList } from '../read/list-rows.ts'
import type { Job, Step } from '../read/steps.ts'
import type { Replayed } from '../replay/ask-emulator.ts'
import type { Replay } from '../replay/replay.ts'
import type { Check } from './check.ts'
import { isOfSpecification, judgeRows, refusesWithout, statusRules } from './judge-rows.ts'

/** A comparison with the row that it belongs to. */
export interface Attributed extends Check {
  row: string | undefined
  /** For a difference: rows that hold at the same place, and are not confirmed while it differs. */
  spoils: readonly string[]
}

/**
 * Gives each comparison to its row. A row of the specification that replies show is confirmed and contradicted by its predicate
 * only; a difference that breaks no predicate belongs to the assumption about the value, or to no row.
 */
export function attribute(
  { job, made, hasWorked }: { job: Job; made: Replay; hasWorked(step: Step): boolean },
  checks: readonly Check[],
): Attributed[] {
  const judged = judgeRows(job, made, hasWorked)
  const stated = judged.filter(isStated)
  const broken = [...stated, ...checks.filter(isStated)].filter(({ isAlike }) => !isAlike)
  const compared = checks.flatMap((check): Attributed[] => {
    // A planned refusal is like the recorded one because it was made so.
    if (check.isAlike && made.refusals.has(check.step)) return []
    const claimed = assumptionOf(check, made.replies.get(check.step))
    const row = check.rule ?? claimed?.row
    // Only its predicate, or a check that names it, confirms and contradicts a row of the specification.
    const own = check.rule === undefined && row !== undefined && isOfSpecification(row) ? undefined : row
    if (check.isAlike)
      return row === own && !isExplained(check, row, stated)
        ? [
            {
              ...check,
              row,
              ...(check.rule === undefined && claimed && { shows: [claimed.column] }),
              spoils: [],
            },
          ]
        : []
    if (!isStated(check) && broken.some(one => isSamePlace(one, check))) return []
    const spoils = stated.filter(one => isSamePlace(one, check)).map(({ rule }) => rule ?? '')
    return [{ ...check, row: own, spoils }]
  })
  const rows = judged.map(check => {
    const others = stated.filter(
      one => one.step === check.step && isOnePlace(one, check) && one.path === check.path,
    )
    const isSpoiling = !check.isAlike && !stated.includes(check)
    return { ...check, row: check.rule, spoils: isSpoiling ? others.map(({ rule }) => rule ?? '') : [] }
  })
  return [...rows, ...compared]
}

function isStated({ rule = '' }: Check): boolean {
  return isOfSpecification(rule)
}

/** Whether a row of the specification says by itself why a request is refused. Then the refusal confirms no assumption. */
function isExplained(check: Check, assumption: string | undefined, stated: readonly Check[]): boolean {
  const { aspect, path, rule, step } = check
  return (
    rule === undefined &&
    (aspect === 'status' || path === 'error.param') &&
    stated.some(
      one =>
        one.step === step &&
        step.status >= 400 &&
        one.place === 'status' &&
        refusesWithout(assumption, one.rule),
    )
  )
}

/** Whether two comparisons of one request are about one field, or about a field and the object that contains it. */
function isSamePlace(one: Check, other: Check): boolean {
  if (one.step !== other.step || !isOnePlace(one, other)) return false
  return (
    one.path === other.path ||
    one.path.startsWith(`${other.path}.`) ||
    one.path.startsWith(`${other.path}[]`) ||
    other.path.startsWith(`${one.path}.`) ||
    other.path.startsWith(`${one.path}[]`)
  )
}

function isOnePlace({ place = 'body' }: Check, other: Check): boolean {
  return place === (other.place ?? 'body')
}

/** The row that a comparison belongs to, and the column of the row that says so. */
interface Claimed {
  row: string
  column: keyof Evidences
}

/** The assumption that a comparison belongs to; undefined when it belongs to none. It may be a row of the specification for a status. */
function assumptionOf(check: Check, own: Replayed | undefined): Claimed | undefined {
  const { step, aspect, path, isAlike } = check
  if (aspect === 'status') {
    const row = own && statusRules(step, own)[0]
    // Of two equal refusals, both must show the reason.
    return isAlike && row !== statusRules(step, step)[0] ? undefined : inColumn('statuses', row)
  }
  const place = checkPlace(check, own)
  const claimed =
    own && place.isRefusal && aspect === 'value' && path === 'error.param'
      ? inColumn('statuses', assumedStatus(check, own))
      : inColumn('claims', claimedBy(check, place))
  return claimed ?? inColumn('completes', completedBy(check, place))
}

function inColumn(column: Claimed['column'], row: string | undefined): Claimed | undefined {
  return row === undefined ? undefined : { row, column }
}

function claimedBy(check: Check, place: CheckPlace): string | undefined {
  return answers().find(({ claims = [] }) =>
    claims.some(
      ({ on, at, aspects, emulated }) =>
        fits(on, place.view) &&
        fits(at, place.path) &&
        (aspects?.split(' ').includes(check.aspect) ?? true) &&
        fits(emulated, String(check.emulated)),
    ),
  )?.id
}

/** The parameter that a refusal names belongs to the assumption by which the value is refused. */
function assumedStatus({ step }: Check, own: Replayed): string | undefined {
  const [row] = statusRules(step, own)
  return row !== undefined && isOfSpecification(row) ? undefined : row
}

interface CheckPlace {
  home: string
  /** The operation, `a.error` for the body of a refusal, or `b.file`. */
  view: string
  /** The place inside a record: the parts of a record have the same names in every reply. */
  path: string
  isRefusal: boolean
  isFile: boolean
}

function checkPlace({ step, place, path }: Check, own: Replayed | undefined): CheckPlace {
  const { operation, family, status } = step
  const home = homeOf(family)
  const isDownload = operation === downloadOperation
  const isFile = place === 'file'
  const isHeader = place === 'header' && path !== 'header.content-type'
  const isRefusal = status >= 400 && own !== undefined && own.status >= 400 && !isDownload && !isHeader
  const inside = path.replaceAll('[]', '').replace(isTaskList(step) ? /^items\.|^data\./ : /^task\./, '')
  if (isRefusal) return { home, view: `${home}.error`, path, isRefusal, isFile }
  return { home, view: isFile ? `${home}.file` : operation, path: inside, isRefusal, isFile }
}

/** The assumption about a difference at a place that the specification names, without a value for it. */
function completedBy(check: Check, { home, isFile }: CheckPlace): string | undefined {
  const { step, path, isAlike } = check
  const isMedia = step.operation === downloadOperation && !isFile
  if (isAlike || !(isMedia || isFile || isNamedPlace(check))) return undefined
  const view = isMedia ? 'media.reply' : `${home}.${step.status >= 400 ? 'error' : 'reply'}`
  return answers().find(({ completes = {} }) => view in completes && fits(completes[view], path))?.id
}

/** By operation, or `a.error`: the places in replies that rows of the specification name. */
const places = new Map<string, string[]>()
for (const { seen } of statements)
  for (const family of specFamilies)
    for (const predicate of seen[family] ?? []) {
      if (predicate.kind !== 'fields') continue
      const { view } = predicate
      for (const operation of view.endsWith('.error') ? [view] : operationsOf(view)) {
        const named = Object.keys(predicate.fields).map(name =>
          [rootOf(view, operation), name].filter(Boolean).join('.'),
        )
        places.set(operation, [...(places.get(operation) ?? []), ...named])
      }
    }

/** Whether the specification names a place in the reply, or something inside it. */
function isNamedPlace({ step: { operation, family, status }, place = 'body', path }: Check): boolean {
  if (place !== 'body') return path === 'header.content-type'
  const named = places.get(status >= 400 ? `${family}.error` : operation) ?? []
  return named.some(
    name =>
      name === path || `${name}[]` === path || name.startsWith(`${path}.`) || name.startsWith(`${path}[]`),
  )
}
