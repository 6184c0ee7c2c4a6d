import type { Sharp } from 'sharp'
import type { Rgb } from '../drawing/colour.ts'
import { registerFonts, svg } from '../drawing/svg.ts'
import { markSvg } from '../images/caption.ts'
import { type Pixels, pictureOf } from '../render/pixels.ts'
import type { Box } from '../render/recipe.ts'
import type { DecomposeOrder, Layer } from '../workers/job.ts'
import { enlarged, filledIn, ownPixels, type Sheet, sheetOf } from './fill-in.ts'
import { type ObjectMap, objectsOf } from './objects.ts'
import { type AllLayers, cutApart, type SoftEdges, softEdgesOf } from './soft-edges.ts'

/** Spec, "Modes": at most 16 layers. */
const mostLayers = 16

/** The parts of a picture: its base and, in z order, its layers, each as a file. */
interface Decomposition {
  base: Buffer
  layers: readonly (Layer & { png: Buffer })[]
}

/**
 * Splits a picture into layers at the given size. The layers over the base give the picture again, exactly
 * when the base is PNG and has no mark. The same picture and order give the same bytes.
 */
export async function decompose(open: () => Sharp, order: DecomposeOrder): Promise<Decomposition> {
  const { base, layers } = await apart(open(), order)
  const file = async ({ pixels, ...layer }: (typeof layers)[number]) => ({
    ...layer,
    png: await png(await pictureOf(pixels)),
  })
  const [whole, ...files] = await Promise.all([baseFile(base, order), ...layers.map(file)])
  return { base: whole, layers: files }
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
  const isOpaque = base.bytes.every((value, at) => at % 4 < 3 || value === 255)
  return png(isOpaque ? marked.removeAlpha() : marked)
}

/** A picture and its parts: the layers, in order over the base, give exactly the picture again. */
export interface Parts {
  sheet: Sheet
  base: Pixels
  layers: readonly (Layer & { pixels: Pixels })[]
}

/** Splits a picture at the given size. Its objects are searched in a small copy of it. */
export async function apart(
  picture: Sharp,
  { width, height }: { width: number; height: number },
): Promise<Parts> {
  const whole = picture.resize(width, height, { fit: 'fill' }).toColourspace('srgb').ensureAlpha()
  const sheet = await sheetOf(await ownPixels(whole))
  const map = objectsOf(sheet.copy, mostLayers)
  const edges = softEdgesOf(map)
  const colours = coloursOf(map, edges, sheet.copy)
  const behind = filledIn(sheet.copy, map.of, sheet.noise)
  const base = await enlarged(behind, sheet.picture)
  const all = cutApart(sheet, base, { map, edges })
  const layers = colours.map((colour, index) => cutOut(all, colour, index + 1))
  return { sheet, base, layers: layers.filter(({ area }) => area > 0) }
}

/** One layer in its box; everything else in the box is empty. */
function cutOut({ width, of, bytes }: AllLayers, colour: Rgb, number: number): Parts['layers'][number] {
  let [left, top, right, bottom, area] = [width, of.length, 0, 0, 0]
  of.forEach((other, at) => {
    if (other !== number) return
    const [x, y] = [at % width, Math.floor(at / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = y + 1
    if ((bytes[at * 4 + 3] as number) > 127) area++
  })
  const box: Box = [left, top, right, bottom]
  const size = { width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
  const cut = new Uint8Array(size.width * size.height * 4)
  for (let y = top, to = 0; y < bottom; y++)
    for (let x = left; x < right; x++, to += 4) {
      const at = y * width + x
      if (of[at] === number) for (let c = 0; c < 4; c++) cut[to + c] = bytes[at * 4 + c] as number
    }
  return { box, area, colour, pixels: { ...size, channels: 4, bytes: cut } }
}

/** The most frequent colour of each object, by number: the median of those that are alike in the first three bits of each channel. */
function coloursOf({ of }: ObjectMap, edges: SoftEdges, { bytes }: Pixels): Rgb[] {
  const alike: Map<number, number[]>[] = []
  of.forEach((number, at) => {
    if (!number || (edges.of[at] && edges.inside[at] !== -1)) return
    const [red, green, blue] = [bytes[at * 4] ?? 0, bytes[at * 4 + 1] ?? 0, bytes[at * 4 + 2] ?? 0]
    alike[number - 1] ??= new Map()
    const key = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5)
    const places = alike[number - 1]?.get(key) ?? []
    places.push(at * 4)
    alike[number - 1]?.set(key, places)
  })
  return alike.map(each => {
    const [places = []] = [...each.values()].sort((a, b) => b.length - a.length)
    const median = (c: number) =>
      places.map(at => bytes[at + c] as number).sort((a, b) => a - b)[places.length >> 1] ?? 0
    return [median(0), median(1), median(2)]
  })
}
