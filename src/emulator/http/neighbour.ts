import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'

/** What listens at an address. `said` is what another server answered, in words; `refusing`: an emulator that does not answer by this name; `foreign`: something else than HTTP. */
export type Neighbour =
  | { kind: 'emulator'; base: string; body: string; health: Health }
  | { kind: 'other'; base: string; said: string }
  | { kind: 'refusing'; base: string }
  | { kind: 'foreign' | 'silent' }

/** A part of the reply of `GET /health`; older emulators do not tell their process. */
export interface Health {
  version: string
  uptime_ms?: number
  pid?: number
  machine?: string
}

/** Asks the health endpoint below each of some addresses of one place at once, so that one that says nothing does not delay another. */
export async function neighbourAt(bases: readonly string[], withinMs: number): Promise<Neighbour> {
  const signal = AbortSignal.timeout(withinMs)
  const asked = bases.map(base =>
    get(`${base}/__emulator/health`, signal).then(reply => answered(base, reply), unanswered),
  )
  const emulators = asked.map(async one => ((await one).kind === 'emulator' ? one : Promise.reject(one)))
  return Promise.any(emulators).catch(async () => {
    const others = await Promise.all(asked)
    const kinds = ['refusing', 'other', 'silent', 'foreign'] as const
    return kinds.flatMap(kind => others.filter(one => one.kind === kind))[0] ?? { kind: 'silent' }
  })
}

interface Reply {
  status: number
  body: string
}

function answered(base: string, { status, body }: Reply): Neighbour {
  const reply = record(parsed(body))
  const { version, uptime_ms, pid, machine } = reply
  if (status === 200 && reply.status === 'ok' && typeof version === 'string') {
    const health = {
      version: plain(version),
      ...(Number.isSafeInteger(uptime_ms) && { uptime_ms: Number(uptime_ms) }),
      ...(Number.isSafeInteger(pid) && { pid: Number(pid) }),
      ...(typeof machine === 'string' && { machine: plain(machine) }),
    }
    return { kind: 'emulator', base, body, health }
  }
  const { code, message } = record(reply.error)
  if (code === 'forbidden_host' || code === 'forbidden_origin') return { kind: 'refusing', base }
  return { kind: 'other', base, said: `${status}${typeof message === 'string' ? `: ${plain(message)}` : ''}` }
}

/** A server of another protocol answers something that is not HTTP, or closes the connection. */
function unanswered(error: unknown): Neighbour {
  const code = String((error as NodeJS.ErrnoException).code)
  return { kind: /^(HPE_|EPROTO|ERR_SSL|ECONNRESET)/.test(code) ? 'foreign' : 'silent' }
}

/** The names of the worlds of an emulator; none when it does not tell them in time. */
export async function worldsAt(base: string, withinMs: number): Promise<readonly string[]> {
  const reply = await get(`${base}/__emulator/worlds`, AbortSignal.timeout(withinMs)).catch(() => undefined)
  const { items } = record(parsed(reply?.body ?? ''))
  const ids = Array.isArray(items) ? items.map(item => record(item).id) : []
  return ids.flatMap(id => (typeof id === 'string' ? [plain(id)] : []))
}

/** Certificates are not checked, since `--tls self` makes its own; no secret is sent. */
function get(address: string, signal: AbortSignal): Promise<Reply> {
  const url = new URL(address)
  return new Promise((resolve, reject) => {
    // No agent: those of Node may lead to a proxy of the environment, which is not who listens there.
    const options = { signal, agent: false as const }
    const answer = (reply: IncomingMessage) =>
      void text(reply).then(body => resolve({ status: reply.statusCode ?? 0, body }), reject)
    const sent =
      url.protocol === 'https:'
        ? https.get(url, { ...options, rejectUnauthorized: false }, answer)
        : http.get(url, options, answer)
    sent.once('error', reject)
  })
}

/** The words of another program, as a terminal may show them. */
function plain(said: string): string {
  return said.slice(0, 300).replace(/\p{C}/gu, '\ufffd')
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Another program's page.
    return undefined
  }
}
