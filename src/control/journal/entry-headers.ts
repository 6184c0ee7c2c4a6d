import { traceIdOf } from '../../http/trace-parent.ts'
import type { Entry } from '../../worlds/journal.ts'

/** The request headers of a journal entry by lower-case name; values of a repeated header are joined by commas (RFC 9110, 5.3). */
export function headersOf({ requestHeaders }: Entry): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let i = 0; i + 1 < requestHeaders.length; i += 2) {
    const name = (requestHeaders[i] ?? '').toLowerCase()
    const value = requestHeaders[i + 1] ?? ''
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}

/** The trace id of a journal entry's `traceparent`; undefined without one. */
export function traceOf(entry: Entry): string | undefined {
  return traceIdOf(headersOf(entry).traceparent)
}
