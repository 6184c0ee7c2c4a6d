import { BitReader, BitWriter, escapeNal, overwriteBits } from '../video/bits.ts'
import { type CodedPicture, codedRows, levels } from '../video/coded-picture.ts'
import type { IntraSlice } from './read-stream.ts'

/** What is shown, in pixels, and all columns and rows of macroblocks. */
type Geometry = Pick<CodedPicture, 'width' | 'height' | 'columns' | 'rows' | 'below'> & { fps: number }

/** The bits of the frame number, and of the number in the order of showing. */
const frameNumBits = 16
const codes = { bt709: 1, limited: 0 }

/** Whether each picture refers only to the one before it, or some to the two pictures around them that others refer to. */
type Referring = 'back' | 'both ways'

/**
 * `profile_idc` and the flags after it (A.2): Constrained Baseline, or Main, which has B slices. Then the number of reference
 * pictures, and how many pictures may be decoded before one that is shown earlier.
 */
const streams = {
  back: { profile: 66, flags: 0xc0, references: 1, early: 0 },
  'both ways': { profile: 77, flags: 0x40, references: 2, early: 1 },
} as const satisfies Record<Referring, object>

/** The sequence parameter set for the slices of key pictures, of motion and of mixtures, with the colours of BT.709. */
export function writeSps(geometry: Geometry, referring: Referring): Uint8Array {
  const { width, height, columns, fps } = geometry
  const rows = codedRows(geometry)
  const { profile, flags, references } = streams[referring]
  const writer = new BitWriter().bits(0x67, 8).bits(profile, 8).bits(flags, 8).bits(levelOf(geometry), 8)
  writer
    .ue(0)
    .ue(frameNumBits - 4)
    .ue(0) // each picture has its number in the order of showing, so that pictures without references may follow each other
    .ue(frameNumBits - 4)
    .ue(references)
    .bit(0)
    .ue(columns - 1)
    .ue(rows - 1)
    .bit(1) // whole frames
    .bit(1)
  writeCropping(writer, { right: columns * 16 - width, bottom: rows * 16 - height })
  writeUsability(writer, fps, streams[referring])
  return escapeNal(writer.trailing().toBytes())
}

/** Writes a picture that was coded by itself as a slice of a key picture (IDR), whose number must differ from those of its neighbours. */
export function writeIntraSlice(
  slice: IntraSlice,
  { keyNumber, firstMb }: { keyNumber: number; firstMb: number },
): Uint8Array {
  const writer = new BitWriter().bits(0x65, 8).ue(firstMb).ue(2).ue(0).bits(0, frameNumBits)
  writer
    .ue(keyNumber % 2)
    .bits(0, frameNumBits)
    .bits(0, 2)
  writer.se(slice.qpDelta).ue(1)
  return escapeNal(writer.followedBy(slice.payload, slice.dataFromBit))
}

/** The place of a picture among the pictures since the last one that was coded as a whole. */
export interface PictureOrder {
  /** Pictures since the key picture (IDR), which is 0. */
  sinceStart: number
  /** Earlier pictures that others refer to, the key picture among them. */
  referencesBefore: number
}

/** The picture parameter set of the encoder, changed so that B slices have weights of their own (`weighted_bipred_idc` 1). */
export function withWeights(pps: Uint8Array): Uint8Array {
  const reader = new BitReader(pps.subarray(1))
  for (let i = 0; i < 2; i++) reader.ue() // its number, and that of the sequence parameter set
  reader.bits(2) // CABAC, fields
  for (let i = 0; i < 3; i++) reader.ue() // slice groups, reference pictures of both lists
  reader.bit() // weights of P slices
  const changed = pps.slice()
  overwriteBits(changed, 8 + reader.position, { value: 0b01, count: 2 })
  return changed
}

/** Writes a separately coded picture as a slice of a key picture that replaces another one. Other pictures may refer to it. */
export function writeRefreshSlice(slice: IntraSlice, firstMb: number, order: PictureOrder): Uint8Array {
  const writer = new BitWriter().bits(0x21, 8).ue(firstMb).ue(2).ue(0)
  writeOrder(writer, order)
  writer.bit(0) // the picture replaces the oldest reference
  writer.se(slice.qpDelta).ue(1)
  return escapeNal(writer.followedBy(slice.payload, slice.dataFromBit))
}

/** The frame number and the place in the order of showing. */
export function writeOrder(writer: BitWriter, order: PictureOrder): void {
  writer.bits(bitsOf(order), 2 * frameNumBits)
}

function bitsOf({ sinceStart, referencesBefore }: PictureOrder): number {
  return (referencesBefore << frameNumBits) | ((2 * sinceStart) & 0xffff)
}

/** Replaces the order that begins at bit `atBit`. The payload has no emulation prevention bytes. */
export function replaceOrder(payload: Uint8Array, atBit: number, order: PictureOrder): void {
  overwriteBits(payload, atBit, { value: bitsOf(order), count: 2 * frameNumBits })
}

/** The pixels that are not shown, at the right and below only. */
function writeCropping(writer: BitWriter, { right, bottom }: { right: number; bottom: number }): void {
  const isCropped = right + bottom > 0
  writer.bit(isCropped ? 1 : 0)
  if (isCropped) for (const side of [0, right, 0, bottom]) writer.ue(side / 2)
}

// Annex E: colours of BT.709, a fixed frame rate, and the shortest delay before a picture is shown.
function writeUsability(
  writer: BitWriter,
  fps: number,
  { references, early }: { references: number; early: number },
): void {
  writer.bit(1).bit(0).bit(0)
  writer.bit(1).bits(5, 3).bit(codes.limited).bit(1)
  writer.bits(codes.bt709, 8).bits(codes.bt709, 8).bits(codes.bt709, 8)
  writer.bit(0)
  writer
    .bit(1)
    .bits(1, 32)
    .bits(fps * 2, 32)
    .bit(1)
  writer.bit(0).bit(0).bit(0)
  writer.bit(1).bit(1).ue(0).ue(0).ue(15).ue(15).ue(early).ue(references)
}

function levelOf(geometry: Geometry): number {
  const [columns, rows] = [geometry.columns, codedRows(geometry)]
  const count = columns * rows
  const row = levels.find(([, picture, second]) => {
    const longestSide = Math.floor(Math.sqrt(picture * 8))
    return count <= picture && count * geometry.fps <= second && Math.max(columns, rows) <= longestSide
  })
  return row?.[0] ?? 62
}
