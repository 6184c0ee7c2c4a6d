import type { Sharp } from 'sharp'
import { loadSharp, openPicture, type Pixels, pictureOf } from './pixels.ts'

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
