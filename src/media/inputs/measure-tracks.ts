import {
  ADTS,
  BufferSource,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { MediaFacts } from '../../emulator/ground.ts'
import { largestPictureInPixels } from '../render/pixels.ts'
import { InputError } from './errors.ts'

/** The properties of a file that follow from its bytes. */
export type Measured = Omit<MediaFacts, 'poster' | 'lastPoster' | 'sound' | 'origin' | 'realFace' | 'note'>

export type Tracks = Omit<Measured, 'bytes' | 'digest'>

/** Counting stops here: two hours at 60 frames a second are far outside every limit. */
const mostFrames = 432_000

/**
 * Tracks, seconds, frames and codecs of a video or sound file. A file without a picture track is audio, whatever its container.
 * Throws InputError `undecodable` or `too_many_pixels`.
 */
export async function measureTracks(bytes: Buffer, format: string): Promise<Tracks> {
  const readers = [readerOf[format] ?? MP4]
  if (format === 'mov' || format === 'mp4' || format === 'm4a') readers.push(MP4, QTFF)
  if (format === 'webm') readers.push(MATROSKA)
  const input = new Input({ source: new BufferSource(bytes), formats: readers })
  try {
    return await readTracks(input, format)
  } catch (error) {
    if (error instanceof InputError) throw error
    const text = error instanceof Error ? error.message : String(error)
    throw new InputError('undecodable', `the ${format} file cannot be read: ${text}`)
  } finally {
    input.dispose()
  }
}

const readerOf: Record<string, InputFormat> = {
  mp4: MP4,
  m4a: MP4,
  mov: QTFF,
  webm: WEBM,
  mp3: MP3,
  wav: WAVE,
  aac: ADTS,
  ogg: OGG,
  flac: FLAC,
}

async function readTracks(input: Input, format: string): Promise<Tracks> {
  const video = await input.getPrimaryVideoTrack()
  const audio = await input.getPrimaryAudioTrack()
  if (video) return { kind: 'video', format, ...(await readPictures(video)), ...(await readCodec(audio)) }
  if (!audio)
    throw new InputError('undecodable', `the ${format} file has neither a picture nor a sound track`)
  const seconds = (await audio.computeDuration()) - Math.max(0, await audio.getFirstTimestamp())
  if (!(toMs(seconds) > 0)) throw new InputError('undecodable', `the ${format} file holds no sound`)
  const soundFormat = format === 'mp4' || format === 'mov' ? 'm4a' : format
  return { kind: 'audio', format: soundFormat, seconds: toMs(seconds), ...(await readCodec(audio)) }
}

/** The length is the pictures' own: a sound track that runs a few milliseconds longer, as encoders pad it, does not count. */
async function readPictures(video: InputVideoTrack): Promise<Partial<Tracks>> {
  const widthPx = await video.getDisplayWidth()
  const heightPx = await video.getDisplayHeight()
  if (widthPx * heightPx > largestPictureInPixels) {
    const message = `the video has ${widthPx}x${heightPx} pixels a frame; at most ${largestPictureInPixels} are read`
    throw new InputError('too_many_pixels', message)
  }
  const { packetCount: frames } = await video.computePacketStats(mostFrames)
  const seconds = (await video.computeDuration()) - (await video.getFirstTimestamp())
  if (frames === 0 || !(toMs(seconds) > 0)) throw new InputError('undecodable', 'the video holds no frames')
  const codec = await video.getCodec()
  const videoCodec = codec === 'avc' ? 'h264' : (codec ?? 'unknown')
  return { widthPx, heightPx, seconds: toMs(seconds), frames, fps: toRate(frames / seconds), videoCodec }
}

async function readCodec(audio: InputAudioTrack | null): Promise<Partial<Tracks>> {
  return audio ? { hasAudio: true, audioCodec: (await audio.getCodec()) ?? 'unknown' } : { hasAudio: false }
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

const commonRates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60]

/** Containers that keep times in milliseconds give 24.004 for 24; a rate within 0.03 % of a common rate is taken as that rate. */
function toRate(rate: number): number {
  const common = commonRates.find(each => Math.abs(each - rate) / each < 0.0003)
  return Math.round((common ?? rate) * 1000) / 1000
}
