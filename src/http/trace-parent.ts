/** W3C Trace Context, level 1: version, trace id, parent id, flags. */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
const noTrace = '0'.repeat(32)

/** The trace id in a `traceparent` header, 32 hexadecimal digits; undefined when the header is missing or invalid. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const id = form.exec(traceparent?.trim() ?? '')?.[1]
  return id === noTrace ? undefined : id
}
