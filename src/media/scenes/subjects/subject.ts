import type { Random } from '../../../worlds/random.ts'
import type { Rgb } from '../../video/yuv.ts'
import type { Materials } from '../materials.ts'

/** The colours that a subject is drawn with, in the light of its scene. */
export interface Brush {
  /** Its own colour, a darker and a lighter one. */
  main: Rgb
  dark: Rgb
  light: Rgb
  /** Any other colour in the light of the scene. */
  tone(colour: Rgb): Rgb
  random: Random
  /** Windows and lamps are lit. */
  lamps: boolean
  /** The emoji of a sticker. */
  sign?: string | undefined
}

/**
 * How a subject is drawn: in a box that is 100 high, from -100 at the top to 0 under its feet, its middle at 0.
 */
export interface Subject {
  draw(brush: Brush): string
  /** The width of its box, in the same measure. */
  wide: number
  /** Its height as a part of the greatest height of the place. */
  size: number
  /** Where it is placed. Small animals sit on the seat of a place that has one. */
  rests: 'ground' | 'seat' | 'air'
  /** Its natural colours; the seed selects one when the prompt names none. */
  colours: readonly [Rgb, ...Rgb[]]
  /** Its colours where they change with the season. */
  inSeason?(materials: Materials): readonly [Rgb, ...Rgb[]] | undefined
}
