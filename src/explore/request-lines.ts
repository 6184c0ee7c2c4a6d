import type { RequestView } from '../client/types.ts'

/** The requests of a run, a line each, with what was done to them. */
export function requestLines(requests: readonly RequestView[]): string[] {
  return requests.map(({ method, operation, path, status, connection, media, rule }) => {
    const [place] = path.split('?')
    const done = [connection, media, rule].filter(Boolean).join(', ')
    return `${method} ${place} (${operation}) -> ${status}${done ? `: ${done}` : ''}`
  })
}
