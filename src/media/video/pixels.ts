import type { Piece, Rgb } from './yuv.ts'

/** Pixels of `channels` bytes each, of which the first three are red, green and blue. */
export interface Pixels {
  width: number
  height: number
  channels: number
  bytes: Buffer
}

/** Copies whole rows within a picture. */
export function copyRows(
  { width, channels, bytes }: Pixels,
  rows: { from: number; to: number; count: number },
): void {
  const line = width * channels
  bytes.copyWithin(rows.to * line, rows.from * line, (rows.from + rows.count) * line)
}

/** A rectangle of a picture, as a picture of its own. */
export function cutOut(
  { width: whole, channels, bytes }: Pixels,
  { left, top, width, height }: Piece,
): Pixels {
  const lines = Array.from({ length: height }, (_, y) => {
    const start = ((top + y) * whole + left) * channels
    return bytes.subarray(start, start + width * channels)
  })
  return { width, height, channels, bytes: Buffer.concat(lines) }
}

/** Puts a small picture into a large one; transparency is not looked at. */
export function paste(small: Pixels, large: Pixels, { left, top }: { left: number; top: number }): void {
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const from = (y * small.width + x) * small.channels
      const to = ((top + y) * large.width + left + x) * large.channels
      for (let i = 0; i < 3; i++) large.bytes[to + i] = small.bytes[from + i] as number
    }
  }
}

/** The average colour of some rows, from a part of their pixels. */
export function average(
  { width, channels, bytes }: Pixels,
  { top, rows }: { top: number; rows: number },
): Rgb {
  const sum: [number, number, number] = [0, 0, 0]
  let count = 0
  const end = (top + rows) * width
  for (let at = top * width; at < end; at += 37) {
    for (const i of [0, 1, 2] as const) sum[i] += bytes[at * channels + i] as number
    count++
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count]
}
