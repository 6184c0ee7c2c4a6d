import { BitReader, nalType, splitNals, unescapeNal } from '../video/bits.ts'

/** One picture that was coded as a single slice. Its data can be written elsewhere under a new header. */
export interface IntraSlice {
  /** The NAL unit without emulation prevention, its one-byte header included. */
  payload: Uint8Array
  /** Where the slice data starts, in bits from the start of `payload`. */
  dataFromBit: number
  qpDelta: number
}

/** The encoder wrote something other than the plain Constrained Baseline pictures it was asked for. */
export class UnexpectedStreamError extends Error {
  override name = 'UnexpectedStreamError'
}

const nalTypes = { slice: 1, idr: 5, sps: 7, pps: 8 }

/**
 * Reads an Annex B stream in which every picture is an IDR picture of one slice. Streams with equal `pps` may become slices of the same picture.
 * @throws UnexpectedStreamError when slices of it cannot be moved: CABAC, weighted prediction, another
 * picture order type, fields, several slices, deblocking (H.264, 7.3.2 and 7.3.3).
 */
export function readIntraStream(stream: Uint8Array): { pps: Uint8Array; slices: IntraSlice[] } {
  const payloads = splitNals(stream).map(unescapeNal)
  const sps = payloads.find(nal => nalType(nal) === nalTypes.sps)
  const pps = payloads.find(nal => nalType(nal) === nalTypes.pps)
  if (!sps || !pps) throw new UnexpectedStreamError('no parameter sets in the stream')
  const frameNumBits = readFrameNumBits(sps)
  checkPps(pps)
  const referring = payloads.filter(nal => nalType(nal) === nalTypes.slice)
  expect(referring.length, count => count === 0, 'pictures that refer to others')
  const pictures = payloads.filter(nal => nalType(nal) === nalTypes.idr)
  return { pps, slices: pictures.map(nal => readSlice(nal, frameNumBits)) }
}

function readFrameNumBits(sps: Uint8Array): number {
  const reader = new BitReader(sps.subarray(1))
  expect(reader.bits(8), profile => profile === 66, 'a profile other than Baseline')
  reader.bits(16) // constraint flags and level
  reader.ue() // its id
  const frameNumBits = reader.ue() + 4
  expect(reader.ue(), order => order === 2, 'a picture order type other than 2')
  reader.ue() // number of reference frames
  reader.bit() // gaps allowed
  reader.ue() // width
  reader.ue() // height
  expect(reader.bit(), framesOnly => framesOnly === 1, 'fields')
  return frameNumBits
}

function checkPps(pps: Uint8Array): void {
  const reader = new BitReader(pps.subarray(1))
  expect(reader.ue() + reader.ue(), ids => ids === 0, 'parameter sets with numbers other than 0')
  expect(reader.bit(), cabac => cabac === 0, 'CABAC')
  expect(reader.bit(), fields => fields === 0, 'fields')
  expect(reader.ue(), groups => groups === 0, 'slice groups')
  reader.ue()
  reader.ue()
  expect(reader.bits(3), weighted => weighted === 0, 'weighted prediction')
  reader.se() // quantiser of pictures
  reader.se() // quantiser of switching pictures
  reader.se() // offset of chroma
  expect(reader.bit(), control => control === 1, 'no control of deblocking')
  expect(reader.bits(2), flags => flags === 0, 'constrained or redundant pictures')
}

function readSlice(payload: Uint8Array, frameNumBits: number): IntraSlice {
  const reader = new BitReader(payload.subarray(1))
  expect(reader.ue(), firstMb => firstMb === 0, 'several slices in a picture')
  expect(reader.ue(), type => type === 2 || type === 7, 'slices that are not intra')
  reader.ue() // picture parameter set, 0 as checked
  reader.bits(frameNumBits)
  reader.ue() // number of the IDR picture
  reader.bits(2) // reference marking
  const qpDelta = reader.se()
  expect(reader.ue(), deblocking => deblocking === 1, 'deblocking')
  return { payload, dataFromBit: 8 + reader.position, qpDelta }
}

function expect(value: number, isExpected: (value: number) => boolean, found: string): void {
  if (!isExpected(value)) throw new UnexpectedStreamError(`the encoder gave a stream with ${found}`)
}
