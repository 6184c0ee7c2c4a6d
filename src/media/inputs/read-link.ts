import { InputError, shortReference } from '../errors.ts'
import { startDeadline } from './deadline.ts'
import { type DownloadLimits, download } from './download.ts'
import { decide, hostOf, parseLink, reachOf } from './fetch-policy.ts'

export type LinkRead = { kind: 'body'; bytes: Buffer } | { kind: 'stand_in'; reason: string }

const mostRedirects = 3

/** The limits of reading one link, redirects included. */
type LinkLimits = Pick<DownloadLimits, 'policy' | 'maxBytes' | 'resolve'> & {
  /** For the whole reading; half of it without a byte ends it too. Time in which this process has no processor does not count. */
  timeLimitMs: number
  /** Ends the reading early. */
  signal: AbortSignal | undefined
}

/** Reads a link as `readLink` does, within a time limit that starts now. Throws `timeout` when it is over, and the signal's reason. */
export async function readLinkWithin(
  url: URL,
  { timeLimitMs, signal, ...limits }: LinkLimits,
): Promise<LinkRead> {
  const deadline = startDeadline({ wholeMs: timeLimitMs, silentMs: timeLimitMs / 2 }, signal)
  try {
    return await readLink(url, { ...limits, deadline })
  } finally {
    deadline.end()
  }
}

/**
 * Reads a link within the policy, or returns why its properties must be assumed. Follows at most three
 * redirects, and checks each address like the first. Throws InputError `forbidden_address`, `unreachable`, `too_large`, `timeout`.
 */
async function readLink(start: URL, limits: DownloadLimits): Promise<LinkRead> {
  let url = start
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const decision = await decide(url, limits.policy)
    if (decision.kind === 'stand_in') return decision
    const answer = await download(url, limits)
    if (answer.kind === 'body') return answer
    if (answer.kind === 'no_answer') return assumeUnlessLocal(url, answer.reason)
    url = redirected(url, answer.location)
  }
  throw new InputError('unreachable', `${start.host} redirects more than ${mostRedirects} times`)
}

/** A server on this machine that does not answer is a mistake of the caller, which an assumed file would hide. */
async function assumeUnlessLocal(url: URL, reason: string): Promise<LinkRead> {
  const host = hostOf(url)
  const isLocal = /(^|\.)localhost$/.test(host) || (await reachOf(host)) === 'loopback'
  if (isLocal) throw new InputError('unreachable', reason)
  return { kind: 'stand_in', reason }
}

function redirected(from: URL, location: string): URL {
  if (URL.canParse(location, from.href)) return parseLink(new URL(location, from).href)
  throw new InputError(
    'unreachable',
    `${from.host} redirects to "${shortReference(location)}", which is not an http or https link`,
  )
}
