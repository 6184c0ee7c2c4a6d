/** A value inside JSON, by names and places; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<string | number, unknown>)[step]
        : undefined,
    value,
  )
}

/** True for a JSON object, neither list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy in which every text has been replaced; keys stay. */
export function mapTexts(value: unknown, replaced: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replaced(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, replaced))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, replaced)]))
}
