import type { Pixels } from '../render/pixels.ts'
import type { LayerMap } from './layer-map.ts'

/**
 * The picture without its layers, with the pixels behind them filled in. A missing pixel lies between two known ones in its row, and
 * between two in its column. The pair whose colours are more alike has more weight, so that a horizon continues behind a house. Where a
 * layer covers a whole row, only the column is used, and the other way round; where it covers both, what was filled in before is used.
 * Where the layers are not opaque, the base stays empty, because one would see it.
 * @param noise of the picture, in steps of 255: the more there is, the more known pixels are averaged
 */
export function filledIn(picture: Pixels, map: LayerMap, noise: number): Pixels {
  const base: Pixels = { ...picture, bytes: picture.bytes.slice() }
  const { width, height } = picture
  const guess: Guess = { colours: new Uint8Array(width * height * 4), cost: new Float32Array(width * height) }
  for (let y = 0; y < height; y++)
    for (const run of runsOf({ start: y * width, step: 1, count: width }, map))
      fillRun(run, { picture, map, noise }, at => lay(guess, at))
  for (let x = 0; x < width; x++)
    for (const run of runsOf({ start: x, step: width, count: height }, map))
      fillRun(run, { picture, map, noise }, at => blend(guess, at))
  let [isFilled, isMissing] = [false, false]
  for (let at = 0; at < map.of.length; at++) {
    if (!map.of[at]) continue
    if (guess.cost[at]) {
      take(guess, base.bytes, at)
      isFilled = true
    } else isMissing = true
  }
  if (!isFilled || !isMissing) return base
  const left = map.of.map((number, at) => (guess.cost[at] ? 0 : number))
  return filledIn(base, { ...map, of: left }, noise)
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

/** Missing pixels of a row or column, and the numbers of pixels of that line before and after them. */
interface MissingRun extends Line {
  before: number
  after: number
}

function runsOf({ start, step, count }: Line, { of }: LayerMap): MissingRun[] {
  const runs: MissingRun[] = []
  for (let i = 0; i < count; i++) {
    if (!of[start + i * step]) continue
    let end = i
    while (end < count && of[start + end * step]) end++
    runs.push({ start: start + i * step, step, count: end - i, before: i, after: count - end })
    i = end
  }
  return runs
}

/** The mean colour of known pixels at one end of a run, and their mean distance from it. */
interface End {
  colour: readonly [red: number, green: number, blue: number, alpha: number]
  away: number
}

interface Known {
  picture: Pixels
  map: LayerMap
  noise: number
}

/** Known pixels that differ by more than this from the first ones (all channels together) belong to something else. */
const sameThing = 60

/** How many known pixels next to a layer are left out, where enough others exist: they may hold a trace of the layer. */
const skipped = 3
/** The least number of known pixels in an average, where that many exist. */
const fewest = 4

/** The mean of known pixels near `start`, as far as they are similar. */
function endOf(
  { start, step, count }: Line,
  { picture: { bytes }, map: { of }, noise }: Known,
): End | undefined {
  const most = fewest + Math.round(3 * noise)
  let free = 0
  while (free < Math.min(count, skipped + most) && !of[start + free * step]) free++
  if (free === 0) return undefined
  const near = Math.max(0, Math.min(skipped, free - fewest))
  let [red, green, blue, alpha, taken] = [0, 0, 0, 0, 0]
  for (let at = (start + near * step) * 4; taken < free - near; at += step * 4, taken++) {
    const [r, g] = [bytes[at] as number, bytes[at + 1] as number]
    const [b, a] = [bytes[at + 2] as number, bytes[at + 3] as number]
    const gap =
      Math.abs(r - red / taken) +
      Math.abs(g - green / taken) +
      Math.abs(b - blue / taken) +
      Math.abs(a - alpha / taken)
    if (taken >= fewest && gap > sameThing + 6 * noise) break
    red += r
    green += g
    blue += b
    alpha += a
  }
  return {
    colour: [red / taken, green / taken, blue / taken, alpha / taken],
    away: near + (taken - 1) / 2,
  }
}

const unknownCost = 90

/** The guessed colour of a pixel and its uncertainty: one object for all pixels, since there are millions. */
const guessed = { red: 0, green: 0, blue: 0, alpha: 0, cost: 0 }

/** Guesses the pixels of a run, from one end or both. Where it has none, nothing is guessed. */
function fillRun(
  { start, step, count, before, after }: MissingRun,
  known: Known,
  take: (at: number) => void,
): void {
  const first = endOf({ start: start - step, step: -step, count: before }, known)
  const last = endOf({ start: start + count * step, step, count: after }, known)
  const [from, to] = [first ?? last, last ?? first]
  if (!from || !to) return
  const isHalf = !first || !last
  const [r1, g1, b1, a1] = from.colour
  const [r2, g2, b2, a2] = to.colour
  const gap = Math.abs(r1 - r2) + Math.abs(g1 - g2) + Math.abs(b1 - b2) + Math.abs(a1 - a2)
  for (let i = 0; i < count; i++) {
    const way = (i + 1 + from.away) / (count + 1 + from.away + to.away)
    guessed.red = r1 * (1 - way) + r2 * way
    guessed.green = g1 * (1 - way) + g2 * way
    guessed.blue = b1 * (1 - way) + b2 * way
    guessed.alpha = a1 * (1 - way) + a2 * way
    const near = isHalf ? (first ? i + 1 : count - i) : Math.min(i + 1, count - i)
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

/** Combines the guess with the one before, weighted by the square of their certainty. */
function blend(guess: Guess, at: number): void {
  const { colours, cost } = guess
  const other = cost[at] as number
  const part = (guessed.cost * guessed.cost) / (other * other + guessed.cost * guessed.cost)
  if (other > 0) {
    guessed.red += ((colours[at * 4] as number) - guessed.red) * part
    guessed.green += ((colours[at * 4 + 1] as number) - guessed.green) * part
    guessed.blue += ((colours[at * 4 + 2] as number) - guessed.blue) * part
    guessed.alpha += ((colours[at * 4 + 3] as number) - guessed.alpha) * part
  }
  lay(guess, at)
}

/** Takes a guess over into the base. */
function take({ colours }: Guess, bytes: Uint8Array, at: number): void {
  const here = at * 4
  const isEmpty = (bytes[here + 3] as number) < 255 || (colours[here + 3] as number) < 250
  for (let i = here; i < here + 3; i++) bytes[i] = isEmpty ? 0 : (colours[i] as number)
  bytes[here + 3] = isEmpty ? 0 : 255
}
