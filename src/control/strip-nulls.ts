import type { Schema } from '../http/validate.ts'

/** A body without its null options, where null has no special meaning: clients send unset options as null (A-null). */
export function stripNulls(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const properties = schema.properties ?? {}
  const kept = Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (typeof property !== 'object') return [[key, entry]]
    if (entry === null) return [property.type].flat().includes('null') ? [[key, entry]] : []
    return [[key, stripNulls(property, entry)]]
  })
  return Object.fromEntries(kept)
}
