import type { Failure, FailureReply } from '../../client/failure.ts'

/** A failure of the catalogue, with the status and the code that clients get. */
export type Breakage = Failure & FailureReply

/** How a failure is called: `too many requests, Retry-After 7s (429 AccountRateLimitExceeded)`. */
export function breakageText({ status, code, title }: Breakage, retryAfter?: string): string {
  const reply = [status, code].filter(part => part !== undefined).join(' ')
  const words =
    retryAfter === undefined
      ? title
      : `${title.replace(/, with(?:out)? Retry-After$/, '')}, Retry-After ${retryAfter}`
  return reply === '' ? words : `${words} (${reply})`
}

/** Calls from now, counted from 1: `next a.create`, `next 2 a.create`, `a.create, 3 calls from now`. */
export function callsText(operation: string, calls: readonly number[]): string {
  if (calls.some((call, i) => call !== i + 1)) return `${operation}, ${calls.join(', ')} calls from now`
  return `next ${calls.length === 1 ? '' : `${calls.length} `}${operation}`
}

/** The wait that the refusal of a rule asks for; undefined when it asks for none. */
export function retryAfterOf(then: object): string | undefined {
  const { refuse } = then as { refuse?: { retry_after?: string } }
  return refuse?.retry_after
}

/** The effects of a failure with another Retry-After; the same for what is no refusal by a fault. */
export function withRetryAfter({ then }: Breakage, retryAfter: string | undefined): Breakage['then'] {
  const { refuse } = then as { refuse?: { fault?: string; retry_after?: string } }
  if (refuse?.fault === undefined) return then
  const { retry_after: _, ...rest } = refuse
  return { ...then, refuse: { ...rest, ...(retryAfter !== undefined && { retry_after: retryAfter }) } }
}
