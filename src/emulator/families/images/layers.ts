import { readFile } from 'node:fs/promises'
import { type Box, type Digest, type ImageInput, type Layer, once } from '../../../media/index.ts'
import { fixturePath, lateFixture } from '../../package/files.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import type { Size } from '../geometry.ts'
import type { Format, LayerPart } from './job.ts'

export interface LayerOrder {
  input: ImageInput
  size: Size
  format: Format
  mark: boolean
  prompt: string
}

/** Takes a picture apart and stores its parts in the library: the base, then at most 16 layers in z order. */
export async function layersOf(
  { services: { library } }: Pick<Call, 'services'>,
  order: LayerOrder,
): Promise<LayerPart[]> {
  const { size, format, mark, prompt } = order
  const picture = { width: size[0], height: size[1], format, mark }
  const { base, layers } = await library.takeApart(order.input, picture)
  const objects = await knownObjects(order.input.picture)
  const parts = layers.map(
    ({ content, ...layer }): LayerPart => ({ content, ...described(layer, { size, prompt, objects }) }),
  )
  return [{ content: base, format, size }, ...parts]
}

function described(
  layer: Layer,
  { size: base, prompt, objects }: { size: Size; prompt: string; objects: readonly KnownObject[] },
): Omit<LayerPart, 'content'> {
  const [left, top, right, bottom] = layer.box
  const thousandths = normalized(layer.box, base)
  return {
    format: 'png',
    size: [right - left, bottom - top],
    box: { absolute: layer.box, normalized: thousandths },
    ...layerWords(layer, { base, prompt, known: objectAt(thousandths, objects) }),
  }
}

/** The same box in thousandths of the base's sides (I-layers). */
function normalized([left, top, right, bottom]: Box, [width, height]: Size): Box {
  const thousandth = (value: number, of: number) => Math.round((value / of) * 1000)
  return [
    thousandth(left, width),
    thousandth(top, height),
    thousandth(right, width),
    thousandth(bottom, height),
  ]
}

/** An object of one of our samples, by name. Its box is in thousandths of the picture. */
interface KnownObject {
  english: string
  chinese: string
  box: Box
}

/** The objects of a picture that is one of our samples (`fixtures/media/known-objects.json`); none of any other picture. */
async function knownObjects(picture: Digest | undefined): Promise<readonly KnownObject[]> {
  return (picture && (await readTable()).get(picture)) || []
}

/** Read once: the table of the package does not change while the server runs. */
const readTable = once(async (): Promise<ReadonlyMap<Digest, readonly KnownObject[]>> => {
  const samples: { sha256: Digest; objects: readonly KnownObject[] }[] = JSON.parse(
    await readFile(fixturePath('media/known-objects.json'), 'utf8'),
  )
  return new Map(samples.map(({ sha256, objects }) => [sha256, objects]))
})

/** The object whose box is nearly this one: the area that both cover is at least six tenths of the area that either covers. */
export function objectAt(box: Box, objects: readonly KnownObject[]): KnownObject | undefined {
  return objects.find(object => overlap(box, object.box) > 0.6)
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const tall = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  const shared = Math.max(0, wide) * Math.max(0, tall)
  return shared / (areaOf(a) + areaOf(b) - shared)
}

function areaOf([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top)
}

type Rgb = Layer['colour']
type Words = readonly [english: string, chinese: string]

/** `fixtures/words/layers.json`: colours by their everyday names, shapes, and the nine parts of a picture by row. */
interface LayerWords {
  colours: readonly { words: Words; rgb: Rgb }[]
  shapes: Readonly<Record<'square' | 'block' | 'band' | 'pole' | 'disc' | 'oval' | 'shape', Words>>
  places: readonly (readonly Words[])[]
}

const table = lateFixture<LayerWords>('words/layers.json')

/** The other facts on which a layer's words depend: the size of the base, the prompt, and the object if it is a known one. */
interface LayerContext {
  base: Size
  prompt: string
  known: KnownObject | undefined
}

/**
 * A layer's name and description in the language of the prompt, English without a prompt: the object if it is
 * known, else its colour and shape; then its place and size.
 */
export function layerWords(
  layer: Layer,
  { base, prompt, known }: LayerContext,
): { name: string; description: string } {
  const isChinese = /[\u3400-\u9fff]/.test(prompt)
  const language = isChinese ? 1 : 0
  const plain = [colourOf(layer.colour), shapeOf(layer)].map(words => words[language])
  const name = known ? (isChinese ? known.chinese : known.english) : plain.join(isChinese ? '' : ' ')
  const place = wordsForPlace(layer.box, base)[language]
  const [wide, tall] = partsOf(layer.box, base)
  return {
    name,
    description: isChinese
      ? `位于画面${place}的${name}，约占画面宽度的${wide}%、高度的${tall}%`
      : `${/^[aeiou]/.test(name) ? 'An' : 'A'} ${name} in the ${place} of the picture, about ${wide}% of its width and ${tall}% of its height`,
  }
}

function colourOf([red, green, blue]: Rgb): Words {
  const far = ([r, g, b]: Rgb) => 2 * (red - r) ** 2 + 4 * (green - g) ** 2 + 3 * (blue - b) ** 2
  return table().colours.reduce((best, one) => (far(one.rgb) < far(best.rgb) ? one : best)).words
}

/** The shape of a layer, by the part of its box that it fills: a rectangle fills all of it, an oval a quarter of pi. */
function shapeOf({ box: [left, top, right, bottom], area }: Layer): Words {
  const { shapes } = table()
  const [width, height] = [right - left, bottom - top]
  const fill = area / (width * height)
  const aspect = width / height
  if (fill > 0.93) {
    if (aspect > 3) return shapes.band
    if (aspect < 1 / 3) return shapes.pole
    return Math.abs(Math.log(aspect)) < 0.1 ? shapes.square : shapes.block
  }
  if (fill > 0.74 && fill < 0.83) return Math.abs(Math.log(aspect)) < 0.1 ? shapes.disc : shapes.oval
  return shapes.shape
}

function wordsForPlace([left, top, right, bottom]: Box, [width, height]: Size): Words {
  const third = (middle: number) => Math.min(2, Math.floor(middle * 3))
  return (
    table().places[third((top + bottom) / 2 / height)]?.[third((left + right) / 2 / width)] ?? [
      'middle',
      '中央',
    ]
  )
}

function partsOf([left, top, right, bottom]: Box, [width, height]: Size): [number, number] {
  return [
    Math.max(1, Math.round(((right - left) / width) * 100)),
    Math.max(1, Math.round(((bottom - top) / height) * 100)),
  ]
}
