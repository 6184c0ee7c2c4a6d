/** A line of the log: one request of the emulated API. */
export interface RequestLine {
  /** When it was answered, virtual time, ISO 8601. */
  at: string
  /** The same moment by the clock of the machine, ISO 8601. */
  wall_at: string
  /** The world that its key selects. */
  world: string
  /** The account of its key; absent when the key was refused. */
  account?: string
  /** Which key of the account: the label after its colon. */
  key_label?: string
  /** Which service of its system sent it, in a world that was opened with `services`. */
  service?: string
  /** An operation id such as `a.create`. */
  operation: string
  /** The HTTP method. */
  method: string
  /** Path and query, without the signature of a link. */
  path: string
  /** The HTTP status of the reply. */
  status: number
  /** The time until the reply was sent, wall milliseconds. */
  duration_ms: number
  /** `X-Request-Id` of the reply. */
  request_id: string
  /** The task that it is about. */
  task_id?: string
  /** `scenario/rule` that acted on it. */
  rule?: string
  /** The neutral name of the refusal, such as `rate_limited`. */
  fault?: string
  /** The trace id of the request's `traceparent`. */
  trace_id?: string
}

/** Where the emulator writes its log lines. */
export interface Log {
  /** Writes a line about a normal event. */
  info(detail: object, message: string): void
  /** Writes a line about an error; `detail.err` is the thrown value. */
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
