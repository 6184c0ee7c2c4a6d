import type { Form } from './forms.ts'
import { at, shown, told, valuesAt, Words } from './json.ts'
import { namedBy, type Observation, recordsFor, stateIn } from './observation.ts'
import {
  type Agrees,
  type Answers,
  type Asks,
  any4xx,
  type Deletes,
  type Expires,
  type Fields,
  type Filtered,
  type Moves,
  type Predicate,
} from './predicates.ts'

/** What a judgement or a comparison is about. A body may have fields named `status`, `state` and `file`. */
export type Facet = 'body' | 'status' | 'header' | 'state' | 'file' | 'link' | 'connection'

/** What one observation says about a row at one place. */
export interface Judgement {
  place: Facet
  path: string
  holds: boolean
  found: unknown
  /** What it must be: `an integer`. */
  wanted: unknown
  /** The parts of the predicate that it shows. */
  shows: readonly string[]
  /** True where a form wants a number. */
  wantsNumber?: boolean
}

/** What an observation says about a row: nothing when it is about something else. Every place must hold for the observation to confirm the row. */
export function judge(row: string, predicate: Predicate, observed: Observation): Judgement[] {
  switch (predicate.kind) {
    case 'fields':
      return fieldsOf(predicate, observed)
    case 'asks':
      return asked(predicate, observed)
    case 'answers': {
      if (!observed.about?.includes(row)) return []
      const isFound = observed.status === 200 && Object.keys(predicate.fields).length > 0
      const found = isFound ? formsAt(observed.reply, predicate.fields, () => true) : []
      return [
        {
          ...statusIn(predicate.statuses, observed),
          shows:
            predicate.silent === observed.status
              ? []
              : [observed.kind ?? '']
                  .filter(one => predicate.cases?.includes(one))
                  .concat(predicate.cases ? [] : oneCase(predicate)),
        },
        ...found.map(one => ({ ...one, shows: [] })),
      ]
    }
    case 'moves':
      return moved(predicate, observed)
    case 'deletes':
      return deleted(predicate, observed)
    case 'files':
      return fileOf(predicate, observed)
    case 'expires':
      return expired(predicate, observed)
    case 'filtered':
      return filteredBy(predicate, observed)
    case 'agrees':
      return agreed(predicate, observed)
    case 'declared': {
      const { operations, statuses, others } = predicate
      const { operation, status } = observed
      const isRefused = (status >= 400 && status < 500) || status === 501
      return isRefused && operation.startsWith(operations) && !others.includes(status)
        ? [{ ...statusIn(statuses, observed), shows: [statuses === any4xx ? '4xx' : String(status)] }]
        : []
    }
  }
}

/** A judgement in words: `usage.ratio is "21x9", and must be of the form W:H`. */
export function sentenceOf({ place, path, found, wanted }: Judgement): string {
  const what = place === 'status' ? 'The HTTP status' : path === '' ? 'The body' : path
  return `${what} is ${shown(found)}, and must be ${typeof wanted === 'string' ? wanted : shown(wanted)}`
}

/** `shows`: the parts that it shows. */
function judged(
  place: Facet,
  path: string,
  sides: Pick<Judgement, 'holds' | 'found' | 'wanted'>,
  ...shows: readonly string[]
): Judgement {
  return { place, path, ...sides, shows }
}

function statusIn(statuses: readonly number[], { status }: Observation): Judgement {
  const wanted = statuses.length === any4xx.length ? '4xx' : statuses.join(' or ')
  const holds = statuses.includes(status)
  return judged('status', 'http_status', { holds, found: status, wanted }, '')
}

function formsAt(
  record: unknown,
  fields: Readonly<Record<string, Form>>,
  isDue: (path: string) => boolean,
): Judgement[] {
  return Object.entries(fields).flatMap(([name, form]) =>
    valuesAt(record, name).flatMap(([path, value]) =>
      (value === undefined && !isDue(path)) || form.isSilent?.(value)
        ? []
        : [
            {
              place: 'body' as const,
              path,
              holds: form.has(value),
              found: value,
              wanted: form.called,
              wantsNumber: typeof form.good === 'number',
              shows: shownBy(name, form, value),
            },
          ],
    ),
  )
}

function fieldsOf(predicate: Fields, observed: Observation): Judgement[] {
  const { view, fields, due, isWhole, nothingElse } = predicate
  return recordsFor(view, observed).flatMap(([root, record]) => {
    const isDue = due?.holds(record, observed) ?? false
    // A form for some records only says nothing about others, also where they have the field.
    const isLimited = due !== undefined && Object.keys(due.example).some(key => key !== 'state')
    if (isLimited && !isDue) return []
    const found = formsAt(record, fields, () => isDue)
    const others = nothingElse ? Object.keys(Object(record ?? {})).filter(name => !(name in fields)) : []
    return [
      ...(isWhole ? [{ ...statusIn([200], observed), shows: [] }] : []),
      ...found.map(one => ({ ...one, path: [root, one.path].filter(Boolean).join('.') })),
      ...others.map(path =>
        judged('body', path, { holds: false, found: at(record, path), wanted: 'absent' }),
      ),
    ]
  })
}

