import type { Form, Inputs } from './forms.ts'
import { at } from './json.ts'
import { isWordFor, type Observation, stateOf } from './observation.ts'

/** How a row is seen in requests and replies. Data: `judge` reads it, and examples and the requests of `selfcheck` are made from it. */
export type Predicate =
  | Fields
  | Asks
  | Answers
  | Moves
  | Deletes
  | Files
  | Expires
  | Filtered
  | Declared
  | Agrees

/** The statuses of family K: "declared without distinguishing status codes". */
export const any4xx: readonly number[] = Array.from({ length: 100 }, (_, place) => 400 + place)

/** When a field must be there. */
export interface Due {
  holds(record: unknown, observed: Observation): boolean
  /** An observation in which it must be there: its state, and parts of the record or of the request. */
  example: { state?: 'success' | 'failure'; record?: object; sent?: object; made?: object; status?: number }
}

/** Fields of records, of the whole reply of an operation, or of errors. */
export interface Fields {
  kind: 'fields'
  view: string
  fields: Readonly<Record<string, Form>>
  due: Due | undefined
  /** The status must be 200. */
  isWhole?: true
  /** No other field may be there. */
  nothingElse?: true
  /** Selfcheck makes no such request. */
  isElsewhere?: true
  /** A replay of a recording has the recorded values, because they cannot be derived from the request. */
  isRepeated?: true
}

/** Parameters of a request: one of another form is refused. */
export interface Asks {
  kind: 'asks'
  operation: string
  fields: Readonly<Record<string, Form>>
  given: RequestKind | undefined
  statuses: readonly number[]
}

/** A kind of request that a rule is limited to. */
export interface RequestKind {
  holds(body: unknown): boolean
  /** What makes a plain request one of this kind. */
  change(inputs: Inputs): object
  /** The parameter that makes it one of this kind: a refusal may name it. */
  by?: string
  needs?: 'samples'
}

/** The answer in a case that only the sender knows. */
export interface Answers {
  kind: 'answers'
  statuses: readonly number[]
  /** A status that is allowed too, and does not show the row. */
  silent?: number
  /** What an answer with 200 has. */
  fields: Readonly<Record<string, Form>>
  /** Absent when `selfcheck` cannot make the case. */
  ask?: Ask
  /** The cases that show the row together, as an observation names them; absent: one. */
  cases?: readonly string[]
}

/** A request by path. `{task}` is the task that `selfcheck` made. */
export interface Ask {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  body?(inputs: Inputs): unknown
  /** Another Authorization header; null: none. */
  authorization?(key: string): string | null
  /** The task of another family. */
  taskOf?: 'c'
  needs?: 'other account' | 'samples'
  /** True when an unknown path is asked for, whose answer is in no family's shape. */
  isNoPath?: true
}

/** A change of a task's state. The way back contradicts it. */
export interface Moves {
  kind: 'moves'
  family: string
  from: readonly string[]
  to: readonly string[]
  /** States that may never become one of `to`. */
  never: readonly string[]
  isElsewhere?: true
}

/** DELETE of a task that was last seen in one of some states. */
export interface Deletes {
  kind: 'deletes'
  family: string
  from: readonly string[]
  statuses: readonly number[]
  action?: string
}

/** A file, downloaded without a key. */
export interface Files {
  kind: 'files'
  family: string
  type: RegExp
  /** Which observations of files it is about, by the beginning of their types. */
  of: string
}

/** A link that works for some hours after the end of its task, and then no more. */
export interface Expires {
  kind: 'expires'
  family: string
  hours: number
}

/** A filter of a list: every item has the value. */
export interface Filtered {
  kind: 'filtered'
  operation: string
  parameter: string
  field: string
  isElsewhere?: true
  /** True when a list that keeps the filter does not show the row. */
  isNeverShown?: true
}

/** The statuses with which an operation may refuse a request. */
export interface Declared {
  kind: 'declared'
  /** How their names begin. */
  operations: string
  statuses: readonly number[]
  /** Statuses that other rows declare. */
  others: readonly number[]
}

/** What other parts of a record, or of its request, decide. */
export interface Agrees {
  kind: 'agrees'
  view: string
  /** Absent: the body. */
  place?: 'link'
  path: string
  /** What the record has and what it must have, at `path` or at another one; undefined when nothing decides it. */
  read(
    record: unknown,
    observed: Observation,
  ): readonly [found: unknown, wanted: unknown, path?: string] | undefined
  /** True when a right value does not show the row. */
  isNeverShown?: true
  isElsewhere?: true
}

