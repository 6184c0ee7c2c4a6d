import { Buffer } from 'node:buffer'
import { BitReader, unescapeNal } from './bits.ts'
import { box, fullBox, u16, u32 } from './mp4-boxes.ts'

type Container = 'mp4' | 'mov'
interface Size {
  width: number
  height: number
}

/** `profile_idc` of High 4:4:4 Predictive. ISO/IEC 14496-10, A.2.11. */
const high444 = 244

/** The `avc1` box. ISO/IEC 14496-15, 5.4. */
export function avcDescription(
  container: Container,
  size: Size,
  sets: { sps: Uint8Array; pps: Uint8Array },
): Buffer {
  const { sps, pps } = sets
  const profile = [...sps.subarray(1, 4)]
  // ISO/IEC 14496-15, 5.3.3.1.2: the high profiles add their chroma format and bit depths.
  const extension = profile[0] === high444 ? [0xfc | 3, 0xf8, 0xf8, 0] : []
  const set = [u16(sps.length), sps, [1], u16(pps.length), pps]
  const config = box('avcC', [1, ...profile, 0xff, 0xe1], ...set, extension)
  return pictureEntry('avc1', container, size, config)
}

/** The `hvc1` box. ISO/IEC 14496-15, 8.3. */
export function hevcDescription(container: Container, size: Size, sets: readonly Uint8Array[]): Buffer {
  const sps = sets.find(nal => hevcNalType(nal) === 33)
  if (!sps) throw new Error('the HEVC stream has no sequence parameter set')
  const payload = unescapeNal(sps)
  const profile = payload.subarray(3, 15)
  const reader = new BitReader(payload.subarray(2))
  reader.bits(4)
  const layers = reader.bits(3) + 1
  const nested = reader.bit()
  const arrays = sets.map(nal =>
    Buffer.concat([Buffer.from([0x80 | hevcNalType(nal)]), u16(1, nal.length), nal]),
  )
  // ITU-T H.265, A.3.3: Main 10 is profile 2. Both depths are written as what they have beyond 8 bits.
  const depth = 0xf8 | (((profile[0] ?? 0) & 31) === 2 ? 2 : 0)
  const flags = [0xf0, 0, 0xfc, 0xfd, depth, depth, 0, 0, (layers << 3) | (nested << 2) | 3, arrays.length]
  return pictureEntry('hvc1', container, size, box('hvcC', [1], profile, flags, ...arrays))
}

/** The type of an HEVC NAL unit. */
export function hevcNalType(nal: Uint8Array): number {
  return ((nal[0] ?? 0) >> 1) & 0x3f
}

/** Bits a second: the most in any second, and over the whole track. */
export interface BitRates {
  peak: number
  average: number
}

/** The `mp4a` box for AAC-LC. `config` is the AudioSpecificConfig. ISO/IEC 14496-14; QuickTime sound description v1 for `mov`. */
export function aacDescription(
  container: Container,
  sound: { channels: number; rate: number; config: Uint8Array; bits: BitRates },
): Buffer {
  const { channels, rate, config, bits } = sound
  const decoder = descriptor(
    4,
    Buffer.from([0x40, 0x15, 0, 0, 0]),
    u32(bits.peak, bits.average),
    descriptor(5, config),
  )
  const esds = fullBox(
    'esds',
    0,
    descriptor(3, Buffer.from([0, 0, 0]), decoder, descriptor(6, Buffer.from([2]))),
  )
  const start = [u32(0), u16(0, 1)]
  if (container === 'mp4') {
    return box('mp4a', ...start, u32(0, 0), u16(channels, 16, 0, 0), u32(rate * 65536), esds)
  }
  const wave = box('wave', box('frma', Buffer.from('mp4a')), box('mp4a', u32(0)), esds, box('\0\0\0\0'))
  const version1 = [u16(1, 0), u32(0), u16(channels, 16, 0xfffe, 0), u32(rate * 65536), u32(1024, 0, 0, 2)]
  return box('mp4a', ...start, ...version1, wave)
}

/** The `sowt` box: uncoded 16-bit sound, least significant byte first. QuickTime File Format, "Sound sample descriptions". */
export function pcmDescription({ channels, rate }: { channels: number; rate: number }): Buffer {
  return box('sowt', u32(0), u16(0, 1), u32(0, 0), u16(channels, 16, 0, 0), u32(rate * 65536))
}

function descriptor(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag, 0x80, 0x80, 0x80, body.length]), body])
}

function pictureEntry(type: string, container: Container, size: Size, config: Buffer): Buffer {
  const colours =
    container === 'mov'
      ? box('colr', Buffer.from('nclc'), u16(1, 1, 1))
      : box('colr', Buffer.from('nclx'), u16(1, 1, 1), [0])
  return box(
    type,
    u32(0),
    u16(0, 1),
    Buffer.alloc(16),
    u16(size.width, size.height),
    u32(0x00480000, 0x00480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(0x18, 0xffff),
    config,
    colours,
  )
}
