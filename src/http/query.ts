import { invalid } from '../faults/fault-error.ts'
import { shown } from '../wording/shown.ts'
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
    const values = given.getAll(name).filter(value => value !== '')
    const [first] = values
    if (first === undefined || typeof property !== 'object') continue
    found[name] = readValue(name, property.type, values, first)
  }
  checkShape(schema, found)
  return withDefaults(schema, found)
}

function readValue(name: string, type: unknown, values: string[], first: string): unknown {
  if (type === 'array') return values.flatMap(value => value.split(',')).filter(value => value !== '')
  if (type !== 'integer') return first
  if (!/^-?\d+$/.test(first)) throw invalid(name, `${shown(first)} is not an integer`)
  return Number(first)
}

function withDefaults(schema: Schema, found: Record<string, unknown>): Record<string, unknown> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property === 'object' && property.default !== undefined) found[name] ??= property.default
  }
  return found
}
