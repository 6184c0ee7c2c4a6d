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
