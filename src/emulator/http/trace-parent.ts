/** W3C Trace Context, level 1: version, trace id, parent id, flags. */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
const noTrace = '0'.repeat(32)

/** A trace id as a caller writes it, alone or in a whole `traceparent`, in lower case; undefined when it is neither. */
export function readTraceId(written: unknown): string | undefined {
  if (typeof written !== 'string') return undefined
  const text = written.trim().toLowerCase()
  const id = /^[0-9a-f]{32}$/.test(text) ? text : traceIdOf(text)
  return id === noTrace ? undefined : id
}

/** The trace id in a `traceparent` header, 32 hexadecimal digits; undefined when the header is missing or invalid. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const id = form.exec(traceparent?.trim() ?? '')?.[1]
  return id === noTrace ? undefined : id
}
