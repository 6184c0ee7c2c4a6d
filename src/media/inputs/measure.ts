import { digestOf } from '../files/kept-files.ts'
import { largestPictureInPixels, openPicture } from '../render/pixels.ts'
import { ToolMissingError } from '../render/tools.ts'
import { GivenUp, InputError } from './errors.ts'
import { sniff } from './formats.ts'
import type { Measured } from './measure-tracks.ts'
import { measureTracksApart } from './track-thread.ts'

/**
 * Measures a file by its bytes. Pictures are decoded once as a check, except BMP and HEVC-coded HEIC, whose
 * structure is checked instead. Seconds are exact to a millisecond. With `digest` the bytes are not hashed
 * again. Throws InputError `undecodable`, `unknown_format` or `too_many_pixels`.
 */
export async function measure(bytes: Buffer, digest = digestOf(bytes)): Promise<Measured> {
  if (bytes.length === 0) throw new InputError('undecodable', 'the file is empty')
  const found = sniff(bytes)
  if (!found)
    throw new InputError(
      'unknown_format',
      `the file begins with ${start(bytes)}, which is not a known format`,
    )
  checkWholeness(bytes, found.format)
  const size = { bytes: bytes.length, digest }
  if (found.kind === 'image') return { ...found, ...size, ...(await measureImage(bytes, found.format)) }
  if (found.kind === 'document') return { ...found, ...size, ...countPages(bytes, found.format) }
  return { ...size, ...(await measureTracksApart(bytes, found.format)) }
}

function start(bytes: Buffer): string {
  return `bytes ${bytes.subarray(0, 8).toString('hex')}`
}

/** The number of pages; left out for a PDF whose page tree is in compressed streams. */
function countPages(bytes: Buffer, format: string): { pages?: number } {
  if (format !== 'pdf') return {}
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length
  return pages === undefined ? {} : { pages }
}

interface Picture {
  widthPx: number
  heightPx: number
  hasAlpha: boolean
  isTransparent?: boolean
  /** Set only for HEIC pictures with HEVC inside, which are not decoded. */
  videoCodec?: 'hevc'
}

/**
 * Size and alpha of a picture, as it is shown (EXIF rotation applied). The size in the header is checked before decoding.
 * Throws InputError `undecodable` or `too_many_pixels`.
 */
async function measureImage(bytes: Buffer, format: string): Promise<Picture> {
  const head = await sizeInHead(bytes)
  if (head) refuseBomb(head.width, head.height)
  if (format === 'bmp') return measureBmp(bytes, head)
  try {
    return await decode(bytes)
  } catch (error) {
    throw asFault(error, format)
  }
}

interface Size {
  width: number
  height: number
}

