import childProcess from 'node:child_process'
import { Agent, request } from 'node:http'

/** Why an open request may still be answered: a file is being made, a scenario's latency holds the reply back, or the emulator works on it or has not got it yet. */
export type Late = 'rendering' | 'latency' | 'work'

/** The clock of the world that the program works in. */
export interface WorldClock {
  /** Virtual epoch ms. The first call opens a world that is not open, as its key does. */
  open(): Promise<number>
  /** Virtual epoch ms. */
  now(): Promise<number>
  /** Moves the world's clock; resolves with the time after it. */
  advance(ms: number): Promise<number>
  /** The same, before the program goes on. It takes as long as another Node process takes to start. */
  advanceAtOnce(ms: number): void
  /** The same, and replies that a scenario's latency holds back come as much earlier. */
  advanceWithLatency(ms: number): Promise<number>
  /** Makes the clock manual: from now on only advances move it. */
  take(): Promise<number>
  /** Why one of so many open requests may still be answered; undefined when all are held until the clock moves, or for ever. */
  lateBy(open: number): Promise<Late | undefined>
}

/** Its connections are not those of the program, whose bytes are counted. */
const agent = new Agent({ keepAlive: true })

/** As it is before the program's own calls of it count as time. */
const { spawnSync } = childProcess

const json = { 'Content-Type': 'application/json', 'X-Emulator-By': 'program' }

/**
 * The clock of a world of the emulator at `url`. It uses `node:http`, whose timers are never replaced. Throws when this is not an address, and
 * its promises reject when no emulator answers or it refuses the call.
 */
export function worldClock(url: string, world: string): WorldClock {
  if (!URL.canParse(url) || new URL(url).protocol !== 'http:')
    throw new Error(
      `GATEWAY_EMULATOR_URL is ${JSON.stringify(url)}, not an http address such as http://127.0.0.1:8585`,
    )
  const control = `${url.replace(/\/+$/, '')}/__emulator/worlds/${encodeURIComponent(world)}`
  const clock = `${control}/clock`
  const now = () => numberIn(asked('GET', clock), 'now_ms')
  return {
    open: () =>
      now().catch(error => {
        if (error.code !== 'not_found') throw error
        return numberIn(asked('PATCH', clock, {}), 'now_ms')
      }),
    now,
    take: () => numberIn(asked('PATCH', clock, { mode: 'manual' }), 'now_ms'),
    advance: ms => numberIn(asked('POST', `${clock}/advance`, { by: ms }), 'now_ms'),
    advanceAtOnce(ms) {
      const init = { method: 'POST', headers: json, body: JSON.stringify({ by: ms }) }
      const source = `await fetch(${JSON.stringify(`${clock}/advance`)}, ${JSON.stringify(init)})`
      spawnSync(process.execPath, ['--input-type=module', '--eval', source], { env: {} })
    },
    advanceWithLatency: ms =>
      numberIn(asked('POST', `${clock}/advance`, { by: ms, with_latency: true }), 'now_ms'),
    lateBy: async open => lateBy(await asked('GET', `${control}/health`), open),
  }
}

/** Older emulators do not give these numbers. Other programs may have requests in the world, too. */
function lateBy(text: string, open: number): Late | undefined {
  const numbers = JSON.parse(text) as Record<string, number | undefined>
  const { rendering = 0, delayed_replies = 0, open_requests = 0, held_replies = open_requests } = numbers
  if (rendering > 0) return 'rendering'
  if (delayed_replies > 0) return 'latency'
  return open_requests < Math.max(1, open) || open_requests > held_replies ? 'work' : undefined
}

async function numberIn(answer: Promise<string>, name: string): Promise<number> {
  const text = await answer
  const { [name]: value, error } = objectIn(text)
  if (typeof value === 'number') return value
  const {
    message = `What answers is no emulator: ${JSON.stringify(text.slice(0, 80))}`,
    hint,
    code,
  } = (error ?? {}) as ErrorBody
  throw Object.assign(new Error(hint ? `${message} (${hint})` : message), { code })
}

interface ErrorBody {
  code?: string
  message?: string
  hint?: string
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

function asked(method: string, url: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const unreachable = ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Error(`No emulator answers at ${new URL(url).origin} (${code ?? message})`))
    const sent = request(url, { agent, method, headers: json }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('error', unreachable)
      response.on('end', () => resolve(text))
    })
    sent.on('error', unreachable)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
