import type { JSONSchema } from 'json-schema-to-ts'

/** The names of worlds, accounts and scenarios, as a part of a pattern. */
export const nameForm = '[A-Za-z0-9_-]{1,64}'
/** The whole pattern, for JSON Schemas. */
export const namePattern = `^${nameForm}$` as const
/** What a name may hold, for messages. */
export const nameRule = '1 to 64 letters, digits, _ or -'

const wholeName = new RegExp(namePattern)

/** Whether a text can be the name of a world or an account. */
export function isName(text: string): boolean {
  return wholeName.test(text)
}

/** The key that leads to an account of a world. A label makes it another key of that account. */
export function keyOf(world: string, account = 'default', label = ''): string {
  const base = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
  const first = account === 'default' ? base : `${base}.${account}`
  return label === '' ? first : `${first}:${label}`
}

/** What a key names. */
export interface KeyAddress {
  world: string
  account: string
  /** Tells the keys of one account apart (A-keys); undefined for its first one. */
  label?: string | undefined
}

const keyForm = new RegExp(`^(?:sk-emulator|sk-test-(${nameForm}))(?:\\.(${nameForm}))?(?::(${nameForm}))?$`)

/** Reads a key; undefined for one of another form. */
export function readKey(key: string): KeyAddress | undefined {
  const found = keyForm.exec(key)
  if (!found) return undefined
  const [, world = 'default', account = 'default', label] = found
  return { world, account, label }
}

/** Whether a value is an object of JSON: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Field = Exclude<JSONSchema, boolean>
type Fields = Readonly<Record<string, Field>>

/** The JSON Schema of a stored record. */
export interface RecordSchema {
  readonly type: 'object'
  readonly additionalProperties: false
  readonly required?: readonly string[]
  readonly properties: Fields
}

interface ObjectSchema {
  readonly type: 'object'
  readonly [word: string]: unknown
}

/** Says of which type a schema's values are. It is for the compiler only: no schema has this key. */
export interface Holds<T> {
  readonly holds: T
}

/** The type of the values that a schema allows: a record is described once, by its schema. */
export type Value<S> =
  S extends Holds<infer T>
    ? T
    : S extends { enum: readonly (infer E)[] }
      ? E
      : S extends { const: infer C }
        ? C
        : S extends { items: infer I; type: infer T }
          ? ListOf<I> | ('null' extends TypeWord<T> ? null : never)
          : S extends { type: infer T }
            ? Plain[Extract<TypeWord<T>, keyof Plain>]
            : unknown

interface Plain {
  string: string
  integer: number
  number: number
  boolean: boolean
  object: object
  null: null
}
type TypeWord<T> = T extends readonly (infer U)[] ? U : T
type ListOf<I> = I extends readonly unknown[] ? { readonly [K in keyof I]: Value<I[K]> } : readonly Value<I>[]
type RecordOf<A, S> = { -readonly [K in keyof A]: Value<A[K]> } & { -readonly [K in keyof S]?: Value<S[K]> }

/** The schema of a record: the fields that it always has, then those that may be absent. */
export function record<const A extends Fields, const S extends Fields = Record<never, Field>>(
  always: A,
  sometimes?: S,
): RecordSchema & Holds<RecordOf<A, S>> {
  return holding<RecordOf<A, S>, RecordSchema>(exactly(always, sometimes))
}

/** A schema of objects whose type does not follow from it. */
export function holding<T, S = ObjectSchema>(schema: S): S & Holds<T> {
  return schema as S & Holds<T>
}

/** The schema of an object that has these fields and no others, for schemas whose type is not needed, as of replies. */
export function exactly(always: Fields, sometimes: Fields = {}): RecordSchema {
  const properties = { ...always, ...sometimes }
  const required = Object.keys(always)
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties,
  }
}

/** What a schema adds so that a record of one kind must have more fields. */
export function requiredOf(kind: string, ...required: readonly string[]) {
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, never awaited
  return { if: { properties: { kind: { const: kind } } }, then: { required } } as const
}

/** Virtual moments and lengths: whole milliseconds up to the year 9999. */
export const ms = { type: 'integer', minimum: 0, maximum: 253_402_300_799_000 } as const
export const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
export const amount = { type: 'number', minimum: -1e12, maximum: 1e12 } as const
/** Any text. No limit: what a request was allowed to contain must be readable after a restart. */
export const text = { type: 'string' } as const
/** An absolute address, in replies. */
export const link = { type: 'string', format: 'uri' } as const
export const id = { type: 'string', minLength: 1, maxLength: 512 } as const
export const digest = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
export const flag = { type: 'boolean' } as const
/** Whole numbers of things in a file: frames, pages, pixels of a side. */
export const frameCount = { type: 'integer', minimum: 1, maximum: 1_000_000 } as const
export const side = { type: 'integer', minimum: 1, maximum: 20_000 } as const
/** A ratio as replies show it, such as `16:9`. */
export const ratioText = { type: 'string', pattern: '^\\d{1,4}:\\d{1,4}$' } as const
export const measure = { type: 'number', minimum: 0, maximum: 1e12 } as const

export const accountName = { type: 'string', pattern: namePattern } as const

/** Not `.` or `..`: every client removes them from a path, so a request could not name such a snapshot. */
export const snapshotName = {
  type: 'string',
  pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}$',
  description: 'a name of letters, digits, dots, - and _, at most 64 characters',
} as const

export const ids = { type: 'array', maxItems: 10_000, items: id } as const
export const idsOrNull = { type: ['array', 'null'], maxItems: 10_000, items: id } as const
export const counters = holding<Record<string, number>>({ type: 'object', additionalProperties: count })

/** An array with one schema for each place. */
export function tuple<const I extends readonly Exclude<JSONSchema, boolean>[]>(...items: I) {
  const { length } = items
  return { type: 'array', items, minItems: length, maxItems: length, additionalItems: false } as const
}

/** Width and height of a video in pixels: even, since its colours are stored for squares of four. */
export const videoSize = tuple({ ...side, multipleOf: 2 }, { ...side, multipleOf: 2 })
