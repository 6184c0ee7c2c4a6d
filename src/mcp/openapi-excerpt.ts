/** The parts of an OpenAPI document that the tool reads. */
export interface OpenApi {
  info: unknown
  paths: Record<string, Record<string, { summary?: string }>>
}

/** An excerpt of a document that is too long to read whole: all paths with their summaries, or the requested paths in full. */
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
