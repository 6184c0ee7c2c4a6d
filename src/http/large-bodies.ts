import type { IncomingMessage } from 'node:http'
import { createGate } from '../media/gate.ts'
import { pause } from '../worlds/wait.ts'

/**
 * Of large bodies one is in hand at a time, from the first byte to the answer; the others wait unread in their sockets. In memory
 * a body takes several times its size, and ten pictures of 30 MB at once must not take ten times that.
 */
const gate = createGate(1)

const lookMs = 1000
/** A client that sends less between two looks is slow or gone, and others need not wait for it. Bytes. */
const leastProgress = 64 * 1024

/** Reads and answers a request with a large body when its turn comes. A body that stops coming gives its turn away. */
export async function inTurn<T>(request: IncomingMessage, answer: () => Promise<T>): Promise<T> {
  let answered: Promise<T> | undefined
  await gate.run(() => {
    answered = answer()
    const over = answered.then(
      () => undefined,
      () => undefined,
    )
    return Promise.race([over, stalled(request)])
  })
  return answered as Promise<T>
}

/** Resolves when a body comes too slowly; never for one that has come. */
async function stalled(request: IncomingMessage): Promise<void> {
  for (let seen = 0; !request.complete; ) {
    await pause(lookMs)
    const bytes = request.socket.bytesRead
    if (!request.complete && bytes - seen < leastProgress) return
    seen = bytes
  }
  return new Promise(() => undefined)
}
