import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { type ControlCaller, controlCaller } from '../../kits/views.ts'
import { mcpServer } from './server.ts'

/** Answers one message of the protocol. Each request has its own server, since there are no sessions. */
export async function answerMessage(
  request: IncomingMessage,
  message: unknown,
): Promise<{ status: number; text: string }> {
  const server = mcpServer(selfCaller(request))
  // Without a generator of ids, the transport has no sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    const reply = await transport.handleRequest(webRequest(request), { parsedBody: message })
    return { status: reply.status, text: await reply.text() }
  } finally {
    await server.close()
  }
}

function webRequest({ url = '/', headers }: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const request = new Request(`http://self${url}`, { method: 'POST', headers: pairs, body: '{}' })
  // A caller that accepts anything accepts both of the protocol's types, but the SDK looks for their names.
  const { accept = '*/*' } = headers
  if (accept.includes('*/*')) request.headers.set('Accept', 'application/json, text/event-stream')
  return request
}

/**
 * Calls the control API of the server that received a request, at the address and port of that request. A self-made certificate of
 * the server is trusted, since the connection does not leave the machine.
 */
function selfCaller({ socket, headers }: IncomingMessage): ControlCaller {
  const isSecure = (socket as TLSSocket).encrypted === true
  const options: RequestOptions & { rejectUnauthorized?: boolean } = {
    agent: false,
    host: socket.localAddress ?? '127.0.0.1',
    port: socket.localPort ?? null,
    ...(headers.host !== undefined && { headers: { host: headers.host } }),
    ...(isSecure && { rejectUnauthorized: false }),
  }
  return controlCaller('http://self/__emulator', {
    by: (url, init) =>
      send(isSecure ? secureRequest : plainRequest, options, {
        path: url.slice('http://self'.length),
        ...init,
      }),
  })
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
