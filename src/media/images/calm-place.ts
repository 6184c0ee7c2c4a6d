import type { Pixels } from '../video/pixels.ts'
import { type CareMap, careMap } from './care-map.ts'
import type { Frame } from './places.ts'

/** The places of a picture that a plate may have, in pixels. */
export interface Room {
  width: number
  height: number
  /** The distance from the edges. */
  margin: number
}

/**
 * The spot at an edge of the picture where a plate of this size hides least: smooth parts that reach the picture's edge are
 * background, everything else is not. Of equal spots the first one is taken: lower left, upper left, lower right and so on.
 * @param picture with 3 channels, or 4 with transparency; it may be smaller than the room, which it fills or, in `frame`, fills in part.
 * @param taken parts of the room that must stay visible
 */
export function calmPlace(
  room: Room,
  size: { width: number; height: number },
  { picture, frame, taken }: { picture: Pixels; frame: Frame; taken: readonly Frame[] },
): { left: number; top: number } {
  const map = careMap(picture)
  const costs = spots(room, size).map((spot, i) => {
    const place = { ...spot, ...size }
    const isTaken = taken.some(other => meet(place, other))
    return { spot, cost: hidden(map, place, frame) + i * 0.01 + (isTaken ? 10 : 0) }
  })
  return costs.reduce((best, each) => (each.cost < best.cost ? each : best)).spot
}

/** The four corners, then the middles of the edges. */
function spots({ width, height, margin }: Room, size: { width: number; height: number }) {
  const [left, top] = [margin, margin]
  const [right, bottom] = [width - margin - size.width, height - margin - size.height]
  const [across, down] = [(width - size.width) / 2, (height - size.height) / 2]
  const all = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
    [across, bottom],
    [across, top],
    [left, down],
    [right, down],
  ] as const
  return all.map(([x, y]) => ({ left: Math.round(x), top: Math.round(y) }))
}

/** The mean importance of the cells under a place; 0 outside the frame. */
function hidden({ columns, rows, care }: CareMap, place: Frame, frame: Frame): number {
  const wide = frame.width / columns
  const high = frame.height / rows
  let sum = 0
  for (let row = 0; row < rows; row++) {
    const top = frame.top + row * high
    const tall = Math.min(top + high, place.top + place.height) - Math.max(top, place.top)
    for (let column = 0; tall > 0 && column < columns; column++) {
      const left = frame.left + column * wide
      const across = Math.min(left + wide, place.left + place.width) - Math.max(left, place.left)
      if (across > 0) sum += (care[row * columns + column] as number) * across * tall
    }
  }
  return sum / (place.width * place.height)
}

function meet(a: Frame, b: Frame): boolean {
  const isBeside = a.left + a.width <= b.left || b.left + b.width <= a.left
  return !isBeside && a.top + a.height > b.top && b.top + b.height > a.top
}
