import type { IncomingMessage } from 'node:http'
import type { Secrets } from './secrets.ts'

/** Puts stars in the place of each secret in a body that has not been read yet. Its length stays the same. */
export function maskBody(request: IncomingMessage, secrets: Secrets): void {
  const push = request.push.bind(request)
  let held: Buffer = Buffer.alloc(0)
  // Node gives each part of the body to `push`.
  request.push = (chunk: Buffer | string | null, encoding?: BufferEncoding) => {
    if (chunk === null) {
      if (held.length > 0) push(secrets.maskedBytes(held))
      return push(null)
    }
    const part = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
    const whole = secrets.maskedBytes(held.length === 0 ? part : Buffer.concat([held, part]))
    // The end of this part may be the beginning of a secret.
    const kept = Math.min(whole.length, Math.max(0, secrets.longest() - 1))
    held = whole.subarray(whole.length - kept)
    return whole.length === kept || push(whole.subarray(0, whole.length - kept))
  }
}
