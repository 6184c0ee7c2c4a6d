import { type CodedPicture, codedRows } from './coded-picture.ts'
import type { Field } from './field.ts'
import type { YuvPicture } from './yuv.ts'

interface Plane {
  bytes: Uint8Array
  /** Values in a line of the coded picture, and how many of them are 16 pixels. */
  width: number
  side: number
  /** Bytes of a value. */
  spacing: number
}

/** Copies the pieces of a coded picture as the field says, like a decoder, and returns the part that is shown. */
export function composeYuv(coded: YuvPicture, field: Field, picture: CodedPicture): YuvPicture {
  const { width, height } = picture
  const bytes = new Uint8Array((width * height * 3) / 2)
  const size = coded.width * coded.height
  const luma: Plane = { bytes: coded.bytes, width: coded.width, side: 16, spacing: 1 }
  copyPlane(luma, { bytes, width, height }, { field, picture })
  for (const part of [0, 1]) {
    const from = coded.bytes.subarray(size + (part * size) / 4)
    const to = bytes.subarray(width * height + (part * width * height) / 4)
    const chroma: Plane = { bytes: from, width: coded.width / 2, side: 8, spacing: 1 }
    copyPlane(chroma, { bytes: to, width: width / 2, height: height / 2 }, { field, picture })
  }
  return { width, height, bytes }
}

/** The same for pixels of `channels` bytes each. */
export function composePixels(
  coded: { bytes: Uint8Array; width: number; channels: number },
  field: Field,
  picture: CodedPicture,
): Buffer {
  const { width, height } = picture
  const bytes = Buffer.alloc(width * height * coded.channels)
  const plane: Plane = { bytes: coded.bytes, width: coded.width, side: 16, spacing: coded.channels }
  copyPlane(plane, { bytes, width, height }, { field, picture })
  return bytes
}

interface Shown {
  bytes: Uint8Array
  width: number
  height: number
}

function copyPlane(
  from: Plane,
  to: Shown,
  { field, picture }: { field: Field; picture: CodedPicture },
): void {
  const { side } = from
  let line = 0
  for (const { count, runs } of field) {
    for (const end = line + count * side; line < end; line++) {
      if (line < to.height) copyLine(from, to, { line, runs })
    }
  }
  if (line !== codedRows(picture) * side)
    throw new RangeError(`a field of ${line / side} rows does not fit the picture`)
}

interface Line {
  line: number
  runs: Field[number]['runs']
}

function copyLine(from: Plane, to: Shown, { line, runs }: Line): void {
  const { side, spacing } = from
  let column = 0
  for (const { columns, dx, dy } of runs) {
    const [start, end] = [column, Math.min(column + columns * side, to.width)]
    column += columns * side
    if (end <= start) continue
    const across = (dx * side) / 16
    const source = ((line + (dy * side) / 16) * from.width + start + Math.floor(across)) * spacing
    const target = (line * to.width + start) * spacing
    const length = (end - start) * spacing
    if (Number.isInteger(across)) to.bytes.set(from.bytes.subarray(source, source + length), target)
    else
      for (let i = 0; i < length; i++)
        to.bytes[target + i] =
          ((from.bytes[source + i] as number) + (from.bytes[source + i + 1] as number) + 1) >> 1
  }
}
