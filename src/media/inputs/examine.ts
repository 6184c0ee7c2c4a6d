import type { MediaKind } from '../../worlds/media-facts.ts'
import { InputError } from '../errors.ts'
import { makePoster } from '../posters.ts'
import type { Digest } from '../recipe.ts'
import { withinProcessorTime } from '../workers/processor-time.ts'
import { extractEnds, extractSound } from './extract.ts'
import { sniff } from './formats.ts'
import { type Measured, measure } from './measure.ts'

/** A file to examine: its bytes, and their path on disk. */
interface Examination {
  bytes: Buffer
  digest: Digest
  file: string
  want: MediaKind
  /** Extract the sound too. */
  keepSound?: boolean
  /** Path of the program. Without it videos and BMP pictures get no poster, and no sound is extracted. */
  ffmpeg?: string
}

/** The properties of a file, and the files that represent it in renderings: a picture of an image, the first and last frame of a video, and the sound as AAC. */
export interface Examined<Picture = Buffer> {
  measured: Measured
  poster?: Picture
  lastPoster?: Picture
  sound?: Picture
}

/** Processor time. The slowest of 36 million pixels (AVIF, noise) takes 17 s; a progressive picture with thousands of passes minutes. */
const longestPictureMs = 30_000

/**
 * Measures a file and draws its posters, if it is of the wanted kind. Throws InputError as `measure` does, also for a picture that
 * takes too much processor time; its decoding then goes on, and only the end of the process stops it.
 */
export function examine(examination: Examination): Promise<Examined> {
  const found = sniff(examination.bytes)
  if (found?.kind !== 'image') return examineWhole(examination)
  const seconds = longestPictureMs / 1000
  const fault = () =>
    new InputError(
      'undecodable',
      `decoding the ${found.format} picture takes more than ${seconds} s of processor time; it was stopped`,
    )
  return withinProcessorTime(examineWhole(examination), { ms: longestPictureMs, fault })
}

async function examineWhole(examination: Examination): Promise<Examined> {
  const measured = await measure(examination.bytes, examination.digest)
  if (measured.kind !== examination.want) return { measured }
  const sound = await soundOf(examination, measured)
  return { measured, ...(await postersOf(examination, measured)), ...(sound && { sound }) }
}

/** Whether a file has sound that can be extracted. */
export function hasSound({ kind, hasAudio }: Pick<Measured, 'kind' | 'hasAudio'>): boolean {
  return kind === 'audio' || (kind === 'video' && hasAudio === true)
}

async function soundOf(
  { file, keepSound, ffmpeg }: Examination,
  measured: Measured,
): Promise<Buffer | undefined> {
  if (!keepSound || ffmpeg === undefined || !hasSound(measured)) return undefined
  return extractSound(file, measured, ffmpeg)
}

async function postersOf(
  { bytes, file, ffmpeg }: Examination,
  measured: Measured,
): Promise<Omit<Examined, 'measured'>> {
  if (needsFfmpeg(measured)) return ffmpeg === undefined ? {} : endsOf(file, measured, ffmpeg)
  // The libvips in sharp cannot decode HEVC pictures: they are measured and accepted, but not shown.
  if (measured.kind !== 'image' || measured.videoCodec === 'hevc') return {}
  return { poster: await makePoster(bytes) }
}

async function endsOf(file: string, measured: Measured, ffmpeg: string): Promise<Omit<Examined, 'measured'>> {
  const { first, last } = await extractEnds(file, measured, ffmpeg)
  const poster = await makePoster(first)
  if (measured.kind === 'image') return { poster }
  return { poster, lastPoster: first === last ? poster : await makePoster(last) }
}

/** sharp cannot read videos and BMP pictures. */
export function needsFfmpeg({ kind, format }: Pick<Measured, 'kind' | 'format'>): boolean {
  return kind === 'video' || format === 'bmp'
}