/** image-size reads only headers, so it is safe for any file; when it fails, the decoder decides. */
async function sizeInHead(bytes: Buffer): Promise<Size | undefined> {
  const { imageSize } = await import('image-size')
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

function refuseBomb(width: number, height: number): void {
  if (width * height <= largestPictureInPixels) return
  const message = `the picture has ${width}x${height} = ${width * height} pixels; at most ${largestPictureInPixels} are allowed`
  throw new InputError('too_many_pixels', message)
}

/** What libvips says when the machine has no memory or no thread for it. */
const isShort = /out of memory|cannot allocate memory|unable to (?:create thread|allocate)/i

function asFault(error: unknown, format: string): Error {
  if (error instanceof InputError || error instanceof ToolMissingError) return error
  const text = error instanceof Error ? error.message : String(error)
  if (isShort.test(text)) return new GivenUp(`a picture could not be decoded here: ${text.trim()}`)
  if (/exceeds pixel limit/i.test(text)) {
    const message = `the picture has more pixels than the ${largestPictureInPixels} that are allowed`
    return new InputError('too_many_pixels', message)
  }
  const firstLine = text.split('\n')[0]?.trim() ?? ''
  return new InputError('undecodable', `the ${format} picture cannot be decoded: ${firstLine}`)
}

async function decode(bytes: Buffer): Promise<Picture> {
  const open = await openPicture(bytes)
  const metadata = await open().metadata()
  refuseBomb(metadata.width, metadata.height)
  const isTurned = (metadata.orientation ?? 1) >= 5
  const size = {
    widthPx: isTurned ? metadata.height : metadata.width,
    heightPx: isTurned ? metadata.width : metadata.height,
  }
  // This libvips has no HEVC decoder, so a HEIC picture is accepted when its boxes are complete.
  const isHevc = metadata.format === 'heif' && metadata.compression === 'hevc'
  if (isHevc) return { ...size, hasAlpha: metadata.hasAlpha, videoCodec: 'hevc' }
  if (metadata.hasAlpha) {
    const alpha = await open().extractChannel('alpha').raw({ depth: 'uchar' }).toBuffer()
    return { ...size, hasAlpha: true, isTransparent: alpha.some(value => value < 255) }
  }
  await open().resize(32, 32, { fit: 'fill' }).raw().toBuffer()
  return { ...size, hasAlpha: false }
}

/** sharp cannot read BMP: the header is read and the pixel rows are counted instead. */
function measureBmp(bytes: Buffer, head: Size | undefined): Picture {
  if (!head || bytes.length < 34 || head.width < 1 || head.height < 1) {
    throw new InputError('undecodable', 'the bmp picture has no readable head')
  }
  const bits = bytes.readUInt16LE(28)
  const isPlain = [0, 3].includes(bytes.readUInt32LE(30))
  const rowBytes = Math.ceil((head.width * bits) / 32) * 4
  const needed = bytes.readUInt32LE(10) + (isPlain ? rowBytes * head.height : 1)
  if (needed > bytes.length) {
    throw new InputError('undecodable', `the bmp picture is cut short: ${bytes.length} of ${needed} bytes`)
  }
  return { widthPx: head.width, heightPx: head.height, hasAlpha: false }
}

/** No input within the limits has so many samples (30 s of 48 kHz PCM are 1.4 million). */
const largestSampleCount = 20_000_000
const largestRunCount = 1_000_000

/**
 * Refuses files of boxes, EBML elements or RIFF chunks that are shorter than their headers say, and tables
 * with impossible counts: decoders accept such files, or never end. Other formats are not checked here, because
 * their decoders check them.
 */
function checkWholeness(bytes: Buffer, format: string): void {
  if (['mp4', 'mov', 'm4a', 'heic', 'heif', 'avif'].includes(format)) walkBoxes(bytes, 0, bytes.length, 0)
  if (format === 'webm') checkSegment(bytes)
  if (format === 'wav') checkChunks(bytes)
  if (format === 'gif') checkTrailer(bytes)
}

const parents = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf'])

function walkBoxes(bytes: Buffer, from: number, to: number, depth: number): void {
  let at = from
  while (at + 8 <= to) {
    const box = boxAt(bytes, at, to)
    if (parents.has(box.type) && depth < 8) walkBoxes(bytes, box.body, box.end, depth + 1)
    else checkCounts(bytes, box)
    at = box.end
  }
}

interface Box {
  type: string
  body: number
  end: number
}

function boxAt(bytes: Buffer, at: number, to: number): Box {
  const type = bytes.toString('latin1', at + 4, at + 8)
  const size = bytes.readUInt32BE(at)
  if (size === 0) return { type, body: at + 8, end: to }
  const isLarge = size === 1
  if (isLarge && at + 16 > to) throw cut(type)
  const length = isLarge ? Number(bytes.readBigUInt64BE(at + 8)) : size
  const head = isLarge ? 16 : 8
  if (length < head || at + length > to) throw cut(type)
  return { type, body: at + head, end: at + length }
}

function cut(what: string): InputError {
  return new InputError(
    'undecodable',
    `the file is cut short: its "${what}" part says it is longer than the file`,
  )
}

/** The offset of the number of samples in the body of each box, and the largest plausible number. */
const countFields: Record<string, readonly [offset: number, largest: number]> = {
  stsz: [8, largestSampleCount],
  stz2: [8, largestSampleCount],
  trun: [4, largestRunCount],
}

function checkCounts(bytes: Buffer, box: Box): void {
  const field = countFields[box.type]
  if (field && box.body + field[0] + 4 <= box.end)
    refuseAbsurd(bytes.readUInt32BE(box.body + field[0]), field[1])
  if (box.type === 'stts' || box.type === 'ctts') refuseAbsurd(sumOfRuns(bytes, box), largestSampleCount)
}

function sumOfRuns(bytes: Buffer, box: Box): number {
  let sum = 0
  for (let at = box.body + 8; at + 8 <= box.end; at += 8) sum += bytes.readUInt32BE(at)
  return sum
}

function refuseAbsurd(count: number, largest: number): void {
  if (count > largest)
    throw new InputError('undecodable', `the file claims ${count} samples; at most ${largest} are read`)
}

/** The Segment element contains the rest of a WebM file; its size may be "unknown" (all ones), as in live recordings. */
function checkSegment(bytes: Buffer): void {
  const head = elementAt(bytes, 0)
  const segment = head && elementAt(bytes, head.end)
  if (!segment) throw cut('segment')
  if (!segment.isUnknown && segment.end > bytes.length) throw cut('segment')
}

function elementAt(bytes: Buffer, at: number): { end: number; isUnknown: boolean } | undefined {
  const sizeAt = at + vintLength(bytes[at])
  const length = vintLength(bytes[sizeAt])
  if (length > 8 || sizeAt + length > bytes.length) return undefined
  let value = (bytes[sizeAt] ?? 0) & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let i = 1; i < length; i += 1) {
    const byte = bytes[sizeAt + i] ?? 0
    isUnknown &&= byte === 0xff
    value = value * 256 + byte
  }
  return { end: sizeAt + length + value, isUnknown }
}

function vintLength(first: number | undefined): number {
  return first ? Math.clz32(first) - 23 : 9
}

function checkChunks(bytes: Buffer): void {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    // Recorders that write to a pipe do not know the size of the sound and write 0 or all ones.
    if (name === 'data' && (size === 0 || size === 0xffffffff)) return
    if (at + 8 + size > bytes.length) throw cut(name)
    at += 8 + size + (size % 2)
  }
}

/** A GIF ends with a semicolon, which some writers pad with zeros. */
function checkTrailer(bytes: Buffer): void {
  let last = bytes.length - 1
  while (last > 0 && bytes[last] === 0) last -= 1
  if (bytes[last] !== 0x3b)
    throw new InputError('undecodable', 'the gif picture is cut short: its end mark is missing')
}
