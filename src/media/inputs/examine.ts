import { type ExecFileException, execFile } from 'node:child_process'
import type { MediaFacts, MediaKind } from '../../emulator/ground.ts'
import { largestPictureInPixels, makePoster } from '../render/pixels.ts'
import type { Digest } from '../render/recipe.ts'
import { childrenSeconds, withinProcessorTime } from '../workers/processor-time.ts'
import { GivenUp, InputError, isShortage } from './errors.ts'
import { sniff } from './formats.ts'
import { measure } from './measure.ts'
import type { Measured } from './measure-tracks.ts'

/** A file to examine: its bytes, and their path on disk. */
export interface Examination {
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

/** The same with each of its files put somewhere else. */
export async function withFiles<From, To>(
  { measured, poster, lastPoster, sound }: Examined<From>,
  put: (file: From) => Promise<To>,
): Promise<Examined<To>> {
  return {
    measured,
    ...(poster && { poster: await put(poster) }),
    ...(lastPoster && { lastPoster: await put(lastPoster) }),
    ...(sound && { sound: await put(sound) }),
  }
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
async function extractEnds(
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

/** The demuxer is named, so that a playlist in disguise cannot make ffmpeg open other files or links. */
const demuxers: Readonly<Record<string, string>> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  bmp: 'bmp_pipe',
  mp3: 'mp3',
  wav: 'wav',
  aac: 'aac',
}

/** A file that came with a request, and how ffmpeg reads it. */
interface Reading {
  file: string
  /** The name of its format in `MediaFacts`. */
  format: string
  /** Options before the file, and those after it up to the output. */
  before: string
  after: string
  /** Processor time; ffmpeg asks the system to stop it then. Not on Windows, which has no such limit. */
  mostSeconds: number
  mostBytes: number
}

/**
 * What ffmpeg writes when it reads a file; incomplete when it failed, used too much processor time or wrote too much. `ffmpeg` is the path of
 * the program.
 * @throws the system's error when the program cannot be started; GivenUp when the system is short of something or ended ffmpeg
 */
function readWithFfmpeg(
  ffmpeg: string,
  reading: Reading,
): Promise<{ bytes: Buffer; end: 'whole' | 'failed' | 'too_much_work' }> {
  const { file, format, before, after, mostSeconds, mostBytes } = reading
  const input = `-v error -nostdin -timelimit ${mostSeconds} -protocol_whitelist file ${before} -f ${demuxers[format] ?? 'mov'} -i`
  const options = { encoding: 'buffer', maxBuffer: mostBytes } as const
  const args = [...words(input), file, ...words(after), 'pipe:1']
  const usedBefore = childrenSeconds()
  return new Promise((resolve, reject) => {
    execFile(ffmpeg, args, options, (error, bytes) => {
      if (!error) return resolve({ bytes, end: 'whole' })
      if (isOverLimit(error, childrenSeconds() - usedBefore, mostSeconds))
        return resolve({ bytes, end: 'too_much_work' })
      const fault = faultOf(error)
      if (fault) reject(fault)
      else resolve({ bytes, end: 'failed' })
    })
  })
}

function words(options: string): string[] {
  return options.split(/ +/)
}

/** An error that the file did not cause. Codes such as ENOENT and EACCES come from the system; an exit code or `ERR_…` is caused by the file. */
function faultOf(error: ExecFileException): Error | undefined {
  if (isShortage(error)) return new GivenUp(`ffmpeg could not be started: ${error.message}`)
  if (typeof error.code === 'string' && /^E(?!RR_)/.test(error.code)) return error
  // This process ends it when it has written too much. Nobody else here does so: the system, when memory runs out, or a person.
  const isEndedByOthers =
    typeof error.code !== 'string' && /^SIG(?:KILL|TERM|HUP|INT)$/.test(error.signal ?? '')
  return isEndedByOthers ? new GivenUp(`ffmpeg was ended by ${error.signal} while it read a file`) : undefined
}

/** At the limit the system sends SIGXCPU, which ffmpeg answers with the exit code 255, and a second of work later SIGKILL. */
function isOverLimit({ code, signal }: ExecFileException, usedSeconds: number, mostSeconds: number): boolean {
  return code === 255 || signal === 'SIGXCPU' || (signal === 'SIGKILL' && usedSeconds >= mostSeconds)
}
