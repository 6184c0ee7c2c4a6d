import type { Layer } from '../../media/layers/measure-layers.ts'
import type { Box } from '../../media/recipe.ts'
import type { Size } from '../geometry.ts'
import type { KnownObject } from './known-objects.ts'

type Rgb = Layer['colour']
type Words = readonly [english: string, chinese: string]

/** Colours by their everyday names. */
const colours: readonly (readonly [...Words, Rgb])[] = [
  ['black', '黑色', [20, 20, 22]],
  ['dark gray', '深灰色', [85, 85, 88]],
  ['gray', '灰色', [140, 140, 140]],
  ['light gray', '浅灰色', [205, 205, 208]],
  ['white', '白色', [250, 250, 250]],
  ['red', '红色', [215, 60, 50]],
  ['dark red', '深红色', [120, 25, 30]],
  ['orange', '橙色', [240, 145, 50]],
  ['yellow', '黄色', [250, 210, 70]],
  ['cream', '奶油色', [245, 230, 205]],
  ['beige', '米色', [225, 185, 150]],
  ['brown', '棕色', [125, 80, 50]],
  ['green', '绿色', [70, 150, 80]],
  ['dark green', '深绿色', [25, 75, 45]],
  ['light green', '浅绿色', [150, 205, 120]],
  ['teal', '青色', [40, 135, 140]],
  ['light blue', '浅蓝色', [150, 205, 230]],
  ['blue', '蓝色', [60, 110, 205]],
  ['dark blue', '深蓝色', [30, 45, 95]],
  ['purple', '紫色', [115, 70, 150]],
  ['pink', '粉色', [240, 150, 175]],
]

const shapes: Readonly<Record<'square' | 'block' | 'band' | 'pole' | 'disc' | 'oval' | 'shape', Words>> = {
  square: ['square', '方形'],
  block: ['block', '方块'],
  band: ['band', '横条'],
  pole: ['column', '立柱'],
  disc: ['disc', '圆形'],
  oval: ['oval', '椭圆'],
  shape: ['object', '物体'],
}

const places: readonly (readonly Words[])[] = [
  [
    ['upper left', '左上方'],
    ['upper part', '上方'],
    ['upper right', '右上方'],
  ],
  [
    ['left part', '左侧'],
    ['middle', '中央'],
    ['right part', '右侧'],
  ],
  [
    ['lower left', '左下方'],
    ['lower part', '下方'],
    ['lower right', '右下方'],
  ],
]

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
  const [english, chinese] = colours.reduce((best, one) => (far(one[2]) < far(best[2]) ? one : best))
  return [english, chinese]
}

/** The shape of a layer, by the part of its box that it fills: a rectangle fills all of it, an oval a quarter of pi. */
function shapeOf({ box: [left, top, right, bottom], area }: Layer): Words {
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
  return places[third((top + bottom) / 2 / height)]?.[third((left + right) / 2 / width)] ?? ['middle', '中央']
}

function partsOf([left, top, right, bottom]: Box, [width, height]: Size): [number, number] {
  return [
    Math.max(1, Math.round(((right - left) / width) * 100)),
    Math.max(1, Math.round(((bottom - top) / height) * 100)),
  ]
}
