import { writeSync } from 'node:fs'
import { traceIdOf } from '../http/headers.ts'
import { masksFor } from '../http/secrets.ts'
import type { RequestLine } from '../options/log.ts'
import { iso, realTime } from '../worlds/clock.ts'
import type { NewEntry } from '../worlds/journal.ts'
import { pause } from '../worlds/wait.ts'

/** How long lines are gathered before they are written at once, wall ms. */
const gatherMs = 10
/** The same when a reader has not taken all. */
const retryMs = 2
/** When more bytes than this are unread, lines are dropped, so that a reader that has stopped does not fill the memory. */
const mostUnread = 4 * 1024 * 1024
/** When so many bytes are gathered, they are written earlier. */
const gatheredBytes = 64 * 1024
/** How long the end of the process waits for a reader, wall ms. */
const lastWaitMs = 300

const nothing = Buffer.alloc(0)

/** Takes bytes as far as that is possible without waiting, and returns how many it took. The bytes are another's afterwards. */
export type Outlet = (bytes: Buffer) => number

/** Standard output as it is in a program of somebody else, which may have replaced it. */
export const standardOutput: Outlet = bytes => {
  if (process.stdout.writableLength > mostUnread) return 0
  process.stdout.write(Buffer.from(bytes))
  return bytes.length
}

/**
 * Standard output of a process of one's own, past Node's stream: what the stream still holds is lost when the process crashes, and
 * nobody could say how much of it was sent. Any error but a full pipe is left to the stream.
 */
export const ownStandardOutput: Outlet = bytes => {
  const { writableLength, fd } = process.stdout
  if (writableLength > 0) return 0
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    return standardOutput(bytes)
  }
}

/**
 * One line for each request. A busy server has thousands a second: their texts are gathered as bytes and written together. Nothing that
 * is read is lost when the process ends by itself, by an orderly signal or by an exception that nobody caught.
 */
export class RequestLog {
  readonly #wording: (line: Line) => string
  readonly #outlet: Outlet
  readonly #atExit = () => {
    for (const end = realTime.elapsedMs() + lastWaitMs; realTime.elapsedMs() < end; sleep(retryMs)) {
      this.#write()
      if (this.#unread.length === 0) return
    }
  }
  /** Lines since the last writing: always the same memory, which would cost more to get anew than the lines to make. */
  readonly #gathered = Buffer.allocUnsafeSlow(gatheredBytes)
  #length = 0
  #unread = nothing
  #dropped = 0
  #isDue = false
  /** When this process began by the machine's clock, epoch ms. */
  #beganMs = 0

