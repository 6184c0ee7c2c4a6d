import type { MediaKind } from '../media-facts.ts'
import type { Digest } from '../recipe.ts'
import { extractEnds } from '../render-poster.ts'
import { extractSound } from '../sound/extract-sound.ts'
import { type Measured, measure } from './measure.ts'
import { makePoster } from './poster.ts'

/** A file to look at: its bytes, and where they lie on disk. */
export interface Examination {
  bytes: Buffer
  digest: Digest
  file: string
  want: MediaKind
  /** Take the sound out, too. */
  keepSound?: boolean
  /** Path of the program. Without it videos and BMP pictures get no poster, and no sound is taken out. */
  ffmpeg?: string
}

/** The measures of a file, and the files that replace it in renderings: of an image a picture; of a video its first and last frame; its sound as AAC. */
export interface Examined<Picture = Buffer> {
  measured: Measured
  poster?: Picture
  lastPoster?: Picture
  sound?: Picture
}

/** Measures a file and draws its posters, if it is of the wanted kind. Throws MediaFault as `measure` does. */
export async function examine(examination: Examination): Promise<Examined> {
  const measured = await measure(examination.bytes, examination.digest)
  if (measured.kind !== examination.want) return { measured }
  const sound = await soundOf(examination, measured)
  return { measured, ...(await postersOf(examination, measured)), ...(sound && { sound }) }
}

/** Whether there is sound in a file that can be taken out. */
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
  // The libvips that sharp brings decodes no HEVC pictures: they are measured and accepted, but not shown.
  if (measured.kind !== 'image' || measured.videoCodec === 'hevc') return {}
  return { poster: await makePoster(bytes) }
}

async function endsOf(file: string, measured: Measured, ffmpeg: string): Promise<Omit<Examined, 'measured'>> {
  const { first, last } = await extractEnds(file, measured, ffmpeg)
  const poster = await makePoster(first)
  if (measured.kind === 'image') return { poster }
  return { poster, lastPoster: first === last ? poster : await makePoster(last) }
}

/** sharp reads neither videos nor BMP pictures. */
export function needsFfmpeg({ kind, format }: Pick<Measured, 'kind' | 'format'>): boolean {
  return kind === 'video' || format === 'bmp'
}
