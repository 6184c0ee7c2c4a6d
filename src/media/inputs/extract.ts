import type { MediaFacts } from '../../worlds/media-facts.ts'
import { InputError } from '../errors.ts'
import { largestPictureInPixels } from '../pixels.ts'
import { readWithFfmpeg } from './read-with-ffmpeg.ts'

/** A longer sound is truncated. 300 s at 128 kbit/s are 4.8 MB. */
const sound = { longest: 300, mostBytes: 16 * 1024 * 1024, mostSeconds: 60 }
/** `mostSeconds` is processor time of ffmpeg. */
const picture = { mostBytes: 64 * 1024 * 1024, mostSeconds: 20 }

/**
 * The sound of a file as an ADTS stream of AAC at 48 kHz, mono or stereo, for the track of a video. Undefined
 * when it cannot be decoded. `ffmpeg` is the path of the program.
 * @throws as readWithFfmpeg does
 */
export async function extractSound(
  file: string,
  { format }: Pick<MediaFacts, 'format'>,
  ffmpeg: string,
): Promise<Buffer | undefined> {
  const shape = `-vn -t ${sound.longest} -af aformat=channel_layouts=mono|stereo -ar 48000`
  const after = `${shape} -c:a aac -aac_coder fast -b:a 128k -f adts`
  const { bytes, end } = await readWithFfmpeg(ffmpeg, { file, format, before: '', after, ...sound })
  return end === 'whole' && bytes.length > 0 ? bytes : undefined
}

/**
 * First and last frame of a video file, or a BMP as both, as plain TIFF within 1920 px a side. `ffmpeg` is the path of the program.
 * Throws InputError `undecodable` when no first frame can be decoded, and GivenUp as readWithFfmpeg does.
 */
export async function extractEnds(
  file: string,
  { format, fps, frames }: Pick<MediaFacts, 'format' | 'fps' | 'frames'>,
  ffmpeg: string,
): Promise<{ first: Buffer; last: Buffer }> {
  const frameAt = async (atSeconds: number): Promise<Buffer | 'too_much_work' | undefined> => {
    const seek = atSeconds > 0 ? ` -ss ${atSeconds.toFixed(4)}` : ''
    const before = `-max_pixels ${largestPictureInPixels} -threads 1${seek}`
    const { bytes, end } = await readWithFfmpeg(ffmpeg, { file, format, before, after: oneFrame, ...picture })
    if (bytes.length > 0) return bytes
    return end === 'too_much_work' ? end : undefined
  }
  const first = await frameAt(0)
  if (first === 'too_much_work') {
    const found = `decoding a frame of the ${format} file takes more than ${picture.mostSeconds} s of processor time`
    throw new InputError('undecodable', `${found}; it was stopped`)
  }
  if (!first) throw new InputError('undecodable', `no frame of the ${format} file can be decoded`)
  // Half a frame before the last one, so that rounding cannot skip it. The length is not used, because the sound may be longer than the pictures.
  const lastAt = frames && fps ? (frames - 1.5) / fps : 0
  const last = lastAt > 0 ? await frameAt(lastAt) : first
  return { first, last: last instanceof Buffer ? last : first }
}

/** The filter reads these quotes itself. */
const scale = "scale='min(1920,iw)':'min(1920,ih)':force_original_aspect_ratio=decrease"
const oneFrame = `-an -frames:v 1 -vf ${scale} -pix_fmt rgb24 -c:v tiff -compression_algo raw -f image2pipe`
