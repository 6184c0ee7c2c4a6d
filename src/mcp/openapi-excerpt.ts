/** The parts of an OpenAPI document that are read here. */
export interface OpenApi {
  info: unknown
  paths: Record<string, Record<string, { summary?: string }>>
}

/** A whole document is too long to read: its paths with their summaries, or the requested paths in full. */
export function excerptOf({ info, paths }: OpenApi, path: unknown): unknown {
  if (typeof path === 'string')
    return { info, paths: Object.fromEntries(Object.entries(paths).filter(([name]) => name.includes(path))) }
  const rows = Object.entries(paths).flatMap(([name, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `${method.toUpperCase()} ${name}: ${summary ?? ''}`,
    ),
  )
  return { info, operations: rows }
}
