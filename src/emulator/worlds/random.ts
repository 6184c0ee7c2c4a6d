/** A seeded stream of random values. Each use (ids, durations, texts) has its own stream, so that one use does not change the values of another. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from min to max, both included. */
  integer(min: number, max: number): number
  pick<T>(list: readonly [T, ...T[]]): T
  /** `length` characters of the alphabet. */
  text(alphabet: string, length: number): string
  hex(length: number): string
  /** A UUID of version 4's shape. */
  uuid(): string
}

/** The stream of the `ordinal`-th draw of a kind under a seed: the same three always give the same numbers. */
export function randomFor(seed: number, kind: string, ordinal: number): Random {
  const start = startOf(seed, kind)
  // Ordinals may exceed 32 bits: both halves are used, mixed so that neighbouring ordinals give unrelated streams.
  const low = mixed(ordinal | 0)
  const high = mixed(Math.floor(ordinal / 4294967296) ^ 0x9e3779b9)
  return new Stream(start.a ^ low, start.b ^ high, start.c + low, start.d)
}

interface Start {
  a: number
  b: number
  c: number
  d: number
}

/** By seed and kind: hashing the two takes 4 µs, and each request draws several times. Kinds are few; seeds are limited. */
const starts = new Map<number, Map<string, Start>>()
const mostSeeds = 1000

/** The start of the streams of a kind. Cached, since there are few kinds and every request draws its id. */
function startOf(seed: number, kind: string): Start {
  let kinds = starts.get(seed)
  if (!kinds) {
    if (starts.size >= mostSeeds) starts.clear()
    kinds = new Map()
    starts.set(seed, kinds)
  }
  let start = kinds.get(kind)
  if (!start) {
    start = hash(`${seed}|${kind}`)
    kinds.set(kind, start)
  }
  return start
}

/** Chris Doty-Humphrey's small fast counting generator (sfc32): 128 bits of state, passes PractRand. */
class Stream implements Random {
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(a: number, b: number, c: number, d: number) {
    this.#a = a | 0
    this.#b = b | 0
    this.#c = c | 0
    this.#d = d | 0
    for (let i = 0; i < 12; i++) this.#word()
  }

  /** 32 random bits, unsigned. */
  #word(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0
    return t >>> 0
  }

  next(): number {
    return this.#word() / 4294967296
  }

  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.integer(0, list.length - 1)] ?? list[0]
  }

  text(alphabet: string, length: number): string {
    let out = ''
    for (let i = 0; i < length; i++) out += alphabet[Math.floor(this.next() * alphabet.length)]
    return out
  }

  hex(length: number): string {
    let out = ''
    while (out.length < length) {
      const word = this.#word()
      out += `${bytes[word >>> 24]}${bytes[(word >>> 16) & 255]}${bytes[(word >>> 8) & 255]}${bytes[word & 255]}`
    }
    return out.length === length ? out : out.slice(0, length)
  }

  uuid(): string {
    const digits = this.hex(30)
    const variant = this.text('89ab', 1)
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-${variant}${digits.slice(15, 18)}-${digits.slice(18, 30)}`
  }
}

/** Every byte as two hexadecimal digits. */
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A 32-bit number with its bits mixed (the finalizer of MurmurHash3). */
function mixed(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/** Four 32-bit words from a text (cyrb128), to start a generator with. */
function hash(text: string): Start {
  let a = 1779033703
  let b = 3144134277
  let c = 1013904242
  let d = 2773480762
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i)
    a = b ^ Math.imul(a ^ k, 597399067)
    b = c ^ Math.imul(b ^ k, 2869860233)
    c = d ^ Math.imul(c ^ k, 951274213)
    d = a ^ Math.imul(d ^ k, 2716044179)
  }
  return { a, b, c, d }
}
