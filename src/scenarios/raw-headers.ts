import { connectionHeaders } from '../http/connection-headers.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

/** Headers that frame a reply on its connection. The server writes them; other values would break the framing. */
const framing: readonly string[] = [...connectionHeaders, 'content-length']

/** Checks the headers of a raw refusal. Throws ScenarioError for a header that cannot be sent unchanged. */
export function checkRawHeaders(headers: object, steps: Steps): void {
  const seen = new Set<string>()
  for (const header of Object.keys(headers)) {
    const at = [...steps, header]
    const lower = header.toLowerCase()
    if (framing.includes(lower))
      throw new ScenarioError(`the header ${header} is set by the server itself`, {
        steps: at,
        hint: 'leave it out; use connection, such as {reset: mid_body}, to break replies on purpose',
      })
    if (seen.has(lower))
      throw new ScenarioError(`the header ${header} appears twice`, { steps: at, hint: 'give it one value' })
    seen.add(lower)
  }
}
