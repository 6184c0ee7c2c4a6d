import type { YuvPicture } from './yuv.ts'

/** The parts of a mixture of two pictures. Their number is the sum of two weights that H.264 allows (8.4.2.3). */
export const mixParts = 128

/** A mixture of two pictures of the same size, in which the second one has so many parts. Rounded as in H.264, 8.4.2.3.2. */
export function mix(first: YuvPicture, second: YuvPicture, parts: number): YuvPicture {
  const bytes = new Uint8Array(first.bytes.length)
  const [a, b] = [first.bytes, second.bytes]
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = ((a[i] as number) * (mixParts - parts) + (b[i] as number) * parts + mixParts / 2) >> 7
  return { width: first.width, height: first.height, bytes }
}
