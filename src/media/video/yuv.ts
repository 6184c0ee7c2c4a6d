/** A picture as video knows it: brightness for every pixel, colour for every second one (4:2:0, BT.709, limited range). */
export interface YuvPicture {
  width: number
  height: number
  /** The Y plane, then U, then V. */
  bytes: Uint8Array
}

export type Rgb = readonly [red: number, green: number, blue: number]

/** How much of a colour lies on each pixel (0 to 255): a shape to be painted. */
export interface Mask {
  width: number
  height: number
  alpha: Uint8Array
}

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
  for (let y = 0; y < height; y += 2) {
    convertRow(pixels, bytes, { width, height, channels, y })
  }
  return { width, height, bytes }
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

/** The colour as the three values of video. */
function yuvColour([red, green, blue]: Rgb): Rgb {
  const { bytes } = toYuv(
    Uint8Array.from([0, 1, 2, 3].flatMap(() => [red, green, blue])),
    { width: 2, height: 2 },
    3,
  )
  return [bytes[0] ?? 0, bytes[4] ?? 0, bytes[5] ?? 0]
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

export interface Stroke {
  mask: Mask
  /** Even. */
  left: number
  /** Even. */
  top: number
  /** Only so many columns of the mask, from its left. */
  columns?: number
  colour: Rgb
}

/** Paints a shape onto a picture, in place. What lies outside of the picture is left away. */
export function paintYuv({ width, height, bytes }: YuvPicture, stroke: Stroke): void {
  const [y, u, v] = yuvColour(stroke.colour)
  const brightness = bytes.subarray(0, width * height)
  const colours = bytes.subarray(width * height)
  const quarter = (width * height) >> 2
  paintPlane({ bytes: brightness, width, height, every: 1 }, stroke, y)
  paintPlane(
    { bytes: colours.subarray(0, quarter), width: width / 2, height: height / 2, every: 2 },
    stroke,
    u,
  )
  paintPlane({ bytes: colours.subarray(quarter), width: width / 2, height: height / 2, every: 2 }, stroke, v)
}

/** The same for a picture of `channels` bytes a pixel, of which the first three are its colour. */
export function paintRgb(
  picture: { width: number; height: number; bytes: Uint8Array; channels: number },
  stroke: Stroke,
): void {
  const { width, height, channels } = picture
  stroke.colour.forEach((value, offset) => {
    const bytes = picture.bytes.subarray(offset)
    paintPlane({ bytes, width, height, every: 1, spacing: channels }, stroke, value)
  })
}

interface Plane {
  bytes: Uint8Array
  width: number
  height: number
  /** Each value stands for a square of so many pixels a side. */
  every: number
  /** Distance of neighbouring values in bytes. */
  spacing?: number
}

function paintPlane(
  { bytes, width, height, every, spacing = 1 }: Plane,
  stroke: Stroke,
  value: number,
): void {
  const { mask } = stroke
  const left = stroke.left / every
  const top = stroke.top / every
  const columns = Math.min(
    Math.floor(Math.min(stroke.columns ?? mask.width, mask.width) / every),
    width - left,
  )
  const lines = Math.min(Math.floor(mask.height / every), height - top)
  for (let line = Math.max(0, -top); line < lines; line++) {
    const from = line * every * mask.width
    const to = (top + line) * width + left
    for (let column = Math.max(0, -left); column < columns; column++) {
      const alpha = mask.alpha[from + column * every] as number
      if (alpha === 0) continue
      const at = (to + column) * spacing
      const under = bytes[at] as number
      bytes[at] = under + Math.round(((value - under) * alpha) / 255)
    }
  }
}
