import { shown } from '../wording/shown.ts'

/** The part of a schema that messages use. */
export interface SchemaFacts {
  type?: string | readonly string[]
  anyOf?: readonly SchemaFacts[]
  enum?: readonly unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  description?: string
}

const words: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** What a schema allows, in words that follow "must be" in a message: `an integer from 3 to 15`, `one of mp4, mov`. */
export function allowedBy(schema: SchemaFacts): string {
  if (schema.enum) return `one of ${schema.enum.map(plain).join(', ')}`
  if (schema.const !== undefined) return plain(schema.const)
  if (schema.anyOf) return schema.anyOf.map(allowedBy).join(' or ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return schema.description ?? 'another value'
  return types.map(type => allowedType(type, schema)).join(' or ')
}

function plain(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : shown(value)
}

function allowedType(type: string, schema: SchemaFacts): string {
  switch (type) {
    case 'integer':
      return `an integer${range(schema.minimum, schema.maximum, '')}`
    case 'number':
      return `a number${range(schema.minimum, schema.maximum, '')}`
    case 'string': {
      const { pattern, description } = schema
      const form = pattern === undefined ? '' : description ? ` (${description})` : ` that matches ${pattern}`
      return `a string${range(schema.minLength, schema.maxLength, ' characters')}${form}`
    }
    default:
      return words[type] ?? type
  }
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const isBounded = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (isBounded(least) && isBounded(most)) return ` from ${least} to ${most}${unit}`
  if (isBounded(least)) return unit && least <= 1 ? ' that is not empty' : ` of at least ${least}${unit}`
  return isBounded(most) ? ` of at most ${most}${unit}` : ''
}
