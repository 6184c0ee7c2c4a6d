import type { IncomingMessage } from 'node:http'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { selfCaller } from './self-caller.ts'
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
