import { type Random, randomFor } from '../../emulator/ground.ts'
import { hex, mix, type Rgb, under, white } from '../drawing/colour.ts'
import { type Light, type Materials, materialsOf } from './light.ts'
import type { SceneWords } from './scene-words.ts'
import { circle, rect } from './shapes.ts'

/** Rows of a scene that move sideways together. Their content is cropped at the edges of the rows. */
export interface Strip {
  /** Pixels from the upper edge, a multiple of 16. */
  top: number
  /** 0 does not move, 1 is nearest. */
  depth: number
  /** The colour at its lower edge. The nearest strip has it, so that the ground can continue below the scene. */
  floor?: Rgb
  /** Makes SVG in the coordinates of the whole picture. It is asked for only where the strip has rows. */
  content(): string
}

/** The place of an object: the row under its feet, and its greatest height. Pixels. */
export interface Spot {
  foot: number
  tall: number
}

/** Rows of a picture from `top` down to `bottom`, in pixels. */
export interface SceneRows {
  top: number
  bottom: number
}

/** Rows with their number, and the row at a part of them. */
export interface Rows extends SceneRows {
  tall: number
  at(part: number): number
}

export function rowsOf(top: number, bottom: number): Rows {
  const tall = bottom - top
  return { top, bottom, tall, at: part => top + tall * part }
}

/**
 * A band of a place: the part of the height at which it begins, its depth, its parts one over the other, and the colour at its lower edge if
 * it may be the nearest one.
 */
export type Band = readonly [
  from: number,
  depth: number,
  parts: (rows: Rows) => readonly string[],
  floor?: Rgb,
]

/** The strips of a place, each down to where the next one begins. */
export function stripsOf({ line, height }: SceneStage, bands: readonly Band[]): Strip[] {
  return bands.map(([from, depth, parts, floor], i) => {
    const next = bands[i + 1]
    const rows = rowsOf(line(from), next ? line(next[0]) : height)
    return { top: rows.top, depth, ...(floor && { floor }), content: () => parts(rows).join('') }
  })
}

/** As many things as the width has room for when each needs so many units of it. */
export function many(
  { width, unit, random }: SceneStage,
  { name, apart }: { name: string; apart: number },
  one: (draw: Random, i: number) => string,
): string[] {
  const draw = random(name)
  return Array.from({ length: Math.max(2, Math.round(width / (unit * apart))) }, (_, i) => one(draw, i))
}

/** A place to draw: its strips from the sky down, and the spots for a subject. */
export interface Setting {
  strips: readonly Strip[]
  /** Snow, leaves and petals fall only in the open air. */
  air: 'open' | 'closed'
  /** `foot` is the row under a subject's feet, `tall` its greatest height, both in pixels. */
  stand: Spot
  /** Where a boat may float. */
  afloat?: Spot
  /** Where a small animal may sit, if there is such a place. */
  seat?: Spot
}

/** The area of a scene, and the functions that draw on it. Lengths are pixels; the width includes the margins. */
export interface SceneStage {
  width: number
  height: number
  margin: number
  /** The unit of objects: one hundredth of the side of a square of the same area, less in very long pictures. */
  unit: number
  words: SceneWords
  light: Light
  materials: Materials
  /** A stream of random values for each thing that is drawn, so that one does not change another. */
  random(kind: string): Random
  /** The band line (a multiple of 16) nearest to this part of the height. */
  line(part: number): number
  /** A colour in the light of the scene: 0 is near and clear, 1 has faded into the air. */
  tone(colour: Rgb, far?: number): Rgb
  /** Colours from one row to another over the whole width. */
  shade(rows: SceneRows, colours: readonly Rgb[]): string
  /** One colour over the whole width that becomes thicker downwards, from nothing to `most`. */
  mist(rows: SceneRows, colour: Rgb, most?: number): string
  /** A round glow that fades outwards. It is slow: with a radius of a quarter of the picture it takes as long as everything else. */
  glow(at: { x: number; y: number; radius: number }, colour: Rgb, most: number): string
}

/** `width` is without the margins here. */
type StageOrder = Pick<SceneStage, 'words' | 'width' | 'height' | 'margin' | 'light'> & { seed: number }

export function createStage({ words, seed, width, height, margin, light }: StageOrder): SceneStage {
  const whole = width + 2 * margin
  const materials = materialsOf(words.season)
  // Snow reflects light.
  const ambient = materials.snow ? mix(light.ambient, white, 0.22) : light.ambient
  let ids = 0
  const gradient = (kind: 'linear' | 'radial', stops: readonly string[]) => {
    const id = `s${++ids}`
    const direction = kind === 'linear' ? ' x2="0" y2="1"' : ''
    const each = stops.map((stop, i) => `<stop offset="${i / (stops.length - 1)}" ${stop}/>`)
    return { id, svg: `<${kind}Gradient id="${id}"${direction}>${each.join('')}</${kind}Gradient>` }
  }
  const filled = ({ top, bottom }: SceneRows, stops: readonly string[]) => {
    const { id, svg } = gradient('linear', stops)
    // Whole rows: two strips with a common fractional edge would leave a partly transparent row.
    const y = Math.round(top)
    return svg + rect([0, y], [whole, Math.round(bottom) - y], `fill="url(#${id})"`)
  }
  return {
    width: whole,
    height,
    margin,
    unit: Math.min(Math.sqrt(width * height), width * 1.25, height * 1.25) / 100,
    words,
    light,
    materials,
    random: kind => randomFor(seed, `scene ${kind}`, 0),
    line: part => Math.round((height * part) / 16) * 16,
    tone: (colour, far = 0) => mix(under(colour, ambient), light.haze, far),
    shade: (rows, colours) =>
      filled(
        rows,
        (colours.length > 1 ? colours : [...colours, ...colours]).map(
          colour => `stop-color="${hex(colour)}"`,
        ),
      ),
    mist: (rows, colour, most = 1) =>
      filled(rows, [
        `stop-color="${hex(colour)}" stop-opacity="0"`,
        `stop-color="${hex(colour)}" stop-opacity="${most}"`,
      ]),
    glow({ x, y, radius }, colour, most) {
      const stop = (opacity: number) => `stop-color="${hex(colour)}" stop-opacity="${opacity}"`
      const { id, svg } = gradient('radial', [stop(most), stop(most * 0.42), stop(most * 0.14), stop(0)])
      return svg + circle([x, y], radius, `fill="url(#${id})"`)
    },
  }
}
