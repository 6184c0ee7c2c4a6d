import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/**
 * The picture with its layers taken out and what was behind them filled in from around: each missing pixel lies between two known
 * ones in its row and two in its column, and the pair that agrees more counts more, so a horizon goes on behind a house. Where the
 * layers are not opaque the base is empty, since anything there would show through.
 */
export function filledIn(picture: Pixels, map: LayerMap): Pixels {
  const base: Pixels = { ...picture, bytes: Uint8Array.from(picture.bytes) }
  const { width, height } = picture
  const guess: Guess = { colours: new Uint8Array(width * height * 4), cost: new Float32Array(width * height) }
  for (let y = 0; y < height; y++)
    walkLine({ start: y * width, step: 1, count: width }, { picture, map }, lay(guess))
  for (let x = 0; x < width; x++)
    walkLine({ start: x, step: width, count: height }, { picture, map }, blend(guess, base))
  return base
}

interface Guess {
  colours: Uint8Array
  cost: Float32Array
}

interface Line {
  start: number
  step: number
  count: number
}

type Take = (at: number, colour: readonly number[], cost: number) => void

/** Finds the runs of missing pixels in a row or column and hands on what lies between their known ends. */
function walkLine(
  { start, step, count }: Line,
  { picture, map }: { picture: Pixels; map: LayerMap },
  take: Take,
): void {
  // Some pixels off the border, where no soft edge mixes in.
  const outside = (from: number, by: number) => {
    let at = from
    for (let i = 0; i < 4; i++) {
      const next = at + by
      if (next < 0 || next >= count || map.of[start + next * step]) return at
      at = next
    }
    return at
  }
  for (let i = 0; i < count; i++) {
    if (!map.of[start + i * step]) continue
    let end = i
    while (end < count && map.of[start + end * step]) end++
    const before = i > 0 ? start + outside(i - 1, -1) * step : undefined
    const after = end < count ? start + outside(end, 1) * step : undefined
    fillRun({ start: start + i * step, step, count: end - i }, { before, after, picture }, take)
    i = end
  }
}

const unknownCost = 90
const colour = [0, 0, 0, 0]

function fillRun(
  { start, step, count }: Line,
  { before, after, picture }: { before: number | undefined; after: number | undefined; picture: Pixels },
  take: Take,
): void {
  const [first, last] = [before ?? after, after ?? before]
  if (first === undefined || last === undefined) return
  const { bytes } = picture
  const isHalf = before === undefined || after === undefined
  let gap = 0
  for (let i = 0; i < 4; i++) gap += Math.abs((bytes[first * 4 + i] ?? 0) - (bytes[last * 4 + i] ?? 0))
  for (let i = 0; i < count; i++) {
    const way = (i + 1) / (count + 1)
    for (let c = 0; c < 4; c++)
      colour[c] = (bytes[first * 4 + c] ?? 0) * (1 - way) + (bytes[last * 4 + c] ?? 0) * way
    const near = isHalf ? (before === undefined ? count - i : i + 1) : Math.min(i + 1, count - i)
    take(start + i * step, colour, 4 + gap + near * 0.06 + (isHalf ? unknownCost : 0))
  }
}

function lay({ colours, cost }: Guess): Take {
  return (at, guessed, price) => {
    for (let i = 0; i < 4; i++) colours[at * 4 + i] = Math.round(guessed[i] ?? 0)
    cost[at] = price
  }
}

/** The second guess joins the first, by the square of how much it can be trusted. */
function blend({ colours, cost }: Guess, { bytes }: Pixels): Take {
  return (at, second, price) => {
    const other = cost[at] ?? 0
    const part = other === 0 ? 1 : (other * other) / (other * other + price * price)
    const mixed = (i: number) => (colours[at * 4 + i] ?? 0) * (1 - part) + (second[i] ?? 0) * part
    const isEmpty = (bytes[at * 4 + 3] ?? 0) < 255 || mixed(3) < 250
    for (let i = 0; i < 3; i++) bytes[at * 4 + i] = isEmpty ? 0 : Math.round(mixed(i))
    bytes[at * 4 + 3] = isEmpty ? 0 : 255
  }
}
