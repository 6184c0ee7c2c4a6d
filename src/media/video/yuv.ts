import { endianness } from 'node:os'
import { type Piece, type Pixels, paste } from '../render/pixels.ts'

/** A picture in the form of video: brightness for every pixel, colour for every second one (4:2:0, BT.709, limited range). */
export interface YuvPicture {
  width: number
  height: number
  /** The Y plane, then U, then V. */
  bytes: Uint8Array
}

/** Colour conversion of BT.709 to limited range, times 65536. */
const luma = { red: 11_966, green: 40_254, blue: 4_064, base: 16 * 65_536 + 32_768 }
const cb = { red: -6_596, green: -22_189, blue: 28_784 }
const cr = { red: 28_784, green: -26_145, blue: -2_639 }
/** For the sum of four pixels. */
const chromaBase = 33_685_504

/** A picture from pixels with transparency, which is left out. Sides must be even. */
export function toYuv({ width, height, bytes: pixels }: Pixels): YuvPicture {
  const bytes = takeMemory((width * height * 3) / 2)
  const words = isLittleEndian && pixels.byteOffset % 4 === 0 ? pixels : swapped(pixels)
  const colours = new Int32Array(words.buffer, words.byteOffset, width * height)
  for (let y = 0; y < height; y += 2) convertRow(colours, bytes, { width, height, y })
  return { width, height, bytes }
}

/** Whether red is the lowest byte of a pixel that is read as a number. */
const isLittleEndian = endianness() === 'LE'

/** A copy of pixels in which red is the lowest byte of each. */
function swapped(pixels: Uint8Array): Uint8Array {
  const copy = Buffer.alloc(pixels.length, pixels)
  return isLittleEndian ? copy : copy.swap32()
}

/** Drawn pictures have many equal pixels beside each other: blocks of two by two that equal the block before them are not converted again. */
function convertRow(
  words: Int32Array,
  out: Uint8Array,
  { width, height, y }: { width: number; height: number; y: number },
): void {
  const vPlane = (width * height) >> 2
  const start = y * width
  const end = start + width
  const uStart = width * height + (start >> 2)
  for (let at = start, to = at + 2; at < end; at = to, to += 2) {
    const below = at + width
    const a = words[at] as number
    const b = words[at + 1] as number
    const c = words[below] as number
    const d = words[below + 1] as number
    while (
      to < end &&
      words[to] === a &&
      words[to + 1] === b &&
      words[to + width] === c &&
      words[to + width + 1] === d
    )
      to += 2
    const red = (a & 255) + (b & 255) + (c & 255) + (d & 255)
    const green = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255)
    const blue = ((a >> 16) & 255) + ((b >> 16) & 255) + ((c >> 16) & 255) + ((d >> 16) & 255)
    fillPairs(out, { from: at, to }, lumaOf(a), lumaOf(b))
    fillPairs(out, { from: below, to: to + width }, lumaOf(c), lumaOf(d))
    const from = uStart + ((at - start) >> 1)
    const count = (to - at) >> 1
    fillOne(out, from, count, (cb.red * red + cb.green * green + cb.blue * blue + chromaBase) >> 18)
    fillOne(out, from + vPlane, count, (cr.red * red + cr.green * green + cr.blue * blue + chromaBase) >> 18)
  }
}

/** Shorter stretches are written faster by a loop. */
const shortStretch = 16

function fillPairs(out: Uint8Array, { from, to }: { from: number; to: number }, a: number, b: number): void {
  if (a === b && to - from > shortStretch) out.fill(a, from, to)
  else
    for (let i = from; i < to; i += 2) {
      out[i] = a
      out[i + 1] = b
    }
}

function fillOne(out: Uint8Array, from: number, count: number, value: number): void {
  const to = from + count
  if (count > shortStretch) out.fill(value, from, to)
  else for (let i = from; i < to; i++) out[i] = value
}

function lumaOf(pixel: number): number {
  const red = pixel & 255
  const green = (pixel >> 8) & 255
  const blue = (pixel >> 16) & 255
  return (luma.red * red + luma.green * green + luma.blue * blue + luma.base) >> 16
}

/** The planes of a picture: its brightness, and two colours with half as many columns and rows. */
export function planesOf({ width, height, bytes }: YuvPicture): [Pixels, Pixels, Pixels] {
  const plane = (part: 1 | 2, from: number): Pixels => {
    const size = { width: width / part, height: height / part }
    return { ...size, channels: 1, bytes: bytes.subarray(from, from + size.width * size.height) }
  }
  return [plane(1, 0), plane(2, width * height), plane(2, width * height * 1.25)]
}

/** The rows from `fromRow` to before `toRow` (both even) of each plane, in the memory of the picture. */
export function rowsOf(picture: YuvPicture, fromRow: number, toRow: number): Uint8Array[] {
  return planesOf(picture).map(({ width, height, bytes }) => {
    const line = (width * height) / picture.height
    return bytes.subarray(fromRow * line, toRow * line)
  })
}

/** Copies a piece of one picture to a place in another one. */
export function copyPiece(
  from: YuvPicture,
  { left, top, width, height }: Piece,
  to: YuvPicture,
  place: { left: number; top: number },
): void {
  const targets = planesOf(to)
  for (const [i, plane] of planesOf(from).entries()) {
    const part = from.width / plane.width
    const piece = { left: left / part, top: top / part, width: width / part, height: height / part }
    paste(plane, targets[i] as Pixels, { at: { left: place.left / part, top: place.top / part }, piece })
  }
}

/** Large pictures, such as 4k, would keep too much memory. */
const most = 4 * 1024 * 1024

/** The memory of the last picture that is no longer used, at most `most` bytes. Saves 3 of 60 ms of a 720p video: the system clears new memory slowly. */
let left: Uint8Array | undefined

/** Memory for a picture of so many bytes, with anything in it: that of an earlier picture if possible. */
function takeMemory(bytes: number): Uint8Array {
  const taken = left?.length === bytes ? left : new Uint8Array(bytes)
  if (taken === left) left = undefined
  return taken
}

/** Leaves the memory of a picture that is no longer used to the next one. */
export function leaveMemory(memory: Uint8Array): void {
  if (memory.length <= most) left = memory
}

/** The parts of a mixture of two pictures. Their number is the sum of two weights that H.264 allows (8.4.2.3). */
export const mixParts = 128

/** Two pictures of the same size mixed: `parts` of `mixParts` are of the second one, the rest of the first. Rounded as in H.264, 8.4.2.3.2. */
export function mix(first: YuvPicture, second: YuvPicture, parts: number): YuvPicture {
  const bytes = new Uint8Array(first.bytes.length)
  const [a, b] = [first.bytes, second.bytes]
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = ((a[i] as number) * (mixParts - parts) + (b[i] as number) * parts + mixParts / 2) >> 7
  return { width: first.width, height: first.height, bytes }
}
