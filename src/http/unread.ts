import type { Schema } from './endpoint.ts'

/** The keys of a request that no schema names, as callers would point at them: typos that the real service swallows silently. */
export function unreadKeys(schema: Schema, value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    const items = isSchema(schema.items) ? schema.items : undefined
    return items ? value.flatMap((entry, index) => unreadKeys(items, entry, `${path}[${index}]`)) : []
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return []
  const { properties } = schema
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = path ? `${path}.${key}` : key
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (known === undefined) return [at]
    return isSchema(known) ? unreadKeys(known, entry, at) : []
  })
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
