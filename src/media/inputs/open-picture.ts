import type { Sharp } from 'sharp'
import { loadSharp } from '../load-sharp.ts'

/** Upstream reads pictures of up to 36 million pixels; larger ones are not decoded. */
export const largestPictureInPixels = 36_000_000

/**
 * A picture of a request, ready to be decoded within the pixel limit; a broken or truncated one fails. The
 * cache of libvips is off: it would keep a hundred decoders, and the same picture is not decoded twice.
 */
export async function openPicture(bytes: Buffer): Promise<() => Sharp> {
  const sharp = await loadSharp()
  sharp.cache(false)
  const options = { limitInputPixels: largestPictureInPixels, failOn: 'error' } as const
  return () => sharp(bytes, options)
}
