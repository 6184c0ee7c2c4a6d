import { type Pixels, pictureOf } from '../render/pixels.ts'

/** The side of the small copy in which objects are searched and what is behind them is made. Pixels. */
const copySidePx = 360

/** A picture and a small copy of it, without its noise. */
export interface Sheet {
  picture: Pixels
  copy: Pixels
  /** The standard deviation of the picture's noise, in steps of 255. */
  noise: number
}

/** Noise in the copy, in steps of 255, that is removed, and noise that needs a larger filter. */
const [leastNoise, strongNoise] = [1, 4]

export async function sheetOf(picture: Pixels): Promise<Sheet> {
  const box = { width: copySidePx, height: copySidePx, fit: 'inside', withoutEnlargement: true } as const
  const copy = await ownPixels((await pictureOf(picture)).resize({ ...box, kernel: 'mitchell' }))
  const noise = noiseOf(copy)
  const clean = (await pictureOf(copy)).median(noise < strongNoise ? 3 : 5)
  return { picture, copy: noise < leastNoise ? copy : await ownPixels(clean), noise: noiseOf(picture) }
}

/** The pixels of a picture in a buffer of their own, which can be read as whole numbers. */
export async function ownPixels(picture: Awaited<ReturnType<typeof pictureOf>>): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const isAlone = data.byteOffset === 0 && data.byteLength === data.buffer.byteLength
  const bytes = isAlone ? new Uint8Array(data.buffer) : new Uint8Array(data)
  return { width: info.width, height: info.height, channels: info.channels, bytes }
}

/**
 * How much the pixels of a picture usually differ from their neighbours (green channel). Edges are few, so they do not count;
 * a texture counts as noise. Drawn pictures have 0.
 */
function noiseOf({ width, height, bytes }: Pixels): number {
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / 20_000)))
  const [found, row]: [number[], number] = [[], width * 4]
  const greenAt = (at: number) => bytes[at + 1] as number
  for (let y = 1; y < height - 1; y += stride)
    for (let x = 1; x < width - 1; x += stride) {
      const at = (y * width + x) * 4
      const around = greenAt(at - 4) + greenAt(at + 4) + greenAt(at - row) + greenAt(at + row)
      found.push(Math.abs(4 * greenAt(at) - around))
    }
  // Of noise with the deviation 1 this difference has the deviation of the root of 20, and six tenths of its values are below 0.84 times that.
  return (Float64Array.from(found).sort()[Math.ceil(found.length * 0.6) - 1] ?? 0) / (0.84 * Math.sqrt(20))
}

/**
 * A small picture with its missing pixels filled in. A missing pixel lies between two known ones in its row, and between two in its column.
 * The pair whose colours are more alike has more weight, so that a horizon continues behind a house.
 * @param missing a number above 0 for each pixel that is missing
 */
export function filledIn(copy: Pixels, missing: Uint8Array, noise: number): Pixels {
  const { width, height } = copy
  const filled = { ...copy, bytes: copy.bytes.slice() }
  const left = missing.slice()
  for (let isDone = false; !isDone; ) {
    const sums = new Float32Array(left.length * 5)
    const fill = (line: Line) => fillLine(line, { picture: filled, missing: left, sums })
    for (let y = 0; y < height; y++) fill({ start: y * width, step: 1, count: width })
    for (let x = 0; x < width; x++) fill({ start: x, step: width, count: height })
    const known = left.map((number, at) => (number && sums[at * 5 + 4] ? 1 : 0))
    known.forEach((isKnown, at) => {
      if (!isKnown) return
      for (let c = 0; c < 4; c++)
        filled.bytes[at * 4 + c] = Math.round((sums[at * 5 + c] as number) / (sums[at * 5 + 4] as number))
      left[at] = 0
    })
    // What is covered in its row and in its column is filled in from what was filled in before.
    isDone = !known.includes(1) || left.every(number => !number)
  }
  smooth(filled, missing, noise)
  return filled
}

/** A small picture at another size. */
export async function enlarged(small: Pixels, { width, height }: Pixels): Promise<Pixels> {
  return ownPixels((await pictureOf(small)).resize(width, height, { fit: 'fill', kernel: 'cubic' }))
}

interface Line {
  start: number
  step: number
  count: number
}

