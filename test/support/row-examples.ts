import { withValue } from '../../src/evidence/spec/json.ts'
import {
  type Observation,
  operationsOf,
  rootOf,
  type SpecFamily,
} from '../../src/evidence/spec/observation.ts'
import type { Asks, Due, Fields, Predicate } from '../../src/evidence/spec/predicates.ts'

/** Observations that a predicate must find right, and observations that it must find wrong. */
export interface Examples {
  confirms: Observation[]
  contradicts: Observation[]
}

const inputs = {
  model: (name: string) => name,
  picture: 'https://example.org/picture.png',
  sample: (name: string) => `https://example.org/${name}`,
}

/** Exchanges made from the data of a predicate: each has one value of the right or of the wrong form. */
export function examplesOf(
  row: string,
  family: SpecFamily,
  predicate: Exclude<Predicate, { kind: 'agrees' }>,
): Examples {
  const observed = (operation: string, parts: Partial<Observation>): Observation => ({
    operation,
    family,
    status: 200,
    ...parts,
  })
  switch (predicate.kind) {
    case 'fields':
      return examplesOfFields(predicate, observed)
    case 'asks':
      return examplesOfAsks(predicate, observed)
    case 'answers': {
      const reply = filled(predicate.fields, {})
      const about = [row]
      const kinds = predicate.cases ?? [undefined]
      return {
        confirms: predicate.statuses.flatMap(status =>
          kinds.map(kind => observed('unknown', { status, reply, about, ...(kind && { kind }) })),
        ),
        contradicts: [
          observed('unknown', { status: 500, about }),
          ...wrongOnes(predicate.fields, reply).map(([, one]) => observed('unknown', { reply: one, about })),
        ],
      }
    }
    case 'moves': {
      const { from, to, never } = predicate
      const isFinal = from === to
      const shows = (before: string, now: string) =>
        observed(stateReplies[family]?.operation ?? '', {
          before,
          reply: withValue({}, stateReplies[family]?.path ?? '', now),
        })
      const pairs = (some: readonly string[], others: readonly string[]) =>
        some.flatMap(one => others.map(other => shows(one, other)))
      return isFinal
        ? { confirms: from.map(one => shows(one, one)), contradicts: pairs(from, ['running']) }
        : { confirms: pairs(from, to), contradicts: [...pairs(to, from), ...pairs(never, to)] }
    }
    case 'deletes': {
      const of = (parts: Partial<Observation>) =>
        predicate.from.map(before => observed(`${family}.delete`, { before, ...parts }))
      const reply = predicate.action === undefined ? {} : { action: predicate.action }
      return {
        confirms: predicate.statuses.flatMap(status => of({ status, reply })),
        contradicts: [
          ...of({ status: 418, reply }),
          ...(predicate.action === undefined ? [] : of({ status: 200, reply: { action: 'removed' } })),
        ],
      }
    }
    case 'files': {
      const [type] = ['video/mp4', 'image/png'].filter(
        one => one.startsWith(predicate.of) && predicate.type.test(one),
      )
      const size = predicate.of === 'image/' ? { width: 1280, height: 720, videoSize: '1280x720' } : {}
      const of = (file: object) => observed('media.download', { file: { type: '', ...file } })
      return {
        confirms: [of({ type, ...size })],
        contradicts: [
          of({ type: `${predicate.of || 'text/'}plain` }),
          ...(predicate.of === 'image/' ? [of({ type, ...size, width: 640 })] : []),
        ],
      }
    }
    case 'expires': {
      const of = (status: number, ageHours: number) => observed('media.download', { status, ageHours })
      // A link may end for other reasons too, so nothing contradicts it.
      return { confirms: [of(206, predicate.hours - 0.1), of(403, predicate.hours + 0.1)], contradicts: [] }
    }
    case 'filtered': {
      const { operation, parameter, field } = predicate
      const of = (value: string) =>
        observed(operation, {
          body: { [parameter]: 'wanted' },
          reply: { items: [{ [field]: value }] },
          others: [{ [field]: 'other' }],
        })
      return { confirms: [of('wanted')], contradicts: [of('other')] }
    }
    case 'declared':
      return {
        confirms: predicate.statuses.map(status => observed(exampleOf(predicate.operations), { status })),
        contradicts: [422, 501]
          .filter(status => !predicate.statuses.includes(status))
          .map(status => observed(exampleOf(predicate.operations), { status })),
      }
  }
}

