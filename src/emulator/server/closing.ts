import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { clearInterval, setInterval } from 'node:timers'
import { pause } from '../worlds/wait.ts'

/** What closing needs of a server. */
export interface Door {
  close(done: () => void): unknown
  closeIdleConnections(): void
  closeAllConnections(): void
}

/** How long closing waits, wall ms. */
export interface ClosingLimits {
  /** For running requests; after it their connections are closed. */
  requestsMs: number
  /** For all parts; closing does not wait longer. */
  allMs: number
}

/** How often idle connections are closed, wall ms. */
const lookMs = 10

/** Together less than the two seconds that the command line promises. */
const standardLimits: ClosingLimits = { requestsMs: 800, allMs: 1700 }

/**
 * Closes a server and the parts behind it. A reply is sent only after its change is on disk, so acknowledged changes are always
 * safe. Connections that are still open after the wait are cut. Returns whether all parts ended in time.
 */
export async function closeInTime(
  server: Door,
  parts: { close(): Promise<void> },
  limits: ClosingLimits = standardLimits,
): Promise<{ inTime: boolean }> {
  const ended = endRequests(server, limits.requestsMs)
    .then(() => parts.close())
    .then(() => ({ inTime: true }))
  // The parts may have no handle that keeps the process alive, and the process must not end before closing has finished.
  const alive = setInterval(() => {}, limits.allMs)
  try {
    return await Promise.race([ended, pause(limits.allMs).then(() => ({ inTime: false }))])
  } finally {
    clearInterval(alive)
  }
}

async function endRequests(server: Door, requestsMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const lastMoment = pause(requestsMs)
  // A connection whose request was just answered would otherwise stay open for the next request.
  const looking = setInterval(() => server.closeIdleConnections(), lookMs)
  server.closeIdleConnections()
  await Promise.race([closed, lastMoment])
  clearInterval(looking)
  server.closeAllConnections()
  await closed
  await endsSeen()
}

/**
 * Resolves when clients of this process have seen the end of every connection that was closed before the call: until then, a client that
 * keeps connections would send its next request on one of them, and be cut off. One more connection shows it, since what the loopback
 * interface and this process handle comes in order.
 */
export async function endsSeen(): Promise<void> {
  const server = createServer()
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as { port: number }).port, '127.0.0.1')
    const [[served]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
      [Socket],
      unknown,
    ]
    served.destroy()
    await once(client.resume(), 'close')
  } catch {
    // A machine without a free port has no order to wait for.
  } finally {
    server.close()
  }
}
