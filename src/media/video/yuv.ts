/** A picture in the form of video: brightness for every pixel, colour for every second one (4:2:0, BT.709, limited range). */
export interface YuvPicture {
  width: number
  height: number
  /** The Y plane, then U, then V. */
  bytes: Uint8Array
}

export type Rgb = readonly [red: number, green: number, blue: number]

/** Colour conversion of BT.709 to limited range, times 65536. */
const luma = { red: 11_966, green: 40_254, blue: 4_064, base: 16 * 65_536 + 32_768 }
const cb = { red: -6_596, green: -22_189, blue: 28_784 }
const cr = { red: 28_784, green: -26_145, blue: -2_639 }

/** A picture from pixels of `channels` bytes each. Sides must be even. */
export function toYuv(
  pixels: Uint8Array,
  size: { width: number; height: number },
  channels: number,
): YuvPicture {
  const { width, height } = size
  const bytes = new Uint8Array((width * height * 3) / 2)
  const words = channels === 4 && pixels.byteOffset % 4 === 0 ? wordsOf(pixels) : undefined
  for (let y = 0; y < height; y += 2) {
    if (words) convertFlatRow(words, bytes, { width, height, channels, y })
    else convertRow(pixels, bytes, { width, height, channels, y })
  }
  return { width, height, bytes }
}

function wordsOf(pixels: Uint8Array): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4)
}

/** Drawn pictures have many equal pixels beside each other: four that are equal to the four before them are not converted again. */
function convertFlatRow(words: Uint32Array, out: Uint8Array, { width, height, y }: Row): void {
  const block = new Uint32Array(4)
  const pixels = new Uint8Array(block.buffer)
  const coded = new Uint8Array(6)
  const vPlane = (width * height) >> 2
  let uAt = width * height + (y >> 1) * (width >> 1)
  for (let at = y * width; at < (y + 1) * width; at += 2, uAt++) {
    const below = at + width
    const isSame =
      words[at] === block[0] &&
      words[at + 1] === block[1] &&
      words[below] === block[2] &&
      words[below + 1] === block[3]
    if (!isSame || at === y * width) {
      block[0] = words[at] as number
      block[1] = words[at + 1] as number
      block[2] = words[below] as number
      block[3] = words[below + 1] as number
      convertRow(pixels, coded, { width: 2, height: 2, channels: 4, y: 0 })
    }
    out[at] = coded[0] as number
    out[at + 1] = coded[1] as number
    out[below] = coded[2] as number
    out[below + 1] = coded[3] as number
    out[uAt] = coded[4] as number
    out[uAt + vPlane] = coded[5] as number
  }
}

interface Row {
  width: number
  height: number
  channels: number
  y: number
}

/** Two rows of pixels at once, because they share their colours. */
function convertRow(pixels: Uint8Array, out: Uint8Array, { width, height, channels, y }: Row): void {
  const stride = width * channels
  let top = y * stride
  let yAt = y * width
  let uAt = width * height + (y >> 1) * (width >> 1)
  const vPlane = (width * height) >> 2
  for (let x = 0; x < width; x += 2) {
    let red = 0
    let green = 0
    let blue = 0
    for (let n = 0; n < 4; n++) {
      const at = top + (n & 1) * channels + (n >> 1) * stride
      const r = pixels[at] as number
      const g = pixels[at + 1] as number
      const b = pixels[at + 2] as number
      red += r
      green += g
      blue += b
      out[yAt + (n & 1) + (n >> 1) * width] =
        (luma.red * r + luma.green * g + luma.blue * b + luma.base) >> 16
    }
    out[uAt] = (cb.red * red + cb.green * green + cb.blue * blue + 33_685_504) >> 18
    out[uAt + vPlane] = (cr.red * red + cr.green * green + cr.blue * blue + 33_685_504) >> 18
    top += 2 * channels
    yAt += 2
    uAt++
  }
}

/** Part of the way (0 to 256) from one picture to another of the same size. */
export function mix(from: YuvPicture, to: YuvPicture, way: number): YuvPicture {
  const bytes = new Uint8Array(from.bytes.length)
  const a = from.bytes
  const b = to.bytes
  for (let i = 0; i < bytes.length; i++) {
    const start = a[i] as number
    bytes[i] = start + ((((b[i] as number) - start) * way + 128) >> 8)
  }
  return { width: from.width, height: from.height, bytes }
}

/** The rows from `fromRow` to before `toRow` (both even) as a picture of their own. */
export function rows(picture: YuvPicture, fromRow: number, toRow: number): YuvPicture {
  const { width, height, bytes } = picture
  const out = new Uint8Array((width * (toRow - fromRow) * 3) / 2)
  out.set(bytes.subarray(fromRow * width, toRow * width), 0)
  let at = width * (toRow - fromRow)
  for (const plane of [width * height, width * height * 1.25]) {
    const part = bytes.subarray(plane + (fromRow * width) / 4, plane + (toRow * width) / 4)
    out.set(part, at)
    at += part.length
  }
  return { width, height: toRow - fromRow, bytes: out }
}

/** One picture above another of the same width. */
export function stacked(upper: YuvPicture, lower: YuvPicture): YuvPicture {
  const { width } = upper
  const height = upper.height + lower.height
  const bytes = new Uint8Array((width * height * 3) / 2)
  let at = 0
  for (const plane of [0, 1, 2] as const)
    for (const part of [upper, lower]) {
      const bytesOfPlane = planeOf(part, plane)
      bytes.set(bytesOfPlane, at)
      at += bytesOfPlane.length
    }
  return { width, height, bytes }
}

/** A rectangle of a picture; all lengths are even. */
export interface Piece {
  left: number
  top: number
  width: number
  height: number
}

/** Copies a piece of one picture to a place in another one. */
export function copyPiece(
  from: YuvPicture,
  piece: Piece,
  to: YuvPicture,
  place: { left: number; top: number },
): void {
  for (const plane of [0, 1, 2] as const) {
    const [source, target] = [planeOf(from, plane), planeOf(to, plane)]
    const half = plane === 0 ? 1 : 2
    for (let line = 0; line < piece.height / half; line++) {
      const start = ((piece.top / half + line) * from.width + piece.left) / half
      const end = start + piece.width / half
      target.set(source.subarray(start, end), ((place.top / half + line) * to.width + place.left) / half)
    }
  }
}

/** The values of brightness (0) or of one of the two colours. */
function planeOf({ width, height, bytes }: YuvPicture, plane: 0 | 1 | 2): Uint8Array {
  const size = width * height
  if (plane === 0) return bytes.subarray(0, size)
  return bytes.subarray(size + ((plane - 1) * size) / 4, size + (plane * size) / 4)
}
