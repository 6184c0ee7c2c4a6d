import type { RequestEffect } from '../../emulator/ground.ts'
import type { RequestView } from '../../kits/views.ts'

/** The correct bytes of a file in one reply. */
interface Part {
  from: number
  /** The last byte. */
  to: number
  /** The size of the whole file. */
  size: number
}

/** Whether all bytes of a file arrived correctly, in one reply or in several. A client may continue after a reply that broke off. */
export function cameWhole(downloads: readonly RequestView[]): boolean {
  if (downloads.some(one => one.status === 304 && shareSent(one) === 1)) return true
  const parts = downloads.flatMap(partOf).sort((one, other) => one.from - other.from)
  let covered = 0
  for (const { from, to } of parts) if (from <= covered) covered = Math.max(covered, to + 1)
  return parts.length > 0 && covered >= (parts[0]?.size ?? Number.POSITIVE_INFINITY)
}

function partOf(download: RequestView): Part[] {
  const place = boundsOf(download)
  const share = shareSent(download)
  if (!place || share === 0) return []
  const { from, to, size } = place
  return [{ from, to: share === 1 ? to : Math.min(to, Math.floor(size * share) - 1), size }]
}

/** The place of a reply's bytes in the file. A whole file of unknown length counts as one byte. */
function boundsOf(download: RequestView): Part | undefined {
  if (download.status === 206) {
    const [, from, to, size] = /bytes (\d+)-(\d+)\/(\d+)/.exec(headerOf(download, 'content-range')) ?? []
    return size === undefined ? undefined : { from: Number(from), to: Number(to), size: Number(size) }
  }
  if (download.status !== 200) return undefined
  const size = Number(headerOf(download, 'content-length') || 1)
  return { from: 0, to: size - 1, size }
}

/** The part of the file, 0 to 1, up to which the bytes of the reply are correct. */
function shareSent(download: RequestView): number {
  return download.reply_lost === true ? 0 : Math.min(1, ...arrivalsOf(download).map(({ share }) => share))
}

/** What reaches a program: the part of a reply, 0 to 1, up to which its bytes are correct, and how it ends. */
interface Arrival {
  share: number
  /** `open`: the rest never comes; `silent`: nothing ever comes; `refused`: another reply comes in place of the file. */
  end: 'whole' | 'broken' | 'open' | 'silent' | 'refused'
}

/** What reached a program of a reply, by each effect on it. */
export function arrivalsOf({ effects = [] }: Pick<RequestView, 'effects'>): Arrival[] {
  return effects.map(arrivalOf)
}

const whole = { share: 1, end: 'whole' } as const

/** What an effect lets through. A kind that is not here does not compile: nobody could judge a run that met it. */
function arrivalOf(effect: RequestEffect): Arrival {
  switch (effect.kind) {
    case 'after':
    case 'latency':
    case 'throttle':
    case 'slow':
    case 'missing_url':
      return whole
    case 'truncated':
      return { share: effect.share, end: 'broken' }
    case 'stall':
      return effect.released ? whole : { share: effect.share, end: 'open' }
    case 'hang':
      return effect.released ? whole : { share: 0, end: 'silent' }
    // How much arrives before a reset in the middle of a body is not known.
    case 'reset':
      return { share: 0, end: 'broken' }
    case 'garble':
    case 'empty':
    case 'corrupt':
    case 'wrong_type':
      return { share: 0, end: 'whole' }
    case 'link_expired':
    case 'link_exhausted':
      return { share: 0, end: 'refused' }
  }
}

function headerOf({ response }: RequestView, name: string): string {
  const header = Object.entries(response.headers).find(([key]) => key.toLowerCase() === name)
  return String(header?.[1] ?? '')
}
