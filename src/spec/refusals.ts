/** The statuses of family K: "declared without distinguishing status codes". */
export const any4xx: readonly number[] = Array.from({ length: 100 }, (_, place) => 400 + place)

/** The statuses that the specification lists for refusals of each operation: "Endpoints" and "Errors". Every endpoint has 401. */
const listed: Readonly<Record<string, readonly number[]>> = {
  'a.create': [400, 401, 429],
  'a.get': [401, 404],
  'b.create': [400, 401, 403, 429],
  'b.get': [401, 404],
  'c.create': [400, 401, 429],
  'c.enhance': [400, 401],
  'c.regenerate': [400, 401],
  'special.create': [400, 401, 403, 404, 429],
  'special.enhance': [400, 401, 403, 404],
  'special.regenerate': [400, 401, 403, 404],
  'special.get': [401, 403, 404],
  'special.list': [401, 403, 404],
  'special.delete': [401, 403, 404, 501],
  'image.generate': [400, 401, 403, 413, 429],
}

/** The statuses for refusals of all operations whose names begin so. */
export function refusalsOf(operations: string): readonly number[] {
  if (operations.startsWith('k.')) return any4xx
  const rows = Object.keys(listed).filter(name => name.startsWith(operations))
  return [...new Set([401, ...rows.flatMap(name => listed[name] ?? [])])].sort()
}

/** The same as an OpenAPI document writes it. 403 is for every request that names a model ("Authentication" 4). */
export function declaredStatuses(operation: string): string[] {
  const statuses = refusalsOf(operation)
  if (statuses === any4xx) return ['4XX']
  const ofModel = /\.(?:create|enhance|regenerate|generate)$/.test(operation) ? [403] : []
  const ofService = operation === 'image.generate' ? ['5XX'] : []
  return [...[...new Set([...statuses, ...ofModel])].sort().map(String), ...ofService]
}
