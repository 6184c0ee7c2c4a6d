import type { Server } from 'node:http'
import { pause } from '../worlds/wait.ts'

/** How long closing waits, wall ms. */
export interface Patience {
  /** For requests that are under way; their connections are closed after it. */
  requestsMs: number
  /** For everything; what has not ended by then is left behind. */
  allMs: number
}

/** How often connections are looked at that became idle meanwhile. Wall ms. */
const lookMs = 10

/** Together below the two seconds that the command line promises (interface, "Command line"). */
const standardPatience: Patience = { requestsMs: 800, allMs: 1700 }

/**
 * Closes a server and what is behind it. A reply is sent only after its change is on disk, so what was acknowledged is safe at
 * each moment; what is left at the end of the patience is cut. Gives whether everything ended in time.
 */
export async function closeInTime(
  server: Server,
  parts: { close(): Promise<void> },
  patience: Patience = standardPatience,
): Promise<{ inTime: boolean }> {
  const ended = endRequests(server, patience.requestsMs)
    .then(() => parts.close())
    .then(() => ({ inTime: true }))
  // What is waited for here may hold no process alive, and a process must not end in the middle of its own closing.
  const alive = setInterval(() => {}, patience.allMs)
  try {
    return await Promise.race([ended, pause(patience.allMs).then(() => ({ inTime: false }))])
  } finally {
    clearInterval(alive)
  }
}

async function endRequests(server: Server, requestsMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const lastMoment = pause(requestsMs)
  // A connection whose request has just been answered would be kept for the next one.
  const looking = setInterval(() => server.closeIdleConnections(), lookMs)
  server.closeIdleConnections()
  await Promise.race([closed, lastMoment])
  clearInterval(looking)
  server.closeAllConnections()
  await closed
}
