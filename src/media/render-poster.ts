import type { MediaFacts } from '../worlds/media-facts.ts'
import { InputError } from './input-error.ts'
import { largestPictureInPixels } from './inputs/open-picture.ts'
import { readWithFfmpeg } from './inputs/read-with-ffmpeg.ts'

/** Processor time of ffmpeg for one picture. */
const mostSeconds = 20
const mostBytes = 64 * 1024 * 1024

interface Ends {
  first: Buffer
  last: Buffer
}

/**
 * First and last frame of a video file, or a BMP as both, as plain TIFF within 1920 px a side. `ffmpeg` is the path of the program.
 * Throws InputError
 * `undecodable` when no first frame can be decoded, and GivenUp as readWithFfmpeg does.
 */
export async function extractEnds(
  file: string,
  facts: Pick<MediaFacts, 'format' | 'fps' | 'frames'>,
  ffmpeg: string,
): Promise<Ends> {
  const source: Source = { ffmpeg, format: facts.format, file }
  const first = await grab(source, 0)
  if (first === 'too_much_work') {
    const found = `decoding a frame of the ${facts.format} file takes more than ${mostSeconds} s of processor time`
    throw new InputError('undecodable', `${found}; it was stopped`)
  }
  if (!first) throw new InputError('undecodable', `no frame of the ${facts.format} file can be decoded`)
  // Half a frame before the last one, so that rounding cannot skip it. The length is not used, because the sound may be longer than the pictures.
  const lastAt = facts.frames && facts.fps ? (facts.frames - 1.5) / facts.fps : 0
  const last = lastAt > 0 ? await grab(source, lastAt) : first
  return { first, last: last instanceof Buffer ? last : first }
}

interface Source {
  ffmpeg: string
  format: string
  file: string
}

/** One frame at a second, or undefined when ffmpeg gives none. */
async function grab(
  { ffmpeg, format, file }: Source,
  atSeconds: number,
): Promise<Buffer | 'too_much_work' | undefined> {
  const limits = ['-max_pixels', `${largestPictureInPixels}`, '-threads', '1']
  const seek = atSeconds > 0 ? ['-ss', atSeconds.toFixed(4)] : []
  const scale = "scale='min(1920,iw)':'min(1920,ih)':force_original_aspect_ratio=decrease"
  const tiff = ['-pix_fmt', 'rgb24', '-c:v', 'tiff', '-compression_algo', 'raw', '-f', 'image2pipe']
  const { bytes, end } = await readWithFfmpeg(ffmpeg, {
    file,
    format,
    before: [...limits, ...seek],
    after: ['-an', '-frames:v', '1', '-vf', scale, ...tiff],
    mostSeconds,
    mostBytes,
  })
  if (bytes.length > 0) return bytes
  return end === 'too_much_work' ? end : undefined
}
