import type { Sharp } from 'sharp'
import { registerFonts, svg } from '../drawing/svg.ts'
import { markSvg } from '../images/caption.ts'
import { type Pixels, pictureOf } from '../render/pixels.ts'
import type { Box } from '../render/recipe.ts'
import type { DecomposeOrder } from '../workers/job.ts'
import { filledIn } from './fill-in.ts'
import { enlarged, type Layer, type LayerMap, layersOf } from './layer-map.ts'
import { objectsOf } from './objects.ts'
import { withoutSlivers } from './patches.ts'
import { type Labels, segmentsOf } from './segments.ts'
import { noiseOf, smoothed } from './smooth.ts'
import { growOverEdges, softEdged } from './soft-edges.ts'

/** Spec, "Modes": at most 16 layers. */
const mostLayers = 16

/** The parts of a picture: its base and, in z order, its layers, each as a file. */
interface Decomposition {
  base: Buffer
  layers: readonly (Layer & { png: Buffer })[]
}

/** The side of the small copy in which objects are searched. */
const searchSidePx = 360
/** Noise in that copy, in steps of 255, that is removed before the search, and noise that needs a larger filter. */
const [leastNoise, strongNoise] = [1, 4]

/**
 * Splits a picture into layers at the given size. The layers over the base give the picture again, exactly
 * when the base is PNG and has no mark. The same picture and order give the same bytes.
 */
export async function decompose(open: () => Sharp, order: DecomposeOrder): Promise<Decomposition> {
  const { base, layers } = (await apart(open(), order)).parts
  const file = async ({ pixels, ...layer }: (typeof layers)[number]) => ({
    ...layer,
    png: await png(await pictureOf(pixels)),
  })
  const [whole, ...files] = await Promise.all([baseFile(base, order), ...layers.map(file)])
  return { base: whole, layers: files }
}

/** A picture at the given size, and its parts. */
export async function apart(
  picture: Sharp,
  size: { width: number; height: number },
): Promise<{ picture: Pixels; parts: Parts }> {
  const { width, height } = size
  const whole = picture.resize(width, height, { fit: 'fill' }).toColourspace('srgb').ensureAlpha()
  const pixels = await ownPixels(whole)
  return { picture: pixels, parts: takeApart(pixels, await smallCopy(pixels)) }
}

async function smallCopy(picture: Pixels): Promise<Pixels> {
  const box = { width: searchSidePx, height: searchSidePx, fit: 'inside', withoutEnlargement: true } as const
  const copy = await ownPixels((await pictureOf(picture)).resize({ ...box, kernel: 'mitchell' }))
  const noise = noiseOf(copy)
  if (noise < leastNoise) return copy
  return ownPixels((await pictureOf(copy)).median(noise < strongNoise ? 3 : 5))
}

/** The pixels of a picture in a buffer of their own, which can be read as whole numbers. */
async function ownPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const isAlone = data.byteOffset === 0 && data.byteLength === data.buffer.byteLength
  const bytes = isAlone ? new Uint8Array(data.buffer) : new Uint8Array(data)
  return { width: info.width, height: info.height, channels: info.channels, bytes }
}

function png(picture: Sharp): Promise<Buffer> {
  return picture.png({ compressionLevel: 4 }).toBuffer()
}

async function baseFile(base: Pixels, { format, mark, width, height }: DecomposeOrder): Promise<Buffer> {
  const plain = await pictureOf(base)
  if (mark) await registerFonts()
  const marked = mark
    ? plain.composite([{ input: Buffer.from(svg({ width, height }, markSvg({ width, height, seed: 0 }))) }])
    : plain
  if (format === 'jpeg') return marked.flatten({ background: '#ffffff' }).jpeg({ quality: 92 }).toBuffer()
  return png(isOpaque(base) ? marked.removeAlpha() : marked)
}

function isOpaque({ bytes }: Pixels): boolean {
  for (let at = 3; at < bytes.length; at += 4) if (bytes[at] !== 255) return false
  return true
}

/** The parts of a picture: the layers, in order over the base, give exactly the picture again. */
export interface Parts {
  base: Pixels
  layers: readonly (Layer & { pixels: Pixels })[]
}

/** Splits a picture into layers, whose objects are searched in a small copy of it. Takes some hundred milliseconds for 2K. */
function takeApart(picture: Pixels, copy: Pixels): Parts {
  const segments = withoutSlivers(segmentsOf(copy), copy)
  const objects = objectsOf(segments, copy, mostLayers)
  const map = enlarged(mapOf(segments, objects), copy, picture)
  const edges = growOverEdges(map)
  const layers = layersOf(map, picture, mostLayers)
  const noise = noiseOf(picture)
  const base = filledIn(picture, map, noise)
  smoothed(base, map, noise)
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
  return { width, height, channels: 4, bytes: new Uint8Array(target.buffer) }
}
