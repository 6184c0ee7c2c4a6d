import type { RequestView } from '../client/types.ts'

/** Bytes of a file that one answer carried unbroken. */
interface Part {
  from: number
  /** The last byte. */
  to: number
  /** How long the whole file is. */
  size: number
}

/** Whether all bytes of a file came unbroken, in one answer or in several. A client may continue after an answer that broke off. */
export function cameWhole(downloads: readonly RequestView[]): boolean {
  if (downloads.some(one => one.status === 304 && shareSent(one) === 1)) return true
  const parts = downloads.flatMap(partOf).sort((one, other) => one.from - other.from)
  let covered = 0
  for (const { from, to } of parts) if (from <= covered) covered = Math.max(covered, to + 1)
  return parts.length > 0 && covered >= (parts[0]?.size ?? Number.POSITIVE_INFINITY)
}

function partOf(download: RequestView): Part[] {
  const place = placeOf(download)
  const share = shareSent(download)
  if (!place || share === 0) return []
  const { from, to, size } = place
  return [{ from, to: share === 1 ? to : Math.min(to, Math.floor(size * share) - 1), size }]
}

/** Where the bytes of an answer belong. A whole file whose length is not known counts as one byte. */
function placeOf(download: RequestView): Part | undefined {
  if (download.status === 206) {
    const [, from, to, size] = /bytes (\d+)-(\d+)\/(\d+)/.exec(headerOf(download, 'content-range')) ?? []
    return size === undefined ? undefined : { from: Number(from), to: Number(to), size: Number(size) }
  }
  if (download.status !== 200) return undefined
  const size = Number(headerOf(download, 'content-length') || 1)
  return { from: 0, to: size - 1, size }
}

/**
 * The part of the file, 0 to 1, up to which the answer's bytes are those of the file. The journal rounds the percentage of a stall.
 * It does not say how much arrived before a reset in the middle of a body, so that counts as nothing.
 */
function shareSent({ media, reply_lost }: RequestView): number {
  if (media === 'cut off half way') return 0.5
  const [, percent] = /^stalled after (\d+) %/.exec(media ?? '') ?? []
  if (percent !== undefined) return Number(percent) / 100
  if (reply_lost === true) return 0
  // A slow file arrives whole; others are broken.
  return media === undefined || /bytes a second/.test(media) ? 1 : 0
}

function headerOf({ response }: RequestView, name: string): string {
  const header = Object.entries(response.headers).find(([key]) => key.toLowerCase() === name)
  return String(header?.[1] ?? '')
}
