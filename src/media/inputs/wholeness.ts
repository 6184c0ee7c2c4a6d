import { InputError } from '../errors.ts'

/** No input within the limits has so many samples (30 s of 48 kHz PCM are 1.4 million). */
const largestSampleCount = 20_000_000
const largestRunCount = 1_000_000

/**
 * Refuses files of boxes, EBML elements or RIFF chunks that are shorter than their headers say, and tables
 * with impossible counts: decoders accept such files, or never end. Other formats are not checked here, because
 * their decoders check them.
 */
export function checkWholeness(bytes: Buffer, format: string): void {
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
