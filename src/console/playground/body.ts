import type { Path } from '../parts/path.ts'
import type { Schema } from '../store/operations.ts'

/** A copy of a value with the part at a path replaced, or removed when `change` is undefined. */
export function withAt(value: unknown, path: Path, change: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return change
  if (Array.isArray(value)) {
    const copy = [...value]
    if (rest.length === 0 && change === undefined) copy.splice(Number(step), 1)
    else copy[Number(step)] = withAt(copy[Number(step)], rest, change)
    return copy
  }
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown> | undefined) }
  const entry = withAt(copy[step], rest, change)
  if (entry === undefined) delete copy[step]
  else copy[step] = entry
  return copy
}

/** The initial value of a field: required parts only. */
export function blank(given: Schema): unknown {
  const schema = plain(given)
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map(name => [name, blank(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return schema.items && (schema.minItems ?? 0) > 0 ? [blank(schema.items)] : []
    case 'boolean':
      return true
    case 'number':
      return schema.minimum ?? 0
    case 'string':
      return ''
    case 'any':
      return null
  }
}

/** The alternative of a schema that has values; the other one, `""`, means that the field may be empty. */
export function plain(schema: Schema): Schema {
  return schema.anyOf?.find(({ const: only }) => only === undefined) ?? schema
}

export function typeOf({
  type,
  properties,
  items,
}: Schema): 'object' | 'array' | 'boolean' | 'number' | 'string' | 'any' {
  const [first] = Array.isArray(type) ? type : [type]
  if (first === 'object' || properties) return 'object'
  if (first === 'array' || items) return 'array'
  if (first === 'integer' || first === 'number') return 'number'
  return first === 'boolean' || first === 'string' ? first : 'any'
}

/** Values that a field takes, when its schema lists them. */
export function offers({ enum: values, 'x-values': known = [] }: Schema): string[] {
  return (values ?? known).map(String)
}

/** A new item of a list for a type: `{type: "image_url", image_url: {…}}`, or `{type: "first_frame", url: ""}`. */
export function itemOf(items: Schema, type: string): unknown {
  const start = { ...(blank(items) as Record<string, unknown>), type }
  const own = items.properties?.[type]
  if (own) return { ...start, [type]: blank(own) }
  const rest = /prompt|text/.test(type) ? 'text' : 'url'
  return items.properties?.[rest] && !/element/.test(type) ? { ...start, [rest]: '' } : start
}

/** The kind of file that a field takes, from the names in its path; undefined when the field is not a file. */
export function mediaKind(names: readonly string[]): 'image' | 'video' | 'audio' | 'any' | undefined {
  const last = names.at(-1) ?? ''
  if (!/(^|_)url$|^image$|^images$|sound_file|^video$/.test(last)) return undefined
  const all = names.join(' ').toLowerCase()
  if (/audio|sound|voice/.test(all)) return 'audio'
  if (/video|clip/.test(all)) return 'video'
  if (/image|frame|picture/.test(all)) return 'image'
  return 'any'
}
