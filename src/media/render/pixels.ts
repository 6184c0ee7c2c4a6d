import type { Channels, Sharp } from 'sharp'
import type { Rgb } from '../drawing/colour.ts'
import { PackageMissingError } from './tools.ts'

/** A rectangle of a picture. All lengths are even where it is copied from a picture of video. */
export interface Piece {
  left: number
  top: number
  width: number
  height: number
}

/**
 * The library that reads and draws pictures. Its programs are packages of their own for each system, which npm leaves out with
 * `--omit=optional`. @throws PackageMissingError with what to install
 */
export async function loadSharp(): Promise<typeof import('sharp')['default']> {
  try {
    return (await import('sharp')).default
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new PackageMissingError(
      `sharp, which reads and draws pictures, does not run here: ${reason?.replace(/:$/, '')}. ` +
        'Install it for this system with `npm install --include=optional sharp`.',
    )
  }
}

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

/** Pixels of `channels` bytes each, of which the first three are red, green and blue. */
export interface Pixels {
  width: number
  height: number
  channels: Channels
  bytes: Uint8Array
}

/** The pixels of a drawing. */
export async function pixelsOf(drawing: Sharp): Promise<Pixels & { bytes: Buffer }> {
  const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, bytes: data }
}

/** Pixels as a picture that can be changed and written. */
export async function pictureOf({ width, height, channels, bytes }: Pixels): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(bytes, { raw: { width, height, channels } })
}

type Corner = Pick<Piece, 'left' | 'top'>

/** Puts a piece of one picture, or all of it, into another one with as many channels, or elsewhere into the same one, over what is there. */
export function paste(
  from: Pixels,
  to: Pixels,
  { at, piece = { left: 0, top: 0, width: from.width, height: from.height } }: { at: Corner; piece?: Piece },
): void {
  const { channels } = from
  for (let y = 0; y < piece.height; y++) {
    const start = ((piece.top + y) * from.width + piece.left) * channels
    const line = from.bytes.subarray(start, start + piece.width * channels)
    to.bytes.set(line, ((at.top + y) * to.width + at.left) * channels)
  }
}

/** The average colour of some rows, from a part of their pixels. */
export function average(
  { width, channels, bytes }: Pixels,
  { top, rows }: { top: number; rows: number },
): Rgb {
  let [red, green, blue, count] = [0, 0, 0, 0]
  for (let at = top * width * channels; at < (top + rows) * width * channels; at += 37 * channels) {
    red += bytes[at] as number
    green += bytes[at + 1] as number
    blue += bytes[at + 2] as number
    count++
  }
  return [red / count, green / count, blue / count]
}

/** The longer side of a poster, in px. */
const longestPx = 320

/** A picture file as a small PNG. A picture that is already small keeps its size. */
export async function shrinkPicture(file: string): Promise<Buffer> {
  const sharp = await loadSharp()
  return await small(sharp(file).autoOrient())
}

/** The same for the upper left part of drawn pixels. */
export async function shrinkPixels(
  pixels: Pixels,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  return await small((await pictureOf(pixels)).extract({ left: 0, top: 0, width, height }).removeAlpha())
}

function small(picture: Sharp): Promise<Buffer> {
  return within(picture, longestPx).png({ compressionLevel: 4 }).toBuffer()
}

function within(picture: Sharp, side: number): Sharp {
  return picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
}

/** Renderings need no larger pictures; larger inputs are made smaller once, when they arrive. */
const longestSidePx = 1920
const losslessUpToPixels = 1024 * 1024

/**
 * The picture that renderings show for an input: upright, at most 1920 px a side, PNG with alpha or up to a megapixel,
 * else JPEG. The same bytes give the same poster. Throws the error of sharp for a picture that it cannot decode.
 */
export async function makePoster(picture: Buffer): Promise<Buffer> {
  const source = (await openPicture(picture))()
  const { hasAlpha, width, height } = await source.metadata()
  const fitted = within(source.autoOrient(), longestSidePx)
  const shrink = Math.min(1, longestSidePx / Math.max(width, height))
  const isLossless = hasAlpha || width * height * shrink * shrink <= losslessUpToPixels
  if (isLossless) return await fitted.png({ compressionLevel: 6 }).toBuffer()
  return await fitted.jpeg({ quality: 92 }).toBuffer()
}
