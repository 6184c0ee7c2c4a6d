/** Reads H.264 and HEVC header fields from a NAL unit's payload without its emulation prevention bytes. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** How many bits have been read. */
  get position(): number {
    return this.#at
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3]
    if (byte === undefined) throw new RangeError(`read past the end of a header, bit ${this.#at}`)
    return (byte >> (7 - (this.#at++ & 7))) & 1
  }

  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.bit()
    return value
  }

  /** Unsigned Exp-Golomb code. */
  ue(): number {
    let zeros = 0
    while (this.bit() === 0) zeros++
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  /** Signed Exp-Golomb code. */
  se(): number {
    const code = this.ue()
    return (code % 2 === 1 ? code + 1 : 0 - code) / 2
  }
}

/** Writes header fields and slice data bit by bit. */
export class BitWriter {
  #bytes = new Uint8Array(64)
  #at = 0

  /** How many bits have been written. */
  get position(): number {
    return this.#at
  }

  bit(value: number): this {
    return this.bits(value & 1, 1)
  }

  /** Writes the lowest `count` bits of a value below 2 ** 32, the highest of them first. */
  bits(value: number, count: number): this {
    if (this.#at + count > this.#bytes.length * 8) this.#grow(count)
    let left = count
    while (left > 0) {
      const room = 8 - (this.#at & 7)
      const taken = Math.min(room, left)
      left -= taken
      const part = left > 31 ? 0 : value >>> left
      const index = this.#at >> 3
      this.#bytes[index] = (this.#bytes[index] ?? 0) | ((part & ((1 << taken) - 1)) << (room - taken))
      this.#at += taken
    }
    return this
  }

  /** Unsigned Exp-Golomb code. */
  ue(value: number): this {
    return this.bits(value + 1, 2 * (31 - Math.clz32(value + 1)) + 1)
  }

  /** Signed Exp-Golomb code. */
  se(value: number): this {
    return this.ue(value > 0 ? 2 * value - 1 : -2 * value)
  }

  /** The stop bit and zeros up to a whole byte, as every NAL unit ends. */
  trailing(): this {
    this.bit(1)
    this.#at = (this.#at + 7) & ~7
    return this
  }

  /** Forgets what was written and uses the memory again. */
  clear(): this {
    this.#bytes.fill(0, 0, (this.#at + 7) >> 3)
    this.#at = 0
    return this
  }

  /** A copy of the bytes written so far. The last byte is filled up with zeros. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, (this.#at + 7) >> 3)
  }

  /** The bits written so far, followed by the bits of `tail` from `fromBit` on. */
  followedBy(tail: Uint8Array, fromBit: number): Uint8Array {
    const shift = ((fromBit & 7) - (this.#at & 7) + 8) & 7
    const start = this.#at >> 3
    const first = (fromBit - (this.#at & 7) - shift) / 8
    const out = new Uint8Array(start + (tail.length - first))
    for (let i = start, j = first; i < out.length; i++, j++) {
      out[i] = ((tail[j] ?? 0) << shift) | ((tail[j + 1] ?? 0) >> (8 - shift))
    }
    out.set(this.#bytes.subarray(0, start), 0)
    const keep = this.#at & 7
    if (keep > 0) out[start] = (this.#bytes[start] ?? 0) | ((out[start] ?? 0) & (0xff >> keep))
    return withoutTrailingZeros(out)
  }

  #grow(count: number): void {
    const larger = new Uint8Array(this.#bytes.length * 2 + count)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Writes the lowest `count` bits (at most 32) of a value over others, from bit `at` on. */
export function overwriteBits(
  target: Uint8Array,
  at: number,
  { value, count }: { value: number; count: number },
): void {
  for (let left = count, to = at; left > 0; ) {
    const room = 8 - (to & 7)
    const taken = Math.min(room, left)
    left -= taken
    const mask = ((1 << taken) - 1) << (room - taken)
    const kept = (target[to >> 3] ?? 0) & ~mask
    target[to >> 3] = kept | (((value >>> left) << (room - taken)) & mask)
    to += taken
  }
}

/** Removes the bytes that prevent start codes inside a NAL unit (H.264, 7.4.1). */
export function unescapeNal(nal: Uint8Array): Uint8Array {
  const source = asBuffer(nal)
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = source.indexOf(emulation); at >= 0; at = source.indexOf(emulation, at + 3)) {
    parts.push(source.subarray(from, at + 2))
    from = at + 3
  }
  return from === 0 ? nal : Buffer.concat([...parts, source.subarray(from)])
}

/** Inserts the bytes that prevent start codes inside a NAL unit. Most payloads need none, and are returned as they are. */
export function escapeNal(payload: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let from = 0
  let at = payload.indexOf(0)
  while (at >= 0) {
    const isEscaped = payload[at + 1] === 0 && (payload[at + 2] ?? 255) <= 3
    if (isEscaped) {
      parts.push(payload.subarray(from, at + 2), preventing)
      from = at + 2
    }
    at = payload.indexOf(0, isEscaped ? from : at + 1)
  }
  return from === 0 ? payload : Buffer.concat([...parts, payload.subarray(from)])
}

/** Splits a byte stream with start codes (Annex B) into NAL units. */
export function splitNals(stream: Uint8Array): Uint8Array[] {
  const source = asBuffer(stream)
  const nals: Uint8Array[] = []
  let at = source.indexOf(startCode)
  while (at >= 0) {
    const next = source.indexOf(startCode, at + 3)
    const end = next < 0 ? source.length : next
    nals.push(withoutTrailingZeros(source.subarray(at + 3, end)))
    at = next
  }
  return nals
}

/** The type of an H.264 NAL unit, from its first byte. */
export function nalType(nal: Uint8Array): number {
  return (nal[0] ?? 0) & 0x1f
}

const startCode = Buffer.from([0, 0, 1])
const emulation = Buffer.from([0, 0, 3])
const preventing = Uint8Array.of(3)

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function withoutTrailingZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}
