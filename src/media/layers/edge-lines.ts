import type { LayerMap } from './layer-map.ts'
import type { Pixels } from './pixels.ts'

/** A line that leaves a layer at right angles. */
export interface EdgeLine {
  layer: number
  /** The direction away from the layer, of length 1. */
  across: number
  down: number
}

/** The direction that leads away from the layer beside a base pixel. */
export function lineFrom(at: number, { width, height, of }: LayerMap): EdgeLine | undefined {
  const [x, y] = [at % width, Math.floor(at / width)]
  let [across, down, layer] = [0, 0, 0]
  for (let dy = -3; dy <= 3; dy++)
    for (let dx = -3; dx <= 3; dx++) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
      const other = of[at + dy * width + dx] as number
      if (!other) continue
      layer = other
      across -= dx
      down -= dy
    }
  const length = Math.sqrt(across * across + down * down)
  return length < 1 ? undefined : { layer, across: across / length, down: down / length }
}

/** Adds the colours along a line to the sums of its square, up to the next layer or the picture's edge. */
export function addLine(
  sum: Float64Array,
  { at, across, down, unit }: EdgeLine & { at: number; unit: number },
  { map: { width, height, of }, picture: { bytes } }: { map: LayerMap; picture: Pixels },
): void {
  const [x, y] = [at % width, Math.floor(at / width)]
  for (let tap = 0; tap < sum.length / 4; tap++) {
    const [column, row] = [Math.round(x + across * tap * unit), Math.round(y + down * tap * unit)]
    if (column < 0 || column >= width || row < 0 || row >= height) return
    const pixel = row * width + column
    if (of[pixel] && tap > 0) return
    for (let c = 0; c < 3; c++)
      sum[tap * 4 + c] = (sum[tap * 4 + c] as number) + (bytes[pixel * 4 + c] as number)
    sum[tap * 4 + 3] = (sum[tap * 4 + 3] as number) + 1
  }
}
