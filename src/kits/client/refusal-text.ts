import type { RequestView } from './request-views.ts'

/** The message of a reply, in the place where its family or the store of result files has it. */
export function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return /<Message>([^<]*)/.exec(body)?.[1] ?? body.slice(0, 500)
  if (typeof body !== 'object' || body === null) return undefined
  for (const [key, value] of Object.entries(body)) {
    if (/^(message|status_msg)$/.test(key) && typeof value === 'string') return value
    const found = typeof value === 'object' ? messageIn(value) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Why a request was refused, in a line: `resolution: must be one of …`. */
export function refusalText({ status, param, response }: RequestView): string {
  const said = (messageIn(response.body) ?? '').replace(/[,.]? ?\(?request id: ?[\w-]+\)?\.?$/i, '')
  const reply = said === '' ? `answered ${status}` : said
  return param === undefined || said.includes(param) ? reply : `${param}: ${reply}`
}