/** Adds to the sums of missing pixels in a row or column what its known ends say: colour times weight, and weight. */
function fillLine(
  { start, step, count }: Line,
  { picture, missing, sums }: { picture: Pixels; missing: Uint8Array; sums: Float32Array },
): void {
  for (let i = 0; i < count; i++) {
    if (!missing[start + i * step]) continue
    const from = i
    while (i < count && missing[start + i * step]) i++
    const first = endOf({ start: start + (from - 1) * step, step: -step, count: from }, picture, missing)
    const last = endOf({ start: start + i * step, step, count: count - i }, picture, missing)
    const [one, other] = [first ?? last, last ?? first]
    if (!one || !other) continue
    const gap = gapOf(one.colour, 0, other.colour, 0)
    for (let j = from; j < i; j++) {
      const way = (j - from + 1 + one.away) / (i - from + 1 + one.away + other.away)
      const near = !first ? i - j : !last ? j - from + 1 : Math.min(j - from + 1, i - j)
      const weight = 1 / (4 + gap + near * 0.2 + (first && last ? 0 : 90)) ** 2
      const at = (start + j * step) * 5
      for (let c = 0; c < 4; c++) {
        const value = (one.colour[c] as number) * (1 - way) + (other.colour[c] as number) * way
        sums[at + c] = (sums[at + c] as number) + value * weight
      }
      sums[at + 4] = (sums[at + 4] as number) + weight
    }
  }
}

/** Colours that differ by more than this (all channels together) are two things, or two sides of an edge. */
const sameThing = 60
/** How many known pixels an average has, and how many next to a layer are left out: they may hold a trace of it. */
const [mostKnown, skipped] = [6, 1]

/** The mean of known pixels from one end of a run, as far as they are similar, and their mean distance from it. */
function endOf({ start, step, count }: Line, { bytes }: Pixels, missing: Uint8Array): End | undefined {
  let free = 0
  while (free < Math.min(count, skipped + mostKnown) && !missing[start + free * step]) free++
  if (free === 0) return undefined
  const near = free > skipped + 1 ? skipped : 0
  const mean = new Float64Array(4)
  let taken = 0
  for (; taken < free - near; taken++) {
    const at = (start + (near + taken) * step) * 4
    if (taken > 0 && gapOf(mean, 0, bytes, at) > sameThing) break
    for (let c = 0; c < 4; c++)
      mean[c] = ((mean[c] as number) * taken + (bytes[at + c] as number)) / (taken + 1)
  }
  return { colour: mean, away: near + (taken - 1) / 2 }
}

interface End {
  /** Mean red, green, blue and alpha. */
  colour: Float64Array
  away: number
}

/**
 * How far the neighbours are from each other in one round after the other. In photographs rows and columns differ more, and would show as
 * bands and blocks: filled-in pixels far from each other are averaged there whatever their colours.
 */
const [drawnRounds, noisyRounds] = [[1], [24, 12, 6, 3, 1]]

/** Removes streaks from the filled-in pixels: each becomes the mean of two neighbours on each side, in rows and in columns. */
function smooth({ width, bytes }: Pixels, missing: Uint8Array, noise: number): void {
  for (const far of noise < 0.5 ? drawnRounds : noisyRounds)
    for (const by of [width, 1]) {
      const before = bytes.slice()
      for (let at = 0; at < missing.length; at++) {
        if (!missing[at]) continue
        // A row ends at the edge of the picture, a column at its first and last pixel.
        const first = by === 1 ? at - (at % width) : 0
        const last = by === 1 ? first + width : missing.length
        sums.fill(0)
        let count = 0
        for (let there = at - 2 * far * by; there <= at + 2 * far * by; there += far * by) {
          if (there < first || there >= last) continue
          if ((far === 1 || !missing[there]) && gapOf(before, at * 4, before, there * 4) > sameThing) continue
          for (let c = 0; c < 4; c++) sums[c] = (sums[c] as number) + (before[there * 4 + c] as number)
          count++
        }
        for (let c = 0; c < 4; c++) bytes[at * 4 + c] = Math.round((sums[c] as number) / count)
      }
    }
}

/** Sums of four channels; one array for all pixels. */
const sums = new Float64Array(4)

/** How much two colours differ, all channels together. */
function gapOf(one: ArrayLike<number>, a: number, other: ArrayLike<number>, b: number): number {
  let gap = 0
  for (let c = 0; c < 4; c++) gap += Math.abs((one[a + c] as number) - (other[b + c] as number))
  return gap
}
