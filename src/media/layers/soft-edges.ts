import type { Pixels } from '../render/pixels.ts'
import type { Sheet } from './fill-in.ts'
import type { ObjectMap } from './objects.ts'

/** What a cell of a map is at the soft edge of its object: nothing, background that the object has taken, or inside the object. */
const edge = { none: 0, outer: 1, inner: 2 } as const

/** How far a soft edge reaches to both sides, in cells. */
const [innerReach, outerReach] = [3, 4]
/** A colour inside an object is looked for up to this many cells away. */
const farthest = 12

/** The soft edges of a map. */
export interface SoftEdges {
  /** One of the numbers of `edge` for each cell. */
  of: Uint8Array
  /** For each cell a near one of the same object that no soft edge reaches; -1 where there is none. */
  inside: Int32Array
}

/** Finds the soft edges of all objects, and lets the objects grow over them, so that no mixed colours remain in the base. Changes the map. */
export function softEdgesOf(map: ObjectMap): SoftEdges {
  const objects = map.of
  const edges = new Uint8Array(objects.length)
  spread(map, { cells: edges, steps: innerReach }, (at, near) =>
    objects[at] && !edges[at] && (!objects[near] || edges[near]) ? edge.inner : undefined,
  )
  const inside = Int32Array.from(objects, (number, at) => (number && !edges[at] ? at : -1))
  spread(map, { cells: objects, steps: outerReach }, (at, near) =>
    objects[at] === 0 && objects[near] ? objects[near] : undefined,
  )
  objects.forEach((number, at) => {
    if (number && !edges[at] && inside[at] === -1) edges[at] = edge.outer
  })
  spread(map, { cells: inside, steps: farthest }, (at, near) =>
    objects[at] && inside[at] === -1 && inside[near] !== -1 && objects[near] === objects[at]
      ? inside[near]
      : undefined,
  )
  return { of: edges, inside }
}

/**
 * Gives cells new values from their neighbours, step by step. Every second step includes corners: squares and rhombs in turn keep the
 * distance about equal in all directions.
 */
function spread(
  { width, height }: ObjectMap,
  { cells, steps }: { cells: Uint8Array | Int32Array; steps: number },
  valueFrom: (at: number, near: number) => number | undefined,
): void {
  let front: Iterable<number> = cells.keys()
  for (let step = 0; step < steps; step++) {
    const changes = new Map<number, number>()
    for (const near of front) {
      const [x, y] = [near % width, Math.floor(near / width)]
      for (const [dx, dy] of step % 2 === 0 ? straight : corners) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
        const at = near + dy * width + dx
        const value = valueFrom(at, near)
        if (value !== undefined) changes.set(at, value)
      }
    }
    for (const [at, value] of changes) cells[at] = value
    front = changes.keys()
  }
}

const straight = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
] as const
const corners = [...straight, [-1, -1], [1, -1], [-1, 1], [1, 1]] as const

/** All layers at their places in a picture, and the number of the layer of each pixel. */
export interface AllLayers extends ObjectMap {
  bytes: Uint8Array
}

/**
 * Divides the pixels of a picture into its layers and its base, which has so far what is behind the layers. A pixel at a soft edge gets the alpha
 * of the mixture of its layer and the base, and the colour that over the base gives exactly the picture's pixel.
 */
