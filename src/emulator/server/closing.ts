import { clearInterval, setInterval } from 'node:timers'
import { pause } from '../worlds/wait.ts'
import { endsSeen } from './ends-seen.ts'

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
