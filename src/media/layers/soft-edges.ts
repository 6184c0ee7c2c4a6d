import type { Pixels } from '../render/pixels.ts'
import type { LayerMap } from './layer-map.ts'

/** The mean colour around a pixel differs by less than this from the base's when it is only background. */
const invisible = 2.5

/** The largest alpha of a shadow. */
const darkest = 140

/** A picture, its base, the map of its layers and their soft edges. */
interface Sheets {
  picture: Pixels
  base: Pixels
  map: LayerMap
  edges: Edges
}

/**
 * Gives the layers soft edges: a pixel near a border that is a mixture of its layer and the background gets
 * the alpha of that mixture, and the colour that over the base gives exactly the picture's pixel. Changes
 * `base` where a pixel is only background. The result has the layers' pixels at their places in the picture.
 * @param noise of the picture, in steps of 255
 */
export function softEdged(sheets: Sheets, noise: number): Pixels {
  const { picture, base, edges } = sheets
  const bytes = picture.bytes.slice()
  const background: number[] = []
  for (let at = 0; at < edges.length; at++) {
    if (!edges[at] || picture.bytes[at * 4 + 3] !== 255 || base.bytes[at * 4 + 3] !== 255) continue
    if (isBackground(at, sheets, noise)) {
      background.push(at)
      continue
    }
    const alpha = alphaOf(at, sheets)
    if (alpha === undefined) continue
    // Beside a layer darker colours are its shadow, unless they are very dark. Inside they are details.
    const most = edges[at] === edge.outer ? Math.max(darkest, alpha + leeway) : alpha + leeway
    mixInto(bytes, base.bytes, { at: at * 4, alpha, most })
  }
  // Only now: until here the pixels around them are compared with the base as it was filled in.
  for (const at of background) {
    for (let i = at * 4; i < at * 4 + 4; i++) {
      base.bytes[i] = picture.bytes[i] as number
      bytes[i] = 0
    }
  }
  return { ...picture, bytes }
}

/** The alpha of a mixture, 0 to 255; undefined for a pixel that is only its layer's. */
function alphaOf(at: number, { picture, base, map, edges }: Sheets): number | undefined {
  const inside = insideOf(at, map, edges)
  const part = inside && partOf(picture.bytes, base.bytes, { at: at * 4, inside: inside * 4 })
  if (part !== undefined) return Math.round(part * 255)
  return edges[at] === edge.outer ? 0 : undefined
}

/** Whether a pixel and its layer's pixels around it have the colours of the base, apart from noise. */
function isBackground(
  at: number,
  { picture: { width, height, bytes }, base, map: { of } }: Sheets,
  noise: number,
): boolean {
  const before = base.bytes
  let most = 0
  for (let i = at * 4; i < at * 4 + 3; i++)
    most = Math.max(most, Math.abs((bytes[i] as number) - (before[i] as number)))
  if (most > 8 + 5 * noise) return false
  if (most <= 1 && noise < 0.5) return true
  const side = noise < 0.5 ? 2 : 4
  const [x, y] = [at % width, Math.floor(at / width)]
  let [red, green, blue, count] = [0, 0, 0, 0]
  for (let dy = -side; dy <= side; dy += 2)
    for (let dx = -side; dx <= side; dx += 2) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
      const other = at + dy * width + dx
      if (!of[other]) continue
      red += (bytes[other * 4] as number) - (before[other * 4] as number)
      green += (bytes[other * 4 + 1] as number) - (before[other * 4 + 1] as number)
      blue += (bytes[other * 4 + 2] as number) - (before[other * 4 + 2] as number)
      count++
    }
  const limit = count * (invisible + noise / 4)
  return Math.abs(red) <= limit && Math.abs(green) <= limit && Math.abs(blue) <= limit
}

/** The colour inside a layer is looked for up to this many pixels away. */
const farthest = 60

/** A near pixel of the same layer that no soft edge reaches. */
function insideOf(at: number, { width, of }: LayerMap, edges: Edges): number | undefined {
  const steps = [1, -1, width, -width, width + 1, -width - 1, width - 1, 1 - width]
  // Farther away, larger steps are exact enough.
  for (let far = 1; far <= farthest; far += 1 + (far >> 2))
    for (const step of steps) {
      const other = at + step * far
      if (of[other] === of[at] && edges[other] === edge.none) return other
    }
  return undefined
}

/** The share of the inside colour in a pixel, 0 to 1; undefined when the two colours are too similar. */
function partOf(
  bytes: Uint8Array,
  base: Uint8Array,
  { at, inside }: { at: number; inside: number },
): number | undefined {
  let [along, whole] = [0, 0]
  for (let i = 0; i < 3; i++) {
    const span = (bytes[inside + i] ?? 0) - (base[at + i] ?? 0)
    along += ((bytes[at + i] ?? 0) - (base[at + i] ?? 0)) * span
    whole += span * span
  }
  return whole < 400 ? undefined : Math.min(1, Math.max(0, along / whole))
}

