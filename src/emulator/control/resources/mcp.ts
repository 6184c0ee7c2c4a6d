import { done, endpoints } from '../control-endpoint.ts'
import { ControlError } from '../control-error.ts'

/** Agents over HTTP: one message of the Model Context Protocol per request, without sessions. Access is checked as for the control API. */
export const mcpEndpoints = endpoints({
  'POST /mcp': {
    example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    summary:
      'The Model Context Protocol (streamable HTTP, without sessions): the tools of `gateway-emulator mcp`',
    body: { type: 'object' },
    async handle({ request, body }) {
      const { answerMessage } = await import('../../mcp/over-http.ts')
      const { status, text } = await answerMessage(request, body)
      if (status < 400) return done(text === '' ? undefined : JSON.parse(text), status)
      throw new ControlError(status, 'bad_request', messageIn(text))
    },
  },
})

/** The protocol's own refusals are JSON-RPC errors. */
function messageIn(text: string): string {
  try {
    const body: { error?: { message?: unknown } } = JSON.parse(text)
    if (typeof body.error?.message === 'string') return body.error.message
  } catch {
    // A thrown text is used as the message.
  }
  return text
}
