import { jsonIn } from '../../emulator/words.ts'

/** A refusal of the control API, read from `{"error":{"code","message","path?","hint?"}}`. */
export class EmulatorError extends Error {
  /** The HTTP status; 0 when there was no reply. */
  readonly status: number
  /** Such as `bad_request`, `not_found`, `conflict`, `unreachable`. */
  readonly code: string
  /** The part of the request that is wrong. */
  readonly path?: string
  /** A suggestion for the caller. */
  readonly hint?: string
  /** The message without the hint. */
  readonly reason: string

  constructor(
    status: number,
    { code, message, path, hint }: { code: string; message: string; path?: string; hint?: string },
    cause?: unknown,
  ) {
    super(hint ? `${message} (${hint})` : message, cause === undefined ? {} : { cause })
    this.name = 'EmulatorError'
    this.status = status
    this.code = code
    this.reason = message
    if (path !== undefined) this.path = path
    if (hint !== undefined) this.hint = hint
  }
}

type ErrorBody = ConstructorParameters<typeof EmulatorError>[1]

/** The parameters of a query; an undefined one is left out. */
export type ControlQuery = Readonly<Record<string, string | number | undefined>>

/** Calls below one path of the control API. Rejects with EmulatorError. */
export interface ControlCaller {
  get<T>(path: string, query?: ControlQuery): Promise<T>
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>
}

interface Sent {
  method: string
  body?: string
  headers?: Record<string, string>
}

type Reply = Pick<Response, 'ok' | 'status' | 'text'>

/** How calls are sent. */
export interface Sending {
  by?: (url: string, init: Sent) => Promise<Reply>
  /** Headers of calls that change something. */
  headers?: Readonly<Record<string, string>>
  /** Why no request of this process can end now. */
  stopped?: () => string | undefined
  /** What may have kept the emulator at an address from answering. */
  hint?: (url: string, cause?: unknown) => string | undefined
}

/** Calls of the control API of the emulator at `base`, such as `http://127.0.0.1:8585/__emulator`. */
export function controlCaller(base: string, sending: Sending = {}): ControlCaller {
  return {
    get: (path, query = {}) => call(sending, `${base}${path}${queryText(query)}`, { method: 'GET' }),
    send: (method, path, body) =>
      call(sending, `${base}${path}`, {
        method,
        headers: { ...sending.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}

async function call<T>(sending: Sending, url: string, init: Sent): Promise<T> {
  const response = await answer(sending, url, init)
  const text = await response.text()
  const body = jsonIn(text)
  if (response.ok && (text === '' || body !== undefined)) return body as T
  throw new EmulatorError(response.status, errorIn(body) ?? strangerAt(url, text, sending.hint?.(url)))
}

/** What answered is not the control API: the error shows its text as it is. */
function strangerAt(url: string, text: string, hint: string | undefined): ErrorBody {
  const message = text.slice(0, 500) || `The reply of ${new URL(url).origin} is not that of an emulator`
  return { code: 'unknown', message, ...(hint !== undefined && { hint }) }
}

async function answer({ by = fetch, hint, stopped }: Sending, url: string, init: Sent): Promise<Reply> {
  const fault = stopped?.()
  if (fault !== undefined)
    throw new EmulatorError(0, { code: 'fake_timers', message: fault, hint: withoutStop })
  try {
    return await by(url, init)
  } catch (cause) {
    const message = `No emulator answers at ${new URL(url).origin}`
    const why = hint?.(url, cause)
    throw new EmulatorError(
      0,
      { code: 'unreachable', message, ...(why !== undefined && { hint: why }) },
      cause,
    )
  }
}

function errorIn(body: unknown): ErrorBody | undefined {
  const error = (body as { error?: Partial<ErrorBody> } | undefined)?.error
  return typeof error?.message === 'string'
    ? { ...error, code: error.code ?? 'unknown', message: error.message }
    : undefined
}

function queryText(query: ControlQuery): string {
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  )
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

const what = { 'process.nextTick': 'no request', queueMicrotask: 'no fetch' } as const

/**
 * Why requests of this process cannot end: fake timers have replaced what Node itself needs for them. Undefined when they can. The
 * libraries of fake timers mark what they replace by a property `clock`.
 */
export function stoppedByFakes(): string | undefined {
  const present = { 'process.nextTick': process.nextTick, queueMicrotask: globalThis.queueMicrotask }
  const [name] = (Object.keys(what) as (keyof typeof what)[]).filter(key =>
    Object.hasOwn(present[key], 'clock'),
  )
  return name && `Fake timers replace ${name} in this process: ${what[name]} can end meanwhile`
}

/** What to do instead. */
const withoutStop =
  'let them replace setTimeout, setInterval and Date alone, as world.clock.attach(vi), attach(jest) and attach(sinon) do'

/** The real function, also when timers are fake later. */
const everySoOften = setInterval
const lookMs = 1000

/** Writes one line when fake timers stop requests, since no request comes then that could be answered. Returns what ends it. */
export function watchFakes(write: (line: string) => void): () => void {
  const looking = everySoOften(() => {
    const why = stoppedByFakes()
    if (why === undefined) return
    write(`${why}. Instead, ${withoutStop}.`)
    clearInterval(looking)
  }, lookMs)
  looking.unref()
  return () => clearInterval(looking)
}

/** What a failure affects; `restart`: the program itself, which is killed while the rule holds its request. */
export type FailureKind = 'refusal' | 'connection' | 'outcome' | 'media' | 'timing' | 'restart'

/** One failure of one operation, as a scenario rule causes it. */
export interface Failure {
  /** The name of the failure, the same for every operation. */
  id: string
  /** The operation that fails. */
  operation: string
  /** The failure in one sentence. */
  title: string
  /** What it affects. */
  kind: FailureKind
  /** True when the same call, sent again later, may succeed. */
  transient: boolean
  /** The line of the specification that says so, the id of an assumption, `network` for failures of every network, or `every program` for a restart. */
  source: string
  /** The effects of the rule, in the scenario language. */
  then: Record<string, unknown>
}

/** What clients get from a failure. */
export interface FailureReply {
  /** The HTTP status, where the failure is a reply. */
  status?: number
  /** The error code, in the words of the operation's family. */
  code?: string
}
