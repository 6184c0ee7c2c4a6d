import type { Box } from '../recipe.ts'
import { filledIn } from './fill-in.ts'
import { growOverEdges } from './grow.ts'
import { enlarged, type LayerMap } from './layer-map.ts'
import { type Layer, layersOf } from './measure-layers.ts'
import { noiseOf } from './noise.ts'
import { objectsOf } from './objects.ts'
import type { Labels, Pixels } from './pixels.ts'
import { segmentsOf } from './segments.ts'
import { withoutSlivers } from './slivers.ts'
import { smoothed } from './smooth.ts'
import { softEdged } from './soft-edges.ts'

/** A picture and a small copy of it, in which objects are searched. */
export interface PictureToDivide {
  picture: Pixels
  copy: Pixels
  mostLayers: number
}

/** The parts of a picture: the layers, in order over the base, give exactly the picture again. */
export interface Parts {
  base: Pixels
  layers: readonly (Layer & { pixels: Pixels })[]
}

/** Splits a picture into layers. A pure function; takes some hundred milliseconds for 2K. */
export function takeApart({ picture, copy, mostLayers }: PictureToDivide): Parts {
  const segments = withoutSlivers(segmentsOf(copy), copy)
  const objects = objectsOf(segments, copy, mostLayers)
  const map = enlarged(mapOf(segments, objects), copy, picture)
  const edges = growOverEdges(map)
  const layers = layersOf(map, picture, mostLayers)
  const noise = noiseOf(picture)
  const base = filledIn(picture, map, noise)
  smoothed(base, map)
  const soft = softEdged({ picture, base, map, edges }, noise)
  return {
    base,
    layers: layers.map((layer, index) => ({
      ...layer,
      pixels: cutOut({ picture: soft, map }, layer.box, index + 1),
    })),
  }
}

/** The number of the object of each pixel. */
function mapOf({ width, height, of: segmentOf }: Labels, objects: Int32Array): LayerMap {
  const of = new Uint8Array(segmentOf.length)
  for (let at = 0; at < of.length; at++) of[at] = objects[segmentOf[at] as number] ?? 0
  return { width, height, of }
}

/** A layer's pixels in its box; everything else in it is empty. */
function cutOut(
  { picture, map }: { picture: Pixels; map: LayerMap },
  [left, top, right, bottom]: Box,
  number: number,
): Pixels {
  const [width, height] = [right - left, bottom - top]
  const source = new Uint32Array(
    picture.bytes.buffer,
    picture.bytes.byteOffset,
    picture.width * picture.height,
  )
  const target = new Uint32Array(width * height)
  for (let y = 0, to = 0; y < height; y++) {
    let from = (top + y) * picture.width + left
    for (let x = 0; x < width; x++, from++, to++) if (map.of[from] === number) target[to] = source[from] ?? 0
  }
  return { width, height, bytes: new Uint8Array(target.buffer) }
}