export function cutApart(
  { picture: { width, height, bytes: seen }, copy, noise }: Sheet,
  { bytes: base }: Pixels,
  { map, edges }: { map: ObjectMap; edges: SoftEdges },
): AllLayers {
  const all = { width, height, of: new Uint8Array(width * height), bytes: new Uint8Array(seen.length) }
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * map.height) / height) * map.width
    for (let x = 0; x < width; x++, at += 4) {
      const cell = row + Math.floor((x * map.width) / width)
      const isClear = seen[at + 3] !== 255 || (base[at + 3] as number) < 250
      const isSoft = edges.of[cell] !== edge.none && !isClear
      if (!map.of[cell] || (isSoft && isBackground(seen, base, at, noise))) {
        for (let c = at; c < at + 4; c++) base[c] = seen[c] as number
        continue
      }
      all.of[at / 4] = map.of[cell] as number
      for (let c = at; c < at + 4; c++) all.bytes[c] = seen[c] as number
      // Behind a layer that is not opaque the base stays empty, because one would see it.
      if (isClear) base.fill(0, at, at + 4)
      else base[at + 3] = 255
      if (!isSoft) continue
      const near = edges.inside[cell] as number
      const part = near === -1 ? undefined : partOf({ seen, base, at }, copy.bytes, near * 4)
      const isOuter = edges.of[cell] === edge.outer
      if (part === undefined && !isOuter) continue
      const alpha = Math.round((part ?? 0) * 255)
      // Beside a layer darker colours are its shadow, unless they are very dark. Inside they are details.
      mixInto(all.bytes, { seen, base, at }, { alpha, most: Math.max(isOuter ? darkest : 0, alpha + leeway) })
    }
  }
  return all
}

/** The largest alpha of a shadow. */
const darkest = 140

/** Whether a pixel at a soft edge has the colour of the base, apart from noise. */
function isBackground(seen: Uint8Array, base: Uint8Array, at: number, noise: number): boolean {
  for (let c = at; c < at + 3; c++)
    if (Math.abs((seen[c] as number) - (base[c] as number)) > 1 + noise / 2) return false
  return true
}

/** A pixel in a picture and in its base. */
interface Place {
  seen: Uint8Array
  base: Uint8Array
  at: number
}

/** The share of the colour inside the layer in a pixel, 0 to 1; undefined when that colour and the base are too similar. */
function partOf({ seen, base, at }: Place, copy: Uint8Array, inside: number): number | undefined {
  let [along, whole] = [0, 0]
  for (let c = 0; c < 3; c++) {
    const behind = base[at + c] as number
    const span = (copy[inside + c] as number) - behind
    along += ((seen[at + c] as number) - behind) * span
    whole += span * span
  }
  return whole < 400 ? undefined : Math.min(1, Math.max(0, along / whole))
}

/** The alpha of a pixel may differ by this much from the measured one, if the picture is exact only then. */
const leeway = 48
/** Below this alpha a colour with whole numbers would be too coarse. */
const faintest = 6

/**
 * Sets alpha and colour of a layer's pixel. Alphas near the measured one are tried until all channels are exact, from the least one with
 * which a colour can be exact; otherwise, or if that one is above `most`, the pixel stays opaque.
 */
function mixInto(bytes: Uint8Array, place: Place, { alpha, most }: { alpha: number; most: number }): void {
  if (alpha > 250) return
  const least = leastAlpha(place)
  if (least > most) return
  const start = Math.max(alpha, least)
  for (let i = 0; i < 2 * leeway; i++) {
    const tried = start + (i % 2 === 0 ? i / 2 : -(i + 1) / 2)
    if (tried < least || tried > 254 || !hasColour(place, tried / 255)) continue
    for (let c = 0; c < 3; c++) bytes[place.at + c] = found[c] as number
    bytes[place.at + 3] = tried
    return
  }
}

/** The least alpha with which black, white or a pure colour over the base can give the picture's pixel. */
function leastAlpha({ seen, base, at }: Place): number {
  let part = 0
  for (let c = at; c < at + 3; c++) {
    const [behind, away] = [base[c] as number, (seen[c] as number) - (base[c] as number)]
    part = Math.max(part, away > 0 ? away / (255 - behind) : -away / Math.max(1, behind))
  }
  return Math.max(faintest, Math.floor(part * 255))
}

/** The colour that was found last; one array for all pixels saves a tenth of the time. */
const found = [0, 0, 0]

/** Finds the colour that with this alpha over the base gives the picture's pixel, whether the sum is rounded or truncated. */
function hasColour({ seen, base, at }: Place, part: number): boolean {
  for (let c = 0; c < 3; c++) {
    const [wanted, behind] = [seen[at + c] as number, (base[at + c] as number) * (1 - part)]
    const value = Math.ceil((wanted + 0.02 - behind) / part)
    if (value < 0 || value > 255 || value * part + behind >= wanted + 0.48) return false
    found[c] = value
  }
  return true
}
