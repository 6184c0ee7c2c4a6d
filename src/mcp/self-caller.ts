import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { type ControlCaller, controlCaller } from '../client/call.ts'

/**
 * Calls of the control API of the server that a request reached, by the address and port it came in at. A certificate that the
 * server made for itself is trusted: the connection does not leave the machine's own socket.
 */
export function selfCaller({ socket, headers }: IncomingMessage): ControlCaller {
  const isSecure = (socket as TLSSocket).encrypted === true
  const options: RequestOptions & { rejectUnauthorized?: boolean } = {
    host: socket.localAddress ?? '127.0.0.1',
    port: socket.localPort ?? null,
    ...(headers.host !== undefined && { headers: { host: headers.host } }),
    ...(isSecure && { rejectUnauthorized: false }),
  }
  return controlCaller('http://self/__emulator', (url, init) =>
    send(isSecure ? secureRequest : plainRequest, options, {
      path: url.slice('http://self'.length),
      ...init,
    }),
  )
}

async function send(
  request: typeof plainRequest,
  { headers, ...options }: RequestOptions,
  { path, method, body, headers: own }: RequestInit & { path: string },
): Promise<Response> {
  const outgoing = request({
    ...options,
    path,
    method: method ?? 'GET',
    headers: { ...headers, ...(own as Record<string, string>) },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  outgoing.end(body as string | undefined)
  const incoming = await answered
  return new Response(await text(incoming), { status: incoming.statusCode ?? 500 })
}
