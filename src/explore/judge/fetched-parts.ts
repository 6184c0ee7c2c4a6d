import type { RequestView } from '../../client/types.ts'

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

/**
 * The part of the file, 0 to 1, up to which the bytes of the reply are correct. The journal rounds the
 * percentage of a stall. It does not record how much arrived before a reset in the middle of a body, so that
 * counts as 0.
 */
function shareSent({ media, reply_lost }: RequestView): number {
  if (media === 'cut off half way') return 0.5
  const [, percent] = /^stalled after (\d+) %/.exec(media ?? '') ?? []
  if (percent !== undefined) return Number(percent) / 100
  if (reply_lost === true) return 0
  // A slow file arrives completely; with any other fault it is broken.
  return media === undefined || /bytes a second/.test(media) ? 1 : 0
}

function headerOf({ response }: RequestView, name: string): string {
  const header = Object.entries(response.headers).find(([key]) => key.toLowerCase() === name)
  return String(header?.[1] ?? '')
}
