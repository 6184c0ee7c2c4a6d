import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { directAgent } from './direct.ts'

/** What listens at an address. `said` is what another server answered, in words; `foreign`: something else than HTTP. */
export type Neighbour =
  | { kind: 'emulator'; base: string; body: string; health: Health }
  | { kind: 'other'; base: string; said: string }
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
    const kinds = ['other', 'silent', 'foreign'] as const
    return kinds.flatMap(kind => others.filter(one => one.kind === kind))[0] ?? { kind: 'silent' }
  })
}

interface Reply {
  status: number
  body: string
}

function answered(base: string, { status, body }: Reply): Neighbour {
  const reply = parsed(body) as
    | Partial<Health & { status: unknown; error: { message?: unknown } }>
    | undefined
  if (status === 200 && reply?.status === 'ok' && typeof reply.version === 'string')
    return { kind: 'emulator', base, body, health: { ...reply, version: reply.version } }
  const reason = reply?.error?.message
  return {
    kind: 'other',
    base,
    said: `${status}${typeof reason === 'string' ? `: ${reason.slice(0, 300)}` : ''}`,
  }
}

/** A server of another protocol answers something that is not HTTP, or closes the connection. */
function unanswered(error: unknown): Neighbour {
  const code = String((error as NodeJS.ErrnoException).code)
  return { kind: /^(HPE_|EPROTO|ERR_SSL|ECONNRESET)/.test(code) ? 'foreign' : 'silent' }
}

/** The names of the worlds of an emulator; none when it does not tell them in time. */
export async function worldsAt(base: string, withinMs: number): Promise<readonly string[]> {
  const reply = await get(`${base}/__emulator/worlds`, AbortSignal.timeout(withinMs)).catch(() => undefined)
  const { items } = (parsed(reply?.body ?? '') ?? {}) as { items?: unknown }
  return Array.isArray(items) ? items.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])) : []
}

/** Certificates are not checked, since `--tls self` makes its own; no secret is sent. */
function get(address: string, signal: AbortSignal): Promise<Reply> {
  const url = new URL(address)
  return new Promise((resolve, reject) => {
    const options = { signal, agent: directAgent(url) }
    const answer = (reply: IncomingMessage) =>
      void text(reply).then(body => resolve({ status: reply.statusCode ?? 0, body }), reject)
    const sent =
      url.protocol === 'https:'
        ? https.get(url, { ...options, rejectUnauthorized: false }, answer)
        : http.get(url, options, answer)
    sent.once('error', reject)
  })
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Another program's page.
    return undefined
  }
}
