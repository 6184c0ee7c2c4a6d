import type { Failure, FailureReply } from '../../client/failure.ts'

/** A failure of the catalogue, with the status and the code that clients get. */
export type Breakage = Failure & FailureReply

/** How a failure is called: `too many requests (429 AccountRateLimitExceeded)`. */
export function breakageText({ status, code, title }: Breakage): string {
  const reply = [status, code].filter(part => part !== undefined).join(' ')
  return reply === '' ? title : `${title} (${reply})`
}
