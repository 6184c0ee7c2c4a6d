import type { Box, ImageInput, Layer } from '../../../media/index.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import type { Size } from '../geometry.ts'
import type { Format, Part } from './job.ts'
import { type KnownObject, knownObjects, layerWords, objectAt } from './layer-words.ts'

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
): Promise<Part[]> {
  const { size, format, mark, prompt } = order
  const picture = { width: size[0], height: size[1], format, mark }
  const { base, layers } = await library.takeApart(order.input, picture)
  const objects = await knownObjects(order.input.picture)
  const parts = layers.map(
    ({ content, ...layer }): Part => ({ content, ...described(layer, { size, prompt, objects }) }),
  )
  return [{ content: base, format, size }, ...parts]
}

function described(
  layer: Layer,
  { size: base, prompt, objects }: { size: Size; prompt: string; objects: readonly KnownObject[] },
): Omit<Part, 'content'> {
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
