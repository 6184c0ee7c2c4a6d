import type { Form } from './forms.ts'
import { at, shown, valuesAt } from './json.ts'
import type { Asks, Deletes, Fields, Filtered, Moves, Predicate } from './predicates.ts'
import { recordsFor, type Sight, stateIn } from './sight.ts'

/** What one sight says about a row at one place. */
export interface Judgement {
  path: string
  holds: boolean
  found: unknown
  /** What it must be: `an integer`. */
  wanted: string
}

/** What a sight says about a row: nothing when it is about something else. Every place must hold for the sight to confirm the row. */
export function judge(row: string, predicate: Predicate, sight: Sight): Judgement[] {
  switch (predicate.kind) {
    case 'fields':
      return fieldsOf(predicate, sight)
    case 'asks':
      return asked(predicate, sight)
    case 'answers': {
      if (!sight.about?.includes(row)) return []
      const isFound = sight.status === 200 && Object.keys(predicate.fields).length > 0
      return [
        statusIn(predicate.statuses, sight),
        ...(isFound ? formsAt(sight.reply, predicate.fields, () => true) : []),
      ]
    }
    case 'moves':
      return moved(predicate, sight)
    case 'deletes':
      return deleted(predicate, sight)
    case 'files':
      return fileOf(predicate, sight)
    case 'filtered':
      return filteredBy(predicate, sight)
    case 'declared': {
      const isRefused =
        predicate.operations.test(sight.operation) && sight.status >= 400 && sight.status < 500
      return isRefused || (sight.status === 501 && predicate.operations.test(sight.operation))
        ? [statusIn(predicate.statuses, sight)]
        : []
    }
  }
}

/** A judgement in words: `usage.ratio is "21x9", and must be of the form W:H`. */
export function sentenceOf({ path, found, wanted }: Judgement): string {
  if (path === 'status') return `The status is ${shown(found)}, and must be ${wanted}`
  return `${path === '' ? 'The body' : path} is ${shown(found)}, and must be ${wanted}`
}

function statusIn(statuses: readonly number[], { status }: Sight): Judgement {
  return { path: 'status', holds: statuses.includes(status), found: status, wanted: statuses.join(' or ') }
}

function formsAt(
  record: unknown,
  fields: Readonly<Record<string, Form>>,
  isDue: (path: string) => boolean,
): Judgement[] {
  return Object.entries(fields).flatMap(([name, form]) =>
    valuesAt(record, name).flatMap(([path, value]) =>
      value === undefined && !isDue(path)
        ? []
        : [{ path, holds: form.has(value), found: value, wanted: form.called }],
    ),
  )
}

function fieldsOf(predicate: Fields, sight: Sight): Judgement[] {
  const { view, fields, due, isWhole, nothingElse } = predicate
  return recordsFor(view, sight).flatMap(([root, record]) => {
    const isDue = due?.holds(record, sight) ?? false
    // A form for some records only says nothing about others, also where they have the field.
    const isLimited = due !== undefined && Object.keys(due.example).some(key => key !== 'state')
    if (isLimited && !isDue) return []
    const found = formsAt(record, fields, () => isDue)
    const others = nothingElse ? Object.keys(Object(record ?? {})).filter(name => !(name in fields)) : []
    return [
      ...(isWhole ? [statusIn([200], sight)] : []),
      ...found.map(one => ({ ...one, path: [root, one.path].filter(Boolean).join('.') })),
      ...others.map(path => ({ path, holds: false, found: at(record, path), wanted: 'absent' })),
    ]
  })
}

/** Refusals for another reason than the value: no key, no right, a body that is too large, a rate limit. */
const otherReasons = [401, 403, 404, 405, 413, 415, 429]

function asked({ operation, fields, given, statuses }: Asks, sight: Sight): Judgement[] {
  const { body, status, reply } = sight
  if (operation !== sight.operation || typeof body !== 'object' || body === null) return []
  if (given && !given.holds(body)) return []
  return Object.entries(fields).flatMap(([name, form]) => {
    const wrong = valuesAt(body, name).find(([, value]) => !form.has(value) && !isExcused(value, form))
    if (!wrong) return []
    const isRefused = status >= 400 && !isAbout(reply, name)
    if (status >= 500 || isRefused || (otherReasons.includes(status) && !statuses.includes(status))) return []
    return [
      {
        ...statusIn(statuses, sight),
        wanted: `${statuses.length > 1 ? '4xx' : statuses[0]}: ${name} is not ${form.called}`,
      },
    ]
  })
}

