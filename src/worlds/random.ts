/** A seeded stream of draws. Each object drawn for (ids, durations, texts) has a stream of its own, so draws never disturb each other. */
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
  return streamOf(sfc32(hash(`${seed}|${kind}|${ordinal}`)))
}

function streamOf(next: () => number): Random {
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const text = (alphabet: string, length: number) => {
    let out = ''
    for (let i = 0; i < length; i++) out += alphabet[Math.floor(next() * alphabet.length)]
    return out
  }
  const hex = (length: number) => text('0123456789abcdef', length)
  return {
    next,
    integer,
    pick: list => list[integer(0, list.length - 1)] ?? list[0],
    text,
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${text('89ab', 1)}${hex(3)}-${hex(12)}`,
  }
}

/** Four 32-bit words from a text (cyrb128), to start a generator with. */
function hash(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i)
    a = b ^ Math.imul(a ^ k, 597399067)
    b = c ^ Math.imul(b ^ k, 2869860233)
    c = d ^ Math.imul(c ^ k, 951274213)
    d = a ^ Math.imul(d ^ k, 2716044179)
  }
  return [a, b, c, d]
}

/** Chris Doty-Humphrey's small fast counting generator: 128 bits of state, passes PractRand. */
function sfc32([a, b, c, d]: [number, number, number, number]): () => number {
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    c |= 0
    return (t >>> 0) / 4294967296
  }
  for (let i = 0; i < 12; i++) next()
  return next
}
