import { excerpt } from '../worlds/excerpt.ts'
import type { Schema } from './endpoint.ts'

/** At most this many unknown keys are listed. A request with more of them does not contain typos. */
const mostListed = 100
const longestKey = 200

/**
 * The paths of keys in a request that the schema does not know. Often they are typos, which the real service ignores silently.
 * At most 100 of them, each cut to a readable length: tasks and journal keep them.
 */
export function unreadKeys(schema: Schema, value: unknown): string[] {
  const found: string[] = []
  collect(schema, value, { path: '', found })
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

function collect(schema: Schema, value: unknown, { path, found }: { path: string; found: string[] }): void {
  if (typeof value !== 'object' || value === null || found.length >= mostListed) return
  if (Array.isArray(value)) {
    const { items } = schema
    if (!isSchema(items)) return
    for (let i = 0; i < value.length; i++) collect(items, value[i], { path: `${path}[${i}]`, found })
    return
  }
  const { properties } = schema
  if (!properties) return
  for (const key of Object.keys(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    const entry = (value as Record<string, unknown>)[key]
    if (found.length >= mostListed) return
    if (known === undefined) found.push(excerpt(path ? `${path}.${key}` : key, longestKey))
    else if (typeof entry === 'object' && isSchema(known))
      collect(known, entry, { path: path ? `${path}.${key}` : key, found })
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
