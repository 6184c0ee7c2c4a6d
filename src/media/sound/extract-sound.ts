import type { MediaFacts } from '../../worlds/media-facts.ts'
import { readWithFfmpeg } from '../inputs/read-with-ffmpeg.ts'

/** A longer sound is truncated. */
const mostSeconds = 300
/** 300 s at 128 kbit/s are 4.8 MB. */
const mostBytes = 16 * 1024 * 1024
/** Processor time of ffmpeg. */
const longestSeconds = 60

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
  const shape = ['-vn', '-t', `${mostSeconds}`, '-af', 'aformat=channel_layouts=mono|stereo', '-ar', '48000']
  const coding = ['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '128k', '-f', 'adts']
  const { bytes, end } = await readWithFfmpeg(ffmpeg, {
    file,
    format,
    before: [],
    after: [...shape, ...coding],
    mostSeconds: longestSeconds,
    mostBytes,
  })
  return end === 'whole' && bytes.length > 0 ? bytes : undefined
}
