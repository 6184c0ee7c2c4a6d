import { BitWriter, escapeNal } from './bits.ts'
import type { IntraSlice } from './h264-read.ts'

/** Where a slice stands: the picture it belongs to and its first macroblock. */
export interface SlicePlace {
  /** A picture that needs no other (IDR), or one that refers to the picture before it. */
  idr: boolean
  /** Pictures since the last IDR picture. */
  sinceIdr: number
  /** Tells neighbouring IDR pictures apart. */
  idrNumber: number
  firstMb: number
}

export interface Geometry {
  width: number
  height: number
  fps: number
}

const frameNumBits = 16
const lines = { baseline: 66, bt709: 1, limited: 0 }

/** The sequence parameter set that fits the slices written below: Constrained Baseline, BT.709, one reference picture. */
export function writeSps(geometry: Geometry): Uint8Array {
  const { mbWidth, mbHeight } = macroblocks(geometry)
  const writer = new BitWriter()
    .bits(0x67, 8)
    .bits(lines.baseline, 8)
    .bits(0xc0, 8)
    .bits(levelOf(geometry), 8)
  writer
    .ue(0)
    .ue(frameNumBits - 4)
    .ue(2) // pictures are shown in the order in which they are coded
    .ue(1) // one reference picture
    .bit(0)
    .ue(mbWidth - 1)
    .ue(mbHeight - 1)
    .bit(1) // whole frames
    .bit(1)
  writeCropping(writer, geometry)
  writeUsability(writer, geometry.fps)
  return escapeNal(writer.trailing().toBytes())
}

/** A picture that was coded on its own, laid into a larger picture as one of its slices. */
export function writeIntraSlice(slice: IntraSlice, place: SlicePlace): Uint8Array {
  const writer = new BitWriter().bits(place.idr ? 0x65 : 0x41, 8)
  writer.ue(place.firstMb).ue(2).ue(0).bits(frameNum(place), frameNumBits)
  if (place.idr) writer.ue(place.idrNumber % 2).bits(0, 2)
  else writer.bit(0)
  writer.se(slice.qpDelta).ue(1)
  return escapeNal(writer.followedBy(slice.payload, slice.dataFromBit))
}

/** `count` macroblocks that stay as they were in the picture before: about ten bytes. */
export function writeSkipSlice(place: SlicePlace, count: number): Uint8Array {
  const writer = new BitWriter().bits(0x41, 8)
  writer.ue(place.firstMb).ue(0).ue(0).bits(frameNum(place), frameNumBits)
  writer.bit(1).ue(0) // one reference picture, whatever the parameter set says
  writer.bit(0) // in its usual place
  writer.bit(0) // references slide on by themselves
  writer.se(0).ue(1)
  return escapeNal(writer.ue(count).trailing().toBytes())
}

/** The size in macroblocks of 16 by 16 pixels, rounded up. */
export function macroblocks(size: { width: number; height: number }): { mbWidth: number; mbHeight: number } {
  return { mbWidth: Math.ceil(size.width / 16), mbHeight: Math.ceil(size.height / 16) }
}

function frameNum(place: SlicePlace): number {
  return place.sinceIdr % 2 ** frameNumBits
}

function writeCropping(writer: BitWriter, { width, height }: Geometry): void {
  const { mbWidth, mbHeight } = macroblocks({ width, height })
  const right = (mbWidth * 16 - width) / 2
  const bottom = (mbHeight * 16 - height) / 2
  if (right === 0 && bottom === 0) return void writer.bit(0)
  writer.bit(1).ue(0).ue(right).ue(0).ue(bottom)
}

// Annex E: colours as on any screen, a fixed rate of pictures, and no need to wait before showing one.
function writeUsability(writer: BitWriter, fps: number): void {
  writer.bit(1).bit(0).bit(0)
  writer.bit(1).bits(5, 3).bit(lines.limited).bit(1)
  writer.bits(lines.bt709, 8).bits(lines.bt709, 8).bits(lines.bt709, 8)
  writer.bit(0)
  writer
    .bit(1)
    .bits(1, 32)
    .bits(fps * 2, 32)
    .bit(1)
  writer.bit(0).bit(0).bit(0)
  writer.bit(1).bit(1).ue(0).ue(0).ue(11).ue(11).ue(0).ue(1)
}

/** Table A-1: the level, most macroblocks a picture, most macroblocks a second. */
const levels: readonly (readonly [level: number, picture: number, second: number])[] = [
  [30, 1_620, 40_500],
  [31, 3_600, 108_000],
  [32, 5_120, 216_000],
  [40, 8_192, 245_760],
  [42, 8_704, 522_240],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
  [52, 36_864, 2_073_600],
  [60, 139_264, 4_177_920],
]

function levelOf(geometry: Geometry): number {
  const { mbWidth, mbHeight } = macroblocks(geometry)
  const count = mbWidth * mbHeight
  const row = levels.find(([, picture, second]) => {
    const longestSide = Math.floor(Math.sqrt(picture * 8))
    return count <= picture && count * geometry.fps <= second && Math.max(mbWidth, mbHeight) <= longestSide
  })
  return row?.[0] ?? 62
}