/** Refusals for another reason than the value: no key, no right, a body that is too large, a rate limit. */
const otherReasons = [401, 403, 404, 405, 413, 415, 429]

function asked({ operation, fields, given, statuses }: Asks, observed: Observation): Judgement[] {
  const { body, status, reply } = observed
  if (operation !== observed.operation || typeof body !== 'object' || body === null) return []
  if (given && !given.holds(body)) return []
  return Object.entries(fields).flatMap(([name, form]) => {
    const wrong = valuesAt(body, name).find(([, value]) => !form.has(value) && !isExcused(value, form))
    if (!wrong) {
      const taken = form.parts || status >= 300 ? [] : valuesAt(body, name).map(([, value]) => value)
      const shows = taken.filter(value => form.values?.includes(value)).map(value => `${name} ${value}`)
      return shows.length === 0 ? [] : [{ ...statusIn([status], observed), shows }]
    }
    const named = namedBy(reply)
    const isOther = status >= 400 && named !== undefined && named !== given?.by && !isAbout(named, name)
    // A refusal for another reason counts only when it names the parameter.
    const isOtherReason = otherReasons.includes(status) && !(statuses.includes(status) && named !== undefined)
    if (status >= 500 || isOther || isOtherReason) return []
    const refusal = statusIn(statuses, observed)
    const wanted = `${refusal.wanted}: ${name} is not ${form.called}`
    return [{ ...refusal, wanted, shows: shownBy(name, form, wrong[1]) }]
  })
}

/** Families read null, and K also an empty string, like a field that is left out. */
function isExcused(value: unknown, { bad }: Form): boolean {
  return (value === undefined || value === null || value === '') && !bad.includes(value ?? undefined)
}

/** Whether a refusal that names a parameter may be about another one: they are the same, or one contains the other. */
function isAbout(named: string, name: string): boolean {
  const [one, other] = [named, name].map(path => path.replace(/\[\d*\]/g, '').split('.')) as [
    string[],
    string[],
  ]
  return name === '' || one.slice(0, other.length).every((step, place) => step === other[place])
}

function moved({ family, from, to, never }: Moves, observed: Observation): Judgement[] {
  const now = stateIn(observed)
  const { before } = observed
  if (observed.family !== family || before === undefined || now === undefined) return []
  const found = new Words(`${told(now)} after ${told(before)}`)
  const isFinal = from === to
  const verdict = (holds: boolean, wanted: string): Judgement[] => {
    const part = isFinal ? before : moveOf({ from, to } as Moves, before, now)
    return [judged('state', 'state', { holds, found, wanted }, ...(holds ? [part] : []))]
  }
  if (isFinal) return from.includes(before) ? verdict(now === before, `${before} for good`) : []
  if (now === before) return []
  if (from.includes(before) && to.includes(now)) return verdict(true, '')
  const isWrong = to.includes(now) ? never.includes(before) : to.includes(before) && from.includes(now)
  return isWrong ? verdict(false, `another state than ${told(now)}`) : []
}

function deleted({ family, from, statuses, action }: Deletes, observed: Observation): Judgement[] {
  const { operation, before, reply, status } = observed
  if (operation !== `${family}.delete` || before === undefined || !from.includes(before)) return []
  const told = at(reply, 'action')
  // A task that was live when it was last seen may have ended since.
  const mayHaveEnded = told === 'deleted' && action !== 'deleted'
  if (mayHaveEnded || [401, 403, 429].includes(status) || status === 500 || status > 501) return []
  return [
    { ...statusIn(statuses, observed), shows: [before] },
    ...(action === undefined
      ? []
      : [judged('body', 'action', { holds: told === action, found: told, wanted: action })]),
  ]
}

function fileOf(predicate: Extract<Predicate, { kind: 'files' }>, observed: Observation): Judgement[] {
  const { operation, family, isKeyed, status, file } = observed
  if (operation !== 'media.download' || family !== predicate.family || isKeyed) return []
  if (file && !file.type.startsWith(predicate.of)) return []
  // Links end, and a part of a file says nothing about the whole.
  if (status !== 200) return status === 401 ? [statusIn([200], observed)] : []
  if (!file) return []
  const size = `${file.width}x${file.height}`
  const { type, of } = predicate
  const isType = { holds: type.test(file.type), found: file.type, wanted: String(type) }
  const isSize = { holds: size === file.videoSize, found: size, wanted: file.videoSize }
  return [
    judged('file', 'file.type', isType, 'file.type'),
    ...(file.videoSize === undefined || of === '' ? [] : [judged('file', 'file.size', isSize, 'file.size')]),
  ]
}

