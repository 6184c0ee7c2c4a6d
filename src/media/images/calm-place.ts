import type { Pixels } from '../render/pixels.ts'
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

/** How much a cell of a picture should stay visible: 0 is empty background, about 1 is a thing with many details. */
interface CareMap {
  columns: number
  rows: number
  care: Float64Array
}

/** Cells along the longer side of a picture, and points in each direction that are looked at in a cell. */
const [cells, points] = [40, 3]

/** A step in brightness or colour that is clearly visible, of 255. */
const clearStep = 40

/** A background changes less than this from one cell to the next. */
const gentleStep = 9

/** Smooth parts that reach the picture's edge are background, everything else is a thing. Channels: 3, or 4 with transparency. */
function careMap(picture: Pixels): CareMap {
  const scale = cells / Math.max(picture.width, picture.height)
  const columns = Math.max(1, Math.round(picture.width * scale))
  const rows = Math.max(1, Math.round(picture.height * scale))
  const looks = Array.from({ length: columns * rows }, (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)]
    const xs = pointsIn(column, columns, picture.width)
    return lookOf(picture, xs, pointsIn(row, rows, picture.height))
  })
  const isBackground = backgroundOf(looks, columns)
  const care = Float64Array.from(
    looks,
    ({ detail }, i) => Math.min(1, detail / clearStep) + (isBackground[i] ? 0 : 0.5),
  )
  return { columns, rows, care }
}

/** The points of a cell along one side of the picture. */
function pointsIn(cell: number, count: number, length: number): number[] {
  return pointOffsets.map(offset => Math.floor(((cell + offset) * length) / count))
}

const pointOffsets = Array.from({ length: points }, (_, i) => (i + 0.5) / points)

/** The mean colour of a cell, and the mean difference of its points from it in the channel that differs most. */
interface Look {
  red: number
  green: number
  blue: number
  detail: number
}

function lookOf(picture: Pixels, xs: readonly number[], ys: readonly number[]): Look {
  const [red, green, blue] = [0, 1, 2].map(channel => spreadOf(picture, { xs, ys, channel })) as [
    Spread,
    Spread,
    Spread,
  ]
  const detail = Math.max(red.spread, green.spread, blue.spread)
  return { red: red.mean, green: green.mean, blue: blue.mean, detail }
}

interface Spread {
  mean: number
  /** The mean difference from the mean. */
  spread: number
}

function spreadOf(
  { width, channels, bytes }: Pixels,
  { xs, ys, channel }: { xs: readonly number[]; ys: readonly number[]; channel: number },
): Spread {
  const values: number[] = []
  let sum = 0
  for (const y of ys) {
    for (const x of xs) {
      const at = (y * width + x) * channels
      // Transparent pixels count as equal.
      const isClear = channels === 4 && (bytes[at + 3] as number) < 16
      const value = isClear ? 255 : (bytes[at + (channels < 3 ? 0 : channel)] as number)
      values.push(value)
      sum += value
    }
  }
  const mean = sum / values.length
  let away = 0
  for (const value of values) away += Math.abs(value - mean)
  return { mean, spread: away / values.length }
}

/** Whether smooth cells without a step between them connect a cell with the edge of the picture. */
function backgroundOf(looks: readonly Look[], columns: number): boolean[] {
  const isReached = looks.map(() => false)
  const open: number[] = []
  const reach = (i: number) => {
    if (isReached[i] || (looks[i]?.detail ?? 255) >= gentleStep) return
    isReached[i] = true
    open.push(i)
  }
  const last = looks.length - columns
  looks.forEach((_, i) => {
    const column = i % columns
    if (column === 0 || column === columns - 1 || i < columns || i >= last) reach(i)
  })
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    const here = looks[i] as Look
    for (const next of besides(i, columns)) {
      const there = looks[next]
      if (there && step(here, there) < gentleStep) reach(next)
    }
  }
  return isReached
}

/** The cells above, below, at the left and at the right; some may lie outside the picture. */
function besides(i: number, columns: number): number[] {
  const column = i % columns
  return [i - columns, i + columns, column > 0 ? i - 1 : -1, column < columns - 1 ? i + 1 : -1]
}

function step(a: Look, b: Look): number {
  return Math.max(Math.abs(a.red - b.red), Math.abs(a.green - b.green), Math.abs(a.blue - b.blue))
}
