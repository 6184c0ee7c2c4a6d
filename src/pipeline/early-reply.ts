import type { IncomingMessage, ServerResponse } from 'node:http'
import { pause } from '../worlds/wait.ts'

/** How long a client may still send after its reply, wall ms, and how many bytes. */
const longestMs = 5000
const mostBytes = 64 * 1024 * 1024

/**
 * Whether the end of this reply would close the connection while the client still sends its body. What a client sends to a closed
 * connection is answered with a TCP reset, which discards the reply before the client has read it.
 */
export function isCutOff(
  { complete, headers }: IncomingMessage,
  { shouldKeepAlive }: ServerResponse,
): boolean {
  if (shouldKeepAlive || complete) return false
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

/** Sends the whole reply at once, and closes the connection when the client has sent its body or the time is over. */
export function endAfterBody(
  request: IncomingMessage,
  response: ServerResponse,
  payload: string | Buffer | undefined,
): void {
  if (payload === undefined || request.method === 'HEAD') response.flushHeaders()
  else response.write(payload)
  let bytes = 0
  const end = () => {
    if (!response.writableEnded) response.end()
  }
  request.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > mostBytes) end()
  })
  request.once('end', end)
  request.once('close', end)
  request.resume()
  pause(longestMs).then(end)
}