/** Families read null, and K also an empty string, like a field that is left out. */
function isExcused(value: unknown, { bad }: Form): boolean {
  return (value === undefined || value === null || value === '') && !bad.includes(value ?? undefined)
}

/** The parameter that a refusal names. */
function namedBy(reply: unknown): string | undefined {
  const param = at(reply, 'error', 'param')
  return typeof param === 'string' && param !== '' ? param : undefined
}

/** Whether a refusal may be about a parameter: it names none, or this one. */
function isAbout(reply: unknown, name: string): boolean {
  const named = namedBy(reply)?.replace(/\[\d*\]/g, '[]')
  const [first] = name.split(/[.[]/)
  return named === undefined || first === '' || named.split(/[.[]/)[0] === first
}

function moved({ family, from, to, never }: Moves, sight: Sight): Judgement[] {
  const now = stateIn(sight)
  const { before } = sight
  if (sight.family !== family || before === undefined || now === undefined) return []
  const verdict = (holds: boolean, wanted: string) => [
    { path: 'state', holds, found: `${before}, then ${now}`, wanted },
  ]
  const isFinal = from === to
  if (isFinal) return from.includes(before) ? verdict(now === before, `${before} for good`) : []
  if (now === before) return []
  if (from.includes(before) && to.includes(now)) return verdict(true, '')
  if (never.includes(before) && to.includes(now)) return verdict(false, `never ${now} after ${before}`)
  return to.includes(before) && from.includes(now) ? verdict(false, `never ${now} after ${before}`) : []
}

function deleted({ family, from, statuses, action }: Deletes, sight: Sight): Judgement[] {
  const { operation, before, reply, status } = sight
  if (operation !== `${family}.delete` || before === undefined || !from.includes(before)) return []
  const told = at(reply, 'action')
  // A task that was live when it was last seen may have ended since.
  const mayHaveEnded = told === 'deleted' && action !== 'deleted'
  if (mayHaveEnded || [401, 403, 429].includes(status) || status === 500 || status > 501) return []
  return [
    statusIn(statuses, sight),
    ...(action === undefined
      ? []
      : [{ path: 'action', holds: told === action, found: told, wanted: action }]),
  ]
}

function fileOf(predicate: Extract<Predicate, { kind: 'files' }>, sight: Sight): Judgement[] {
  const { operation, family, isKeyed, status, file } = sight
  if (operation !== 'media.download' || family !== predicate.family || isKeyed) return []
  if (file && !file.type.startsWith(predicate.of)) return []
  // Links end, and a part of a file says nothing about the whole.
  if (status !== 200) return status === 401 ? [statusIn([200], sight)] : []
  if (!file) return []
  const size = `${file.width}x${file.height}`
  return [
    {
      path: 'file.type',
      holds: predicate.type.test(file.type),
      found: file.type,
      wanted: String(predicate.type),
    },
    ...(file.videoSize === undefined
      ? []
      : [{ path: 'file.size', holds: size === file.videoSize, found: size, wanted: file.videoSize }]),
  ]
}

function filteredBy({ operation, parameter, field }: Filtered, sight: Sight): Judgement[] {
  const wanted = at(sight.body, parameter)
  const items = at(sight.reply, 'items')
  if (sight.operation !== operation || sight.status !== 200) return []
  if (typeof wanted !== 'string' || wanted === '' || !Array.isArray(items)) return []
  const other = items.find(item => !wanted.split(',').includes(String(at(item, field))))
  if (other === undefined && items.length === 0) return []
  const found = other === undefined ? wanted : at(other, field)
  return [
    {
      path: `items[].${field}`,
      holds: other === undefined,
      found,
      wanted: `${wanted}, as ${parameter} asks`,
    },
  ]
}
