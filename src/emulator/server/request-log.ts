import type { RequestLine } from '../options/log.ts'

/** When more bytes than this are unread, lines are dropped, so that a reader that has stopped does not fill the memory. */
const mostWaiting = 4 * 1024 * 1024

/** Writes one line per request to standard output. Lines of the same tick are written together, since a busy server has thousands per second. */
export function requestWriter(form: 'pretty' | 'json'): (line: RequestLine) => void {
  const wording = form === 'json' ? asJson : asText
  let lines: RequestLine[] = []
  let dropped = 0
  const flush = () => {
    const ready = lines
    lines = []
    if (process.stdout.writableLength > mostWaiting) {
      dropped += ready.length
      return
    }
    if (dropped > 0)
      process.stderr.write(`${dropped} lines of the request log were dropped: nothing reads them\n`)
    dropped = 0
    process.stdout.write(ready.map(line => `${wording(line)}\n`).join(''))
  }
  return line => {
    if (lines.push(line) === 1) setImmediate(flush)
  }
}

function asJson(line: RequestLine): string {
  return JSON.stringify({ event: 'request', ...line })
}

/** Begins with the time of the machine, as other logs do. */
function asText({ world, account, operation, method, path, status, ...rest }: RequestLine): string {
  const { at, wall_at, key_label, task_id, rule, fault, trace_id, duration_ms } = rest
  const who = `${world}${account === undefined ? '' : `/${account}`}${key_label === undefined ? '' : `:${key_label}`}`
  const more = [
    Math.abs(Date.parse(at) - Date.parse(wall_at)) >= 1000 && `virtual time ${at}`,
    task_id && `task ${task_id}`,
    fault && `fault ${fault}`,
    rule && `rule ${rule}`,
    trace_id && `trace ${trace_id}`,
  ].filter(Boolean)
  const extras = more.length > 0 ? ` (${more.join(', ')})` : ''
  return `${wall_at} ${status} ${method} ${printable(path)} ${operation} ${who} ${duration_ms} ms${extras}`
}

/** Escapes control characters: a path comes from a client, and a terminal would act on them. */
function printable(path: string): string {
  return path.replace(/[^\x20-\x7e]/g, '?')
}
