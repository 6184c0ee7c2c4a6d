import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { type ControlCaller, controlCaller } from '../client/call.ts'

/**
 * Calls the control API of the server that received a request, at the address and port of that request. A self-made certificate of
 * the server is trusted, since the connection does not leave the machine.
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
