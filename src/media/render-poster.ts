import { execFile } from 'node:child_process'
import { largestPictureInPixels } from './inputs/open-picture.ts'
import type { MediaFacts } from './media-facts.ts'
import { MediaFault } from './media-fault.ts'

/** ffmpeg gets this long for one picture. */
const longestRunMs = 10_000
const largestPictureBytes = 64 * 1024 * 1024

/** The demuxer is named, so that a playlist in disguise cannot make ffmpeg open other files or links. */
const demuxers: Record<string, string> = { mp4: 'mov', mov: 'mov', webm: 'matroska', bmp: 'bmp_pipe' }

interface Ends {
  first: Buffer
  last: Buffer
}

/**
 * First and last frame of a video file, or a BMP as both, as plain TIFF within 1920 px a side. `ffmpeg` is the path of the program.
 * Throws MediaFault `undecodable` when no first frame can be decoded: then the file is no picture at all.
 */
export async function extractEnds(
  file: string,
  facts: Pick<MediaFacts, 'format' | 'fps' | 'frames'>,
  ffmpeg: string,
): Promise<Ends> {
  const demuxer = demuxers[facts.format] ?? 'mov'
  const first = await grab({ ffmpeg, demuxer, file }, 0)
  if (!first) throw new MediaFault('undecodable', `no frame of the ${facts.format} file can be decoded`)
  // Half a frame before the last one, so that rounding cannot skip it; sound-only tails make the frame count the only guide.
  const lastAt = facts.frames && facts.fps ? (facts.frames - 1.5) / facts.fps : 0
  const last = lastAt > 0 ? await grab({ ffmpeg, demuxer, file }, lastAt) : first
  return { first, last: last ?? first }
}

interface Source {
  ffmpeg: string
  demuxer: string
  file: string
}

/** One frame at a second, or undefined when ffmpeg gives none. */
function grab({ ffmpeg, demuxer, file }: Source, atSeconds: number): Promise<Buffer | undefined> {
  const input = [
    '-max_pixels',
    String(largestPictureInPixels),
    '-protocol_whitelist',
    'file',
    '-threads',
    '1',
  ]
  const scale = "scale='min(1920,iw)':'min(1920,ih)':force_original_aspect_ratio=decrease"
  const seek = atSeconds > 0 ? ['-ss', atSeconds.toFixed(4)] : []
  const args = [
    '-v',
    'error',
    '-nostdin',
    ...input,
    ...seek,
    '-f',
    demuxer,
    '-i',
    file,
    '-an',
    '-frames:v',
    '1',
  ]
  const output = [
    '-vf',
    scale,
    '-pix_fmt',
    'rgb24',
    '-c:v',
    'tiff',
    '-compression_algo',
    'raw',
    '-f',
    'image2pipe',
    'pipe:1',
  ]
  const options = { encoding: 'buffer', timeout: longestRunMs, maxBuffer: largestPictureBytes } as const
  return new Promise((resolve, reject) => {
    execFile(ffmpeg, [...args, ...output], options, (error, stdout) => {
      // A missing program is our trouble, anything else that gives no picture is the file's.
      if (error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('EN'))
        reject(error)
      else resolve(stdout.length > 0 ? stdout : undefined)
    })
  })
}