type FieldsByPath = Fields['fields']

/** Fields of a record or reply. Without `due`, a field may be absent. */
export function fields(view: string, byPath: FieldsByPath, due?: Due, more: Partial<Fields> = {}): Fields {
  return { kind: 'fields', view, fields: byPath, due, ...more }
}

/** The whole reply of an operation: status 200, with these fields. */
export function replies(operation: string, byPath: FieldsByPath, more: Partial<Fields> = {}): Fields {
  return fields(operation, byPath, always, { isWhole: true, ...more })
}

/** Replies that `selfcheck` never gets, because their jobs cost much or need requests that the specification does not show. */
export const elsewhere = { isElsewhere: true } as const

/** Values that a replay repeats. */
export const repeated = { isRepeated: true } as const

export function asks(
  operation: string,
  byPath: FieldsByPath,
  given?: RequestKind,
  statuses: readonly number[] = [400],
): Asks {
  return { kind: 'asks', operation, fields: byPath, given, statuses }
}

export function answers(
  statuses: number | readonly number[],
  ask?: Ask,
  byPath: FieldsByPath = {},
  silent?: number,
): Answers {
  const more = { ...(ask && { ask }), ...(silent !== undefined && { silent }) }
  return { kind: 'answers', statuses: [statuses].flat(), fields: byPath, ...more }
}

export function moves(family: string, from: string[], to: string[], more: Partial<Moves> = {}): Moves {
  return { kind: 'moves', family, from, to, never: [], ...more }
}

export function deletes(family: string, from: string[], statuses: number[], action?: string): Deletes {
  return { kind: 'deletes', family, from, statuses, ...(action && { action }) }
}

export function files(family: string, type: RegExp, of = ''): Files {
  return { kind: 'files', family, type, of }
}

export function expires(family: string, hours: number): Expires {
  return { kind: 'expires', family, hours }
}

export function filtered(
  operation: string,
  parameter: string,
  field: string,
  more: Pick<Filtered, 'isElsewhere' | 'isNeverShown'> = {},
): Filtered {
  return { kind: 'filtered', operation, parameter, field, ...more }
}

/** The statuses that a line lists for refusals of operations whose names begin so; `others` are those of other lines. */
export function declared(
  operations: string,
  statuses: readonly number[],
  ...others: readonly number[]
): Declared {
  return { kind: 'declared', operations, statuses, others }
}

export const always: Due = { holds: () => true, example: {} }

const isSuccess = (record: unknown) => isWordFor('success', stateOf(record))

export const success: Due = { holds: isSuccess, example: { state: 'success' } }
export const failure: Due = {
  holds: record => isWordFor('failure', stateOf(record)),
  example: { state: 'failure' },
}

/** Succeeded tasks whose record has a field with some value: `modality`. */
export function successOf(name: string, value: string): Due {
  return {
    holds: record => isSuccess(record) && at(record, name) === value,
    example: { state: 'success', record: { [name]: value } },
  }
}

/** Succeeded tasks that were made by a request with these values; undefined: without the field. */
export function madeWith(values: Readonly<Record<string, unknown>>): Due {
  return {
    // A list also has tasks that other requests made.
    holds: (record, { made, operation }) =>
      isSuccess(record) &&
      !operation.endsWith('.list') &&
      typeof made === 'object' &&
      Object.entries(values).every(([name, value]) =>
        value instanceof RegExp ? value.test(String(at(made, name))) : at(made, name) === value,
      ),
    example: {
      state: 'success',
      made: Object.fromEntries(
        Object.entries({ model: /25/, ...values }).map(([name, value]) => [
          name,
          value instanceof RegExp ? ['model_a_25', 'model_a_20'].find(model => value.test(model)) : value,
        ]),
      ),
    },
  }
}

/** Replies to requests that have all of these fields. */
export function sentAll(...names: readonly string[]): Due {
  return {
    holds: (_, { body }) => names.every(name => at(body, name) !== undefined),
    example: { sent: Object.fromEntries(names.map(name => [name, 'x'])) },
  }
}

/** Replies to requests with these values, such as `layer_decomposition: true`; a list names all values that count. */
export function sentWith(name: string, ...values: readonly unknown[]): Due {
  return { holds: (_, { body }) => values.includes(at(body, name)), example: { sent: { [name]: values[0] } } }
}

export function withStatus(status: number): Due {
  return { holds: (_, observed) => observed.status === status, example: { status } }
}
