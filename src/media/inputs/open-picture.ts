import type { Sharp } from 'sharp'

/** Upstream reads pictures of up to 36 million pixels; larger ones are bombs as far as we care. */
export const largestPictureInPixels = 36_000_000

/** A progressive picture of thousands of passes would keep a core busy for minutes. */
const longestDecodeSeconds = 10

/**
 * A picture from outside, ready to be decoded under the pixel limit; what is broken or cut short fails.
 * The cache of libvips is switched off: it never sees the same foreign picture twice, and would hold a hundred decoders.
 */
export async function openPicture(bytes: Buffer): Promise<() => Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  const options = { limitInputPixels: largestPictureInPixels, failOn: 'error' } as const
  return () => sharp(bytes, options).timeout({ seconds: longestDecodeSeconds })
}
