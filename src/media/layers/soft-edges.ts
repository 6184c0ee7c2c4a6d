import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/** Up to this many pixels inside the border of a layer may be mixed with the background. */
const deepest = 5
/** A pixel that holds less of its layer than this belongs to the base. */
const faintest = 0.1
/** The alpha of a pixel may differ by this much from the measured one, if the picture is exact only then. */
const leeway = 48

/**
 * Gives the layers soft edges: a pixel near a border that is a mixture of its layer and the background gets
 * the alpha of that mixture, and the colour that over the base gives exactly the picture's pixel. Changes
 * `base` where a pixel is only background. The result has the layers' pixels at their places in the picture.
 */
export function softEdged(picture: Pixels, base: Pixels, map: LayerMap): Pixels {
  const bytes = picture.bytes.slice()
  const rings = ringsOf(map)
  for (let at = 0; at < rings.length; at++) {
    if (!rings[at] || picture.bytes[at * 4 + 3] !== 255 || base.bytes[at * 4 + 3] !== 255) continue
    const inside = insideOf(at, map, rings)
    if (inside === undefined) continue
    const part = partOf({ bytes: picture.bytes, base: base.bytes }, at * 4, inside * 4)
    if (part === undefined) continue
    if (part < faintest && isNear(picture.bytes, base.bytes, at * 4)) {
      base.bytes.set(picture.bytes.subarray(at * 4, at * 4 + 4), at * 4)
      bytes.fill(0, at * 4, at * 4 + 4)
    } else mixInto(bytes, base.bytes, { at: at * 4, alpha: Math.round(part * 255) })
  }
  return { ...picture, bytes }
}

/** The distance of each pixel of a layer from the base, from 1 to `deepest`; 0 for pixels deeper inside and outside. */
function ringsOf({ width, height, of }: LayerMap): Uint8Array {
  // Diagonal steps count too: otherwise the background in a corner between two parts of a layer is too far from the base.
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
  const rings = new Uint8Array(of.length)
  let front: number[] = []
  for (let at = 0; at < of.length; at++) {
    const x = at % width
    const isBorder =
      of[at] &&
      ((x > 0 && !of[at - 1]) ||
        (x + 1 < width && !of[at + 1]) ||
        (at >= width && !of[at - width]) ||
        (at < width * (height - 1) && !of[at + width]))
    if (!isBorder) continue
    rings[at] = 1
    front.push(at)
  }
  for (let ring = 2; ring <= deepest; ring++) {
    const next: number[] = []
    for (const at of front)
      for (const step of around) {
        const beside = at + step
        if (!of[beside] || rings[beside]) continue
        rings[beside] = ring
        next.push(beside)
      }
    front = next
  }
  return rings
}

/** The nearest pixel of the same layer that no soft edge reaches. */
function insideOf(at: number, { width, of }: LayerMap, rings: Uint8Array): number | undefined {
  const steps = [1, -1, width, -width, width + 1, -width - 1, width - 1, 1 - width]
  for (let far = 1; far <= deepest + 2; far++)
    for (const step of steps) {
      const other = at + step * far
      if (of[other] === of[at] && rings[other] === 0) return other
    }
  return undefined
}

/** The share of the inside colour in a pixel, 0 to 1; undefined when the two colours are too similar. */
function partOf(
  { bytes, base }: { bytes: Uint8Array; base: Uint8Array },
  at: number,
  inside: number,
): number | undefined {
  let [along, whole] = [0, 0]
  for (let i = 0; i < 3; i++) {
    const span = (bytes[inside + i] ?? 0) - (base[at + i] ?? 0)
    along += ((bytes[at + i] ?? 0) - (base[at + i] ?? 0)) * span
    whole += span * span
  }
  return whole < 400 ? undefined : Math.min(1, Math.max(0, along / whole))
}

function isNear(a: Uint8Array, b: Uint8Array, at: number): boolean {
  return [0, 1, 2].every(i => Math.abs((a[at + i] ?? 0) - (b[at + i] ?? 0)) <= 8)
}

/** The colour that was found last; one array for all pixels saves a tenth of the time. */
const found = [0, 0, 0]

/** Sets alpha and colour of a pixel. Alphas near the measured one are tried until all channels are exact; otherwise the pixel stays opaque. */
function mixInto(bytes: Uint8Array, base: Uint8Array, { at, alpha }: { at: number; alpha: number }): void {
  if (alpha > 250) return
  for (let i = 0; i < 2 * leeway; i++) {
    const tried = alpha + (i % 2 === 0 ? i / 2 : -(i + 1) / 2)
    if (tried < 24 || tried > 254) continue
    if (!hasColour(found, { bytes, base, at, part: tried / 255 })) continue
    for (let c = 0; c < 3; c++) bytes[at + c] = found[c] ?? 0
    bytes[at + 3] = tried
    return
  }
}

/** Finds the colour that with this alpha over the base gives the picture's pixel, whether the sum is rounded or truncated. */
function hasColour(
  colour: number[],
  { bytes, base, at, part }: { bytes: Uint8Array; base: Uint8Array; at: number; part: number },
): boolean {
  for (let i = 0; i < 3; i++) {
    const [wanted, behind] = [bytes[at + i] ?? 0, (base[at + i] ?? 0) * (1 - part)]
    const value = Math.ceil((wanted + 0.02 - behind) / part)
    if (value < 0 || value > 255 || value * part + behind >= wanted + 0.48) return false
    colour[i] = value
  }
  return true
}