/** An operation whose name begins so. */
const exampleOf = (operations: string) => (operations.endsWith('.') ? `${operations}create` : operations)

type MakeSight = (operation: string, parts: Partial<Observation>) => Observation

function examplesOfFields(
  { view, fields, due, isWhole, nothingElse }: Fields,
  observed: MakeSight,
): Examples {
  const isError = view.endsWith('.error')
  const confirms: Observation[] = []
  const contradicts: Observation[] = []
  for (const operation of operationsOf(view)) {
    // Nobody knows which requests made the tasks of a list.
    if (due?.example.made && operation.endsWith('.list')) continue
    const root = rootOf(view, operation)
    const record = filled(fields, { ...due?.example.record, ...stateFields(view, due) })
    const parts = {
      status: due?.example.status ?? (isError ? 400 : 200),
      ...(due?.example.sent && { body: due.example.sent }),
      ...(due?.example.made && { made: due.example.made }),
    }
    const shows = (one: unknown) => observed(operation, { ...parts, reply: withValue({}, root, one) })
    confirms.push(shows(record))
    for (const [path, { values = [] }] of Object.entries(fields))
      confirms.push(...values.map(value => shows(withValue(record, path, value))))
    contradicts.push(...wrongOnes(fields, record).map(([, one]) => shows(one)))
    if (due && !Object.values(fields).some(form => form.has(undefined) || form.isSilent?.(undefined)))
      contradicts.push(shows(without(record, fields)))
    if (isWhole) contradicts.push({ ...shows(record), status: 201 })
    if (nothingElse) contradicts.push(shows({ ...(record as object), more: 1 }))
  }
  return { confirms, contradicts }
}

const stateReplies: Readonly<Record<string, { operation: string; path: string }>> = {
  a: { operation: 'a.get', path: 'status' },
  b: { operation: 'b.get', path: 'output.task_status' },
  c: { operation: 'c.get', path: 'task.status' },
  special: { operation: 'special.get', path: 'task.status' },
  k: { operation: 'k.tasks.get', path: 'data[].status' },
}

/** The state that a record must have for its fields to be due. */
function stateFields(view: string, due: Due | undefined): object {
  const state = due?.example.state
  if (state === undefined) return {}
  if (view === 'b.get') return { output: { task_status: state === 'success' ? 'SUCCEEDED' : 'FAILED' } }
  return { status: state === 'success' ? 'succeeded' : 'failed' }
}

function filled(fields: Fields['fields'], record: unknown): unknown {
  return Object.entries(fields).reduce(
    (whole, [path, form]) => (form.good === undefined ? whole : withValue(whole, path, form.good)),
    record,
  )
}

/** One record for each wrong value of each field. */
function wrongOnes(fields: Fields['fields'], record: unknown): [path: string, record: unknown][] {
  return Object.entries(fields).flatMap(([path, form]) =>
    form.bad
      .filter(bad => bad !== undefined)
      .map((bad): [string, unknown] => [
        path,
        withValue(record, path, typeof bad === 'function' ? bad(inputs) : bad),
      ]),
  )
}

function without(record: unknown, fields: Fields['fields']): unknown {
  return Object.keys(fields).reduce((whole, path) => withValue(whole, path, undefined), record)
}

function examplesOfAsks({ operation, fields, given, statuses }: Asks, observed: MakeSight): Examples {
  const plain = { model: 'model_a_25', ...given?.change(inputs) }
  const wrong = Object.entries(fields).flatMap(([name, form]) =>
    form.bad.map(bad => {
      const value: unknown = typeof bad === 'function' ? bad(inputs) : bad
      if (name === '') return { ...plain, ...(value as object) }
      return name.startsWith('filter.') ? { ...plain, [name]: value } : withValue(plain, name, value)
    }),
  )
  const right = Object.entries(fields).flatMap(([name, { values = [] }]) =>
    values.map(value =>
      observed(operation, {
        body: name.startsWith('filter.') ? { ...plain, [name]: value } : withValue(plain, name, value),
      }),
    ),
  )
  return {
    confirms: [...wrong.map(body => observed(operation, { body, status: statuses[0] ?? 0 })), ...right],
    contradicts: wrong.flatMap(body => [200, 300].map(status => observed(operation, { body, status }))),
  }
}
