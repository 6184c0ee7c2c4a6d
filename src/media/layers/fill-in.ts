import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/**
 * The picture without its layers, with the pixels behind them filled in: each missing pixel is between two
 * known ones in its row and two in its column, and the pair with the more similar colours has more weight, so
 * that a horizon continues behind a house. Where the layers are not opaque the base is empty, because it would
 * be visible there.
 */
export function filledIn(picture: Pixels, map: LayerMap): Pixels {
  const base: Pixels = { ...picture, bytes: picture.bytes.slice() }
  const { width, height } = picture
  const guess: Guess = { colours: new Uint8Array(width * height * 4), cost: new Float32Array(width * height) }
  for (let y = 0; y < height; y++)
    for (const run of runsOf({ start: y * width, step: 1, count: width }, map))
      fillRun(run, picture, at => lay(guess, at))
  for (let x = 0; x < width; x++)
    for (const run of runsOf({ start: x, step: width, count: height }, map))
      fillRun(run, picture, at => blend(guess, base.bytes, at))
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

/** Missing pixels of a row or column, and the known pixels before and after them. */
interface Run extends Line {
  before: number | undefined
  after: number | undefined
}

function runsOf({ start, step, count }: Line, { of }: LayerMap): Run[] {
  const runs: Run[] = []
  for (let i = 0; i < count; i++) {
    if (!of[start + i * step]) continue
    let end = i
    while (end < count && of[start + end * step]) end++
    runs.push({
      start: start + i * step,
      step,
      count: end - i,
      before: i > 0 ? start + outside({ start, step, count }, of, { from: i - 1, by: -1 }) * step : undefined,
      after:
        end < count ? start + outside({ start, step, count }, of, { from: end, by: 1 }) * step : undefined,
    })
    i = end
  }
  return runs
}

/** A known pixel that is far enough from the border to have no part of a soft edge. */
function outside(
  { start, step, count }: Line,
  of: Uint8Array,
  { from, by }: { from: number; by: 1 | -1 },
): number {
  let at = from
  for (let i = 0; i < 4; i++) {
    const next = at + by
    if (next < 0 || next >= count || of[start + next * step]) return at
    at = next
  }
  return at
}

const unknownCost = 90

/** The guessed colour of a pixel and its uncertainty: one object for all pixels, since there are millions. */
const guessed = { red: 0, green: 0, blue: 0, alpha: 0, cost: 0 }

function fillRun(
  { start, step, count, before, after }: Run,
  { bytes }: Pixels,
  take: (at: number) => void,
): void {
  const [first, last] = [before ?? after, after ?? before]
  if (first === undefined || last === undefined) return
  const isHalf = before === undefined || after === undefined
  const from = bytes.subarray(first * 4, first * 4 + 4)
  const to = bytes.subarray(last * 4, last * 4 + 4)
  const [r1 = 0, g1 = 0, b1 = 0, a1 = 0] = from
  const [r2 = 0, g2 = 0, b2 = 0, a2 = 0] = to
  const gap = Math.abs(r1 - r2) + Math.abs(g1 - g2) + Math.abs(b1 - b2) + Math.abs(a1 - a2)
  for (let i = 0; i < count; i++) {
    const way = (i + 1) / (count + 1)
    guessed.red = r1 * (1 - way) + r2 * way
    guessed.green = g1 * (1 - way) + g2 * way
    guessed.blue = b1 * (1 - way) + b2 * way
    guessed.alpha = a1 * (1 - way) + a2 * way
    const near = isHalf ? (before === undefined ? count - i : i + 1) : Math.min(i + 1, count - i)
    guessed.cost = 4 + gap + near * 0.06 + (isHalf ? unknownCost : 0)
    take(start + i * step)
  }
}

function lay({ colours, cost }: Guess, at: number): void {
  const { red, green, blue, alpha } = guessed
  colours[at * 4] = Math.round(red)
  colours[at * 4 + 1] = Math.round(green)
  colours[at * 4 + 2] = Math.round(blue)
  colours[at * 4 + 3] = Math.round(alpha)
  cost[at] = guessed.cost
}

/** Combines two guesses, weighted by the square of their certainty. */
function blend({ colours, cost }: Guess, bytes: Uint8Array, at: number): void {
  const { red, green, blue, alpha, cost: price } = guessed
  const other = cost[at] ?? 0
  const part = other === 0 ? 1 : (other * other) / (other * other + price * price)
  const here = at * 4
  const mixedAlpha = (colours[here + 3] ?? 0) * (1 - part) + alpha * part
  if ((bytes[here + 3] ?? 0) < 255 || mixedAlpha < 250) {
    bytes.fill(0, here, here + 4)
    return
  }
  bytes[here] = Math.round((colours[here] ?? 0) * (1 - part) + red * part)
  bytes[here + 1] = Math.round((colours[here + 1] ?? 0) * (1 - part) + green * part)
  bytes[here + 2] = Math.round((colours[here + 2] ?? 0) * (1 - part) + blue * part)
  bytes[here + 3] = 255
}
