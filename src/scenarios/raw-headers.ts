import { ScenarioError, type Steps } from './scenario-error.ts'

/** Headers that say how a reply is framed on its connection. The server writes these itself; another value would break the framing. */
const framing: readonly string[] = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Checks the headers of a raw refusal. Throws ScenarioError for one that cannot be sent as it is. */
export function checkRawHeaders(headers: object, steps: Steps): void {
  const seen = new Set<string>()
  for (const header of Object.keys(headers)) {
    const at = [...steps, header]
    const lower = header.toLowerCase()
    if (framing.includes(lower))
      throw new ScenarioError(`the header ${header} is set by the server itself`, {
        steps: at,
        hint: 'leave it out; connection: {reset: mid_body} and its like break replies on purpose',
      })
    if (seen.has(lower))
      throw new ScenarioError(`the header ${header} is there twice`, { steps: at, hint: 'give it one value' })
    seen.add(lower)
  }
}