/** A download shows a life only near its end; others say nothing, because links end for other reasons too. */
function expired(predicate: Expires, observed: Observation): Judgement[] {
  const { operation, family, status, ageHours: age, isKeyed } = observed
  if (operation !== 'media.download' || family !== predicate.family || isKeyed || age === undefined) return []
  const [works, refused] = Object.entries(livesOf(predicate))
  const isRefused = [403, 404, 410].includes(status)
  const [part, [from, to]] = (isRefused ? refused : works) ?? ['', [0, 0]]
  if ((!isRefused && status >= 300) || age < from || age > to) return []
  return [{ ...statusIn([status], observed), shows: [part] }]
}

function agreed({ view, place, path, read, isNeverShown }: Agrees, observed: Observation): Judgement[] {
  return recordsFor(view, observed).flatMap(([root, record]) => {
    const [found, wanted, other = path] = read(record, observed) ?? []
    if (found === undefined) return []
    const full = [root, other].filter(Boolean).join('.')
    const holds = JSON.stringify(found) === JSON.stringify(wanted)
    return [judged(place ?? 'body', full, { holds, found, wanted }, ...(isNeverShown ? [] : [path]))]
  })
}

function filteredBy(
  { operation, parameter, field, isNeverShown }: Filtered,
  observed: Observation,
): Judgement[] {
  const wanted = at(observed.body, parameter)
  const name = at(observed.reply, 'items') === undefined ? 'data' : 'items'
  const items = at(observed.reply, name)
  if (observed.operation !== operation || observed.status !== 200) return []
  if (typeof wanted !== 'string' || wanted === '' || !Array.isArray(items)) return []
  const isOther = (item: unknown) => !wanted.split(',').includes(String(at(item, field)))
  const other = items.find(isOther)
  // A list without a task that the account has, and that the filter leaves out, shows the filter.
  const isPassedOver = observed.others?.some(isOther) ?? false
  if (other === undefined && !isPassedOver) return []
  const found = other === undefined ? wanted : at(other, field)
  const asked = `${wanted.split(',').map(told).join(',')}, as ${parameter} asks`
  const sides = { holds: other === undefined, found, wanted: asked }
  return [judged('body', `${name}[].${field}`, sides, ...(isNeverShown ? [] : [parameter]))]
}

/** What must have been seen of a predicate, in one observation or in several, before its row is confirmed. */
export function partsOf(predicate: Predicate): string[] {
  switch (predicate.kind) {
    case 'fields':
    case 'asks':
      return Object.entries(predicate.fields).flatMap(([name, { parts, values }]) => {
        const listed = values && [...values.map(String), ...(predicate.kind === 'asks' ? [another] : [])]
        const all = parts ? Object.keys(parts) : listed
        return all?.map(part => `${name} ${part}`) ?? [name]
      })
    case 'files':
      return predicate.of === 'image/' ? ['file.type', 'file.size'] : ['file.type']
    case 'moves':
      return predicate.from === predicate.to
        ? [...predicate.from]
        : predicate.from.flatMap(before => predicate.to.map(now => moveOf(predicate, before, now)))
    case 'deletes':
      return [...predicate.from]
    case 'expires':
      return Object.keys(livesOf(predicate))
    case 'declared':
      return predicate.statuses === any4xx ? ['4xx'] : predicate.statuses.map(String)
    case 'agrees':
      return predicate.isNeverShown ? [] : [predicate.path]
    case 'filtered':
      return predicate.isNeverShown ? [] : [predicate.parameter]
    case 'answers':
      return [...(predicate.cases ?? [oneCase(predicate)])]
  }
}

/** The part of a list of values that a refused value shows. */
const another = 'another value'

/** A change of state; only the side that varies is named. */
function moveOf({ from, to }: Moves, before: string, now: string): string {
  if (from.length === 1) return now
  return to.length === 1 ? before : `${before} to ${now}`
}

function oneCase({ ask, statuses }: Answers): string {
  return ask ? `${ask.method ?? 'GET'} ${ask.path}` : `${statuses[0]}`
}

/** What downloads show of a life, each with the hours after the end in which they do. "About" is 5 %. */
function livesOf({ hours }: Expires): Record<string, readonly [from: number, to: number]> {
  return {
    [`works until ${hours} h`]: [hours * 0.9, hours * 1.05],
    [`refused after ${hours} h`]: [hours * 0.95, hours * 1.15],
  }
}

/** The parts of a form that a value shows. */
function shownBy(name: string, { parts, values }: Form, value: unknown): string[] {
  if (!parts && values) return [`${name} ${values.includes(value) ? value : another}`]
  if (!parts) return [name]
  return Object.keys(parts)
    .filter(part => parts[part]?.(value))
    .map(part => `${name} ${part}`)
}
