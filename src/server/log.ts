/** A line of the log: one request of the emulated API. */
export interface RequestLine {
  /** Virtual, ISO 8601. */
  at: string
  world: string
  account?: string
  operation: string
  method: string
  /** Without the signature of a link. */
  path: string
  status: number
  duration_ms: number
  request_id: string
  task_id?: string
  rule?: string
  fault?: string
  /** The trace id of the request's `traceparent`. */
  trace_id?: string
}

/** The log for the operator of the emulator. */
export interface Log {
  info(detail: object, message: string): void
  error(detail: object, message: string): void
  /** Called once for each request of the emulated API; absent when requests are not logged. */
  request?(line: RequestLine): void
}

/** A log on standard error: one JSON document per line, text for people, or nothing. */
export function logOf(form: 'pretty' | 'json' | 'silent'): Log {
  if (form === 'silent') return { info() {}, error() {} }
  const write = (level: string) => (detail: object, message: string) => {
    process.stderr.write(
      form === 'json' ? jsonLine(level, detail, message) : textLine(level, detail, message),
    )
  }
  return { info: write('info'), error: write('error') }
}

function jsonLine(level: string, { err, ...rest }: { err?: unknown }, message: string): string {
  return `${JSON.stringify({ level, message, ...rest, ...(err !== undefined && { error: traceOf(err) }) })}\n`
}

function textLine(level: string, { err }: { err?: unknown }, message: string): string {
  return `${level}: ${message}${err === undefined ? '' : `\n${traceOf(err)}`}\n`
}

function traceOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
