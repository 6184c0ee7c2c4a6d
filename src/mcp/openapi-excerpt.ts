/** As much of an OpenAPI document as is read here. */
export interface OpenApi {
  info: unknown
  paths: Record<string, Record<string, { summary?: string }>>
}

/** A whole document is too long to read: its paths with their summaries, or the paths that were asked for. */
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
