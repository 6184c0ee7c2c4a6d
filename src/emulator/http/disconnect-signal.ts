import type { ServerResponse } from 'node:http'

/** A signal that aborts when the client or the server closes the connection. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed || response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}
