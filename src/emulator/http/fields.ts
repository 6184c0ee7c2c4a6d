import { invalid } from '../faults/fault.ts'
import { shown } from '../wording/shown.ts'
import { excerpt } from '../worlds/excerpt.ts'
import { isRecord } from '../worlds/record-values.ts'
import { checkShape, type Schema } from './validate.ts'

/**
 * Reads a query string by the endpoint's schema: a number where it says integer, all values of a repeated key where it says
 * array. Empty values count as absent. Keys that the schema does not name are left out. Throws `invalid_parameter`.
 */
export function readQuery(schema: Schema, query: string): Record<string, unknown> {
  if (query === '') return withDefaults(schema, {})
  const given = new URLSearchParams(query)
  const found: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property !== 'object') continue
    const isList = property.type === 'array'
    const values = given
      .getAll(name)
      .flatMap(value => (isList ? value.split(',') : value))
      .filter(Boolean)
    const [first] = values
    if (first !== undefined) found[name] = isList ? values : readValue(name, property.type, first)
  }
  checkShape(schema, found)
  return withDefaults(schema, found)
}

function readValue(name: string, type: unknown, text: string): unknown {
  if (type !== 'integer') return text
  if (!/^-?\d+$/.test(text)) throw invalid(name, `${shown(text)} is not an integer`)
  return Number(text)
}

function withDefaults(schema: Schema, found: Record<string, unknown>): Record<string, unknown> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property === 'object' && property.default !== undefined) found[name] ??= property.default
  }
  return found
}

/** At most this many unknown keys are listed. A request with more of them does not contain typos. */
const mostListed = 100
const longestKey = 200

/**
 * The paths of keys in a request that the schema does not know. Often they are typos, which the real service ignores silently.
 * At most 100 of them, each cut to a readable length: tasks and journal keep them.
 */
export function unreadKeys(schema: Schema, value: unknown): string[] {
  const found: string[] = []
  collect(schema, value, { steps: [], found })
  return found
}

/** The keys of a query string that the schema does not know, each once. Example: `status=` instead of `filter.status=` lists everything. */
export function unreadNames(schema: Schema, query: string): string[] {
  if (query === '') return []
  const properties = schema.properties ?? {}
  const names = [...new Set(new URLSearchParams(query).keys())]
  const unknown = names.filter(name => !Object.hasOwn(properties, name))
  return unknown.slice(0, mostListed).map(name => excerpt(name, longestKey))
}

/** A walk through a value. The names of keys and the indexes of items lead to the present place. */
interface Walk {
  steps: (string | number)[]
  found: string[]
}

function collect(schema: Schema, value: unknown, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) collectItems(schema.items, value, walk)
  else if (schema.properties) collectKeys(schema.properties, value as Record<string, unknown>, walk)
}

function collectItems(schema: Schema['items'], value: readonly unknown[], walk: Walk): void {
  if (!isRecord(schema)) return
  for (let i = 0; i < value.length && walk.found.length < mostListed; i++) {
    walk.steps.push(i)
    collect(schema, value[i], walk)
    walk.steps.pop()
  }
}

function collectKeys(known: Properties, value: Record<string, unknown>, walk: Walk): void {
  for (const key in value) {
    if (walk.found.length >= mostListed) return
    const schema = Object.hasOwn(known, key) ? known[key] : undefined
    walk.steps.push(key)
    if (schema === undefined) walk.found.push(excerpt(pathOf(walk.steps), longestKey))
    else if (isRecord(schema)) collect(schema, value[key], walk)
    walk.steps.pop()
  }
}

type Properties = NonNullable<Schema['properties']>

/** Steps as callers write them: `content[0].text`. */
function pathOf(steps: readonly (string | number)[]): string {
  return steps.map((step, i) => (typeof step === 'number' ? `[${step}]` : i > 0 ? `.${step}` : step)).join('')
}
