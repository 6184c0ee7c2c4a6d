import type { Layer } from '../layers/measure-layers.ts'
import type { PointedPlace } from '../recipe.ts'
import type { Rgb } from '../video/yuv.ts'
import type { Removal, Side } from './removal-words.ts'

/** A picture's layers and its size in pixels. */
interface Found {
  layers: readonly Layer[]
  width: number
  height: number
}

/** Colours farther from the named one than this are another colour. The most is 441. */
const otherColour = 150

/** The layers that a prompt means: those it points at, else those at the side and of the colour that it names, else the most prominent one. */
export function removedLayers(
  { target, sides, colour }: Removal,
  found: Found,
  places: readonly PointedPlace[],
): Layer[] {
  const pointed = found.layers.filter(layer => places.some(place => isAt(layer, place, found)))
  if (pointed.length > 0) return pointed
  const near = found.layers
    .filter(layer => sides.every(side => isOn(layer, side, found)))
    .filter(layer => !colour || distance(layer.colour, colour) < otherColour)
  switch (target) {
    case 'all':
      return near
    case 'text':
      return lettersOf(near)
    case 'behind':
      return near.filter(layer => layer !== mostProminent(found.layers, found))
    case 'background':
      return []
    case 'thing': {
      const best = colour
        ? leastBy(near, layer => distance(layer.colour, colour) - 100 * prominence(layer, found))
        : mostProminent(near, found)
      return best ? [best] : []
    }
  }
}

/** The layers that stay when the background is removed: the most prominent one and those that are nearly as large. */
export function subjectOf(found: Found): Layer[] {
  const best = mostProminent(found.layers, found)
  return found.layers.filter(layer => best && layer.area >= best.area / 4)
}

/** Coordinates in a prompt are from 0 to 999 (Spec, "Limits"). */
function isAt(
  { box: [left, top, right, bottom] }: Layer,
  place: PointedPlace,
  { width, height }: Found,
): boolean {
  const [x, y] = [
    ((place.left + place.right) / 2 / 999) * width,
    ((place.top + place.bottom) / 2 / 999) * height,
  ]
  return x >= left && x < right && y >= top && y < bottom
}

function isOn(layer: Layer, side: Side, { width, height }: Found): boolean {
  const [x, y] = middleOf(layer)
  switch (side) {
    case 'left':
      return x < width * 0.45
    case 'right':
      return x > width * 0.55
    case 'top':
      return y < height * 0.45
    case 'foot':
      return y > height * 0.55
    case 'middle':
      return Math.abs(x / width - 0.5) < 0.22 && Math.abs(y / height - 0.5) < 0.3
  }
}

/** Three or more layers of about one height in a row look like letters, a flat one like a line of them. */
function lettersOf(layers: readonly Layer[]): Layer[] {
  const rows = layers.map(first => layers.filter(layer => isInRow(first, layer)))
  const longest = rows.reduce((best, row) => (row.length > best.length ? row : best), [])
  return longest.length >= 3
    ? longest
    : layers.filter(({ box: [l, t, r, b] }) => r - l > 4 * (b - t)).slice(0, 1)
}

function isInRow(one: Layer, other: Layer): boolean {
  const [high, tall] = [one, other].map(({ box }) => box[3] - box[1]) as [number, number]
  const away = Math.abs(middleOf(one)[1] - middleOf(other)[1])
  return away < 0.5 * high && tall < 2 * high && high < 2 * tall
}

function mostProminent(layers: readonly Layer[], found: Found): Layer | undefined {
  return leastBy(layers, layer => -prominence(layer, found))
}

/** The size of a layer as a part of the picture's sides, less at the edges of the picture. */
function prominence(layer: Layer, { width, height }: Found): number {
  const [x, y] = middleOf(layer)
  const off = Math.max(Math.abs(x / width - 0.5), Math.abs(y / height - 0.5))
  return Math.sqrt(layer.area / (width * height)) * (1 - off)
}

function middleOf({ box: [left, top, right, bottom] }: Layer): [x: number, y: number] {
  return [(left + right) / 2, (top + bottom) / 2]
}

function distance(a: Rgb, b: Rgb): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
}

function leastBy<T>(values: readonly T[], of: (value: T) => number): T | undefined {
  return values.reduce<T | undefined>(
    (best, value) => (best === undefined || of(value) < of(best) ? value : best),
    undefined,
  )
}