/** The alpha of a pixel inside its layer may differ by this much from the measured one, if the picture is exact only then. */
const leeway = 48
/** Below this alpha a colour with whole numbers would be too coarse. */
const faintest = 6

/**
 * Sets alpha and colour of a pixel. Alphas near the measured one are tried until all channels are exact, from the least one with which
 * a colour can be exact; otherwise, or if that one is above `most`, the pixel stays opaque.
 */
function mixInto(
  bytes: Uint8Array,
  base: Uint8Array,
  { at, alpha, most }: { at: number; alpha: number; most: number },
): void {
  if (alpha > 250) return
  const least = leastAlpha(bytes, base, at)
  if (least > most) return
  const start = Math.max(alpha, least)
  for (let i = 0; i < 2 * leeway; i++) {
    const tried = start + (i % 2 === 0 ? i / 2 : -(i + 1) / 2)
    if (tried < least || tried > 254) continue
    if (!hasColour(found, { bytes, base, at, part: tried / 255 })) continue
    for (let c = 0; c < 3; c++) bytes[at + c] = found[c] ?? 0
    bytes[at + 3] = tried
    return
  }
}

/** The colour that was found last; one array for all pixels saves a tenth of the time. */
const found = [0, 0, 0]

/** The least alpha with which black, white or a pure colour over the base can give the picture's pixel. */
function leastAlpha(bytes: Uint8Array, base: Uint8Array, at: number): number {
  let part = 0
  for (let i = at; i < at + 3; i++) {
    const away = (bytes[i] as number) - (base[i] as number)
    part = Math.max(
      part,
      away > 0 ? away / (255 - (base[i] as number)) : -away / Math.max(1, base[i] as number),
    )
  }
  return Math.max(faintest, Math.floor(part * 255))
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

/** What a pixel is at a soft edge: nothing, background that its layer has taken, or inside the layer. */
const edge = { none: 0, outer: 1, inner: 2 } as const

/** One of the numbers of `edge` for each pixel. */
type Edges = Uint8Array

/** How far a soft edge reaches to both sides: this many pixels, and this part of the picture's longer side. */
const [leastReach, reachPart] = [3, 0.004]

/**
 * Lets each layer grow over its soft edge, so that no mixed colours remain in the base. Changes the map, and returns the
 * pixels of the soft edges.
 */
export function growOverEdges(map: LayerMap): Edges {
  const { of } = map
  const border = borderOf(map)
  const numbers = border.map(at => beside(map, at))
  const reach = leastReach + Math.round(Math.max(map.width, map.height) * reachPart)
  const edges = new Uint8Array(of.length)
  spread(map, { open: border, steps: reach + 1 }, at => {
    if (!of[at] || edges[at]) return false
    edges[at] = edge.inner
    return true
  })
  border.forEach((at, i) => {
    of[at] = numbers[i] as number
    edges[at] = edge.outer
  })
  spread(map, { open: border, steps: reach }, (at, from) => {
    if (of[at]) return false
    of[at] = of[from] as number
    edges[at] = edge.outer
    return true
  })
  return edges
}

/** The pixels of the base that touch a layer, from the top to the foot. */
function borderOf({ width, height, of }: LayerMap): number[] {
  const border = new Set<number>()
  const look = (at: number, other: number) => {
    if (of[at] === 0) border.add(at)
    else if (of[other] === 0) border.add(other)
  }
  // Pixels are compared with their right and lower neighbours only, which takes a third of the time.
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (x + 1 < width && of[at] !== of[at + 1]) look(at, at + 1)
      if (y + 1 < height && of[at] !== of[at + width]) look(at, at + width)
    }
  return [...border].sort((a, b) => a - b)
}

/** The layer of a neighbour above, below, at the left or at the right; 0 when there is none. */
function beside({ width, of }: LayerMap, at: number): number {
  const x = at % width
  return (x > 0 && of[at - 1]) || (x + 1 < width && of[at + 1]) || of[at - width] || of[at + width] || 0
}

/** Walks from pixel to pixel. `take` says whether a pixel is reached. */
function spread(
  map: LayerMap,
  { open, steps }: { open: readonly number[]; steps: number },
  take: (at: number, from: number) => boolean,
): void {
  let front = open
  // Every second step includes corners: squares and rhombs in turn keep the distance about equal in all directions.
  for (let step = 1; step < steps && front.length > 0; step++)
    front = front.flatMap(from =>
      around(map, from, step % 2 === 0 ? corners : straight).filter(at => take(at, from)),
    )
}

const straight = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
] as const
const corners = [...straight, [-1, -1], [1, -1], [-1, 1], [1, 1]] as const

function around(
  { width, height }: LayerMap,
  at: number,
  steps: readonly (readonly [number, number])[],
): number[] {
  const [x, y] = [at % width, Math.floor(at / width)]
  const found: number[] = []
  for (const [dx, dy] of steps)
    if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) found.push(at + dy * width + dx)
  return found
}
