/**
 * A text without its escapes: the bytes that a reader of URLs, JSON, HTML or forms would see, and the place of each in the
 * text. A secret is found in it however the text spells it.
 */
export interface PlainText {
  text: string
  /** The UTF-8 bytes, one character each. */
  bytes: string
  /** Where the spelling of each byte begins in the text; undefined when byte and character are the same. */
  from: Uint32Array | undefined
  /** Where it ends. */
  to: Uint32Array | undefined
}

/** A part of a text: from `start`, before `end`. */
export interface Span {
  start: number
  end: number
}

/**
 * `%41`, `%2541` and so on; `\u0041`, `\x41`, `\n`, `\"` behind any number of backslashes; `&#65;`, `&quot;`. Each layer of one kind
 * is undone at once, so a pass is needed only for each change of kind.
 */
const escapes =
  /%(?:25)*u([0-9a-f]{4})|%(?:25)*([0-9a-f]{2})|\\+u\{([0-9a-f]{1,6})\}|((?:\\+u[0-9a-f]{4})+)|\\+x([0-9a-f]{2})|\\+([^\\]|$)|&(?:amp;)*#(\d{1,7});|&(?:amp;)*#x([0-9a-f]{1,6});|&(?:amp;)*(amp|lt|gt|quot|apos|nbsp);/gi

/** A text with more layers than anybody writes is not read: `undefined`. */
const mostLayers = 12

/** Undoes every escape of a text; undefined when it has too many layers. */
export function plainTextOf(text: string): PlainText | undefined {
  let plain = bytesOf(text)
  for (let layer = 0; layer < mostLayers; layer++) {
    if (!/[%\\&]/.test(plain.bytes)) return plain
    const next = withoutLayer(plain)
    if (next.bytes === plain.bytes) return plain
    plain = next
  }
  return undefined
}

/** The place in the text of the bytes from `start`, before `end`. */
export function spanOf({ from, to }: PlainText, start: number, end: number): Span {
  return {
    start: from?.[start] ?? start,
    end: end === start ? (from?.[start] ?? start) : (to?.[end - 1] ?? end),
  }
}

/** Bytes of a plain text as text. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The form in which secrets are searched: without regard to case, and with `+` as the blank that it is in forms. */
export function searchable(bytes: string): string {
  return bytes.toLowerCase().replaceAll('+', ' ')
}

function bytesOf(text: string): PlainText {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return { text, bytes: text, from: undefined, to: undefined }
  const bytes = Buffer.from(text, 'utf8')
  const from = new Uint32Array(bytes.length)
  const to = new Uint32Array(bytes.length)
  let [at, place] = [0, 0]
  for (const sign of text) {
    const size = Buffer.byteLength(sign)
    from.fill(place, at, at + size)
    to.fill(place + sign.length, at, at + size)
    at += size
    place += sign.length
  }
  return { text, bytes: bytes.toString('latin1'), from, to }
}

function withoutLayer(plain: PlainText): PlainText {
  const { text, bytes } = plain
  const from = new Uint32Array(bytes.length)
  const to = new Uint32Array(bytes.length)
  let [written, read] = [0, 0]
  let out = ''
  const keep = (end: number) => {
    out += bytes.slice(read, end)
    for (; read < end; read++, written++) {
      from[written] = plain.from?.[read] ?? read
      to[written] = plain.to?.[read] ?? read + 1
    }
  }
  for (const match of bytes.matchAll(escapes)) {
    keep(match.index)
    const end = match.index + match[0].length
    const span = spanOf(plain, match.index, end)
    const decoded = decodedBytes(match)
    from.fill(span.start, written, written + decoded.length)
    to.fill(span.end, written, written + decoded.length)
    out += decoded
    written += decoded.length
    read = end
  }
  keep(bytes.length)
  return { text, bytes: out, from: from.subarray(0, written), to: to.subarray(0, written) }
}

const controls: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
}
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function decodedBytes(match: RegExpMatchArray): string {
  const [, percentUnit, percent, point, units, hex, sign, decimal, hexPoint, entity] = match
  if (percent !== undefined || hex !== undefined)
    return String.fromCharCode(Number.parseInt(percent ?? hex ?? '', 16))
  if (sign !== undefined) return controls[sign] ?? sign
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? ''
  if (units !== undefined) {
    const codes = [...units.matchAll(/u([0-9a-f]{4})/gi)].map(([, code = '']) => Number.parseInt(code, 16))
    return utf8(codes.map(code => String.fromCharCode(code)).join(''))
  }
  if (decimal !== undefined) return pointBytes(Number(decimal))
  return pointBytes(Number.parseInt(percentUnit ?? point ?? hexPoint ?? '', 16))
}

function pointBytes(point: number): string {
  return point <= 0x10ffff ? utf8(String.fromCodePoint(point)) : ''
}

function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
