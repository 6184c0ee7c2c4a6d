import type { Sharp } from 'sharp'
import { loadSharp } from './load-sharp.ts'
import type { Pixels } from './video/pixels.ts'

/** The longer side of a poster, in px. */
const longestPx = 320

/** A picture file as a small PNG. A picture that is already small keeps its size. */
export async function shrinkPicture(file: string): Promise<Buffer> {
  const sharp = await loadSharp()
  return await small(sharp(file).autoOrient())
}

/** The same for drawn pixels. */
export async function shrinkPixels({ width, height, channels, bytes }: Pixels): Promise<Buffer> {
  const sharp = await loadSharp()
  const raw = { width, height, channels: channels === 4 ? 4 : 3 } as const
  return await small(sharp(bytes, { raw }).removeAlpha())
}

function small(picture: Sharp): Promise<Buffer> {
  const box = { width: longestPx, height: longestPx, fit: 'inside', withoutEnlargement: true } as const
  return picture.resize(box).png({ compressionLevel: 4 }).toBuffer()
}
