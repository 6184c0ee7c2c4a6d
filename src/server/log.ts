/** The few things that the emulator tells its operator. Requests are in the journal, not here. */
export interface Log {
  info(detail: object, message: string): void
  error(detail: object, message: string): void
}

/** A log on standard error: one JSON document a line, text for people, or nothing. */
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