  constructor(form: 'pretty' | 'json', outlet: Outlet) {
    this.#wording = form === 'json' ? asJson : asText
    this.#outlet = outlet
    process.on('exit', this.#atExit)
  }

  add(world: string, entry: NewEntry): void {
    if (this.#unread.length > mostUnread) this.#dropped++
    else {
      // Once for lines that are written together: somebody may set the machine's clock.
      if (!this.#isDue) this.#beganMs = realTime.wallNow() - realTime.elapsedMs()
      const wallMs = this.#beganMs + entry.startedMs + entry.durationMs
      this.#gather(this.#wording(lineOf({ world, entry, wallMs: Math.floor(wallMs) })))
    }
    this.#writeSoon()
  }

  close(): void {
    this.#write()
    if (this.#unread.length === 0) process.off('exit', this.#atExit)
  }

  #gather(text: string): void {
    if (this.#length + mostBytesOf(text) > gatheredBytes) this.#write()
    if (mostBytesOf(text) > gatheredBytes) this.#unread = Buffer.concat([this.#unread, Buffer.from(text)])
    else this.#length += this.#gathered.write(text, this.#length)
  }

  #writeSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    void pause(this.#unread.length > 0 ? retryMs : gatherMs).then(() => {
      this.#isDue = false
      this.#write()
      if (this.#unread.length > 0) this.#writeSoon()
    })
  }

  #write(): void {
    const lines = this.#gathered.subarray(0, this.#length)
    this.#length = 0
    const bytes = this.#unread.length === 0 ? lines : Buffer.concat([this.#unread, lines])
    const taken = bytes.length === 0 ? 0 : this.#outlet(bytes)
    // A copy: the next lines go where these are.
    this.#unread = taken === bytes.length ? nothing : Buffer.from(bytes.subarray(taken))
    if (this.#dropped === 0 || this.#unread.length > mostUnread) return
    process.stderr.write(`${this.#dropped} lines of the request log were dropped: nothing reads them\n`)
    this.#dropped = 0
  }
}

/** The most bytes that a text can have in UTF-8. */
function mostBytesOf({ length }: string): number {
  return 3 * length
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** What is known of an entry when its line is made. */
interface Logged {
  world: string
  entry: NewEntry
  /** When its reply was sent, epoch ms by the clock of the machine. */
  wallMs: number
}

/** The line as a caller gets it: what is absent is no key. */
export function requestLine(logged: Logged): RequestLine {
  const line = Object.entries(lineOf(logged)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(line) as unknown as RequestLine
}

/** A line in which what is absent is undefined, and so is not in a text of JSON. */
type Line = { [Key in keyof Required<RequestLine>]: RequestLine[Key] }

function lineOf({ world, entry, wallMs }: Logged): Line {
  const { account, keyLabel, service, operation, method, url, status, requestId, rule, fault } = entry
  const { taskIds, requestHeaders } = entry
  return {
    at: virtualIso(entry.at),
    wall_at: wallIso(wallMs),
    world,
    account,
    key_label: keyLabel,
    service,
    operation,
    method,
    path: pathsOf(valueIn(requestHeaders, 'authorization'))(url),
    status,
    duration_ms: Math.round(entry.durationMs * 1000) / 1000,
    request_id: requestId,
    task_id: taskIds?.length === 1 ? taskIds[0] : undefined,
    rule,
    fault,
    trace_id: traceOf(valueIn(requestHeaders, 'traceparent')),
  }
}

// Lines that follow each other are often of one moment, one client and one task.
const virtualIso = remembered(iso)
const wallIso = remembered(iso)
const msOf = remembered(Date.parse)
const wallMsOf = remembered(Date.parse)
const pathsOf = remembered((authorization: string | undefined) => remembered(masksFor(authorization).path))
const traceOf = remembered(traceIdOf)

/** The function, which does not make the same value twice in succession. */
function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined
  return key => {
    if (!last || last.key !== key) last = { key, value: make(key) }
    return last.value
  }
}

/** The first value of a header, in a list of names and values. */
function valueIn(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) {
    const known = headers[at]
    // Most names differ in their length.
    if (known?.length === name.length && known.toLowerCase() === name) return headers[at + 1]
  }
  return undefined
}

/** As `JSON.stringify` has it, in less than half of its time: most texts need no escapes, and the order of keys is known. */
function asJson(line: Line): string {
  const { at, wall_at, world, account, key_label, service, operation, method, path, status, duration_ms } =
    line
  const { request_id, task_id, rule, fault, trace_id } = line
  return `{"event":"request","at":"${at}","wall_at":"${wall_at}","world":${quoted(world)}${member('account', account)}${member('key_label', key_label)}${member('service', service)},"operation":"${operation}","method":"${method}","path":${quoted(path)},"status":${status},"duration_ms":${duration_ms},"request_id":"${request_id}"${member('task_id', task_id)}${member('rule', rule)}${member('fault', fault)}${member('trace_id', trace_id)}}\n`
}

function member(key: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${key}":${quoted(value)}`
}

/** Printable ASCII without quotation mark and backslash. */
const needsNoEscape = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** Begins with the time of the machine, as other logs do. */
function asText(line: Line): string {
  const { at, wall_at, world, account, key_label, service, operation, method, path, status, duration_ms } =
    line
  const { task_id = '', rule, fault, trace_id } = line
  const isOtherTime = Math.abs(msOf(at) - wallMsOf(wall_at)) >= 1000
  const who = `${world}${account === undefined ? '' : `/${account}`}${key_label === undefined ? '' : `:${key_label}`}`
  const more = `${also('virtual time', isOtherTime ? at : '')}${also('service', service)}${also('task', path.includes(task_id) ? '' : task_id)}${also('fault', fault)}${also('rule', rule)}${also('trace', trace_id)}`
  const extras = more === '' ? '' : ` (${more.slice(2)})`
  return `${wall_at} ${status} ${method} ${printable(path)} ${operation} ${who} ${inTenths(duration_ms)} ms${extras}\n`
}

function also(name: string, value: string | undefined): string {
  return value ? `, ${name} ${value}` : ''
}

/** Milliseconds for a person. Texts of whole numbers are made faster than those of others. */
function inTenths(ms: number): string {
  const tenths = Math.round(ms * 10)
  return `${Math.trunc(tenths / 10)}.${tenths % 10}`
}

/** Escapes control characters: a path comes from a client, and a terminal would act on them. */
const printable = remembered((path: string) => path.replace(/[^\x20-\x7e]/g, '?'))
