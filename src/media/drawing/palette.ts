import type { Rgb } from '../video/yuv.ts'

/** The colours of one picture, which match each other and follow from the seed. */
export interface Palette {
  deep: Rgb
  middle: Rgb
  glow: Rgb
  accent: Rgb
}

/** The colour that shows through a transparent picture. */
export const paper = '#f4f4f2'

/** The palette of a seed: neighbouring hues that are dark enough for white text, and one light colour for marks. */
export function paletteOf(seed: number): Palette {
  const mixed = Math.imul(seed ^ (seed >>> 16), 0x9e3779b1) >>> 0
  // From green over blue to red, because dark yellow and olive look dull.
  const hue = 145 + (mixed % 225)
  const turn = hue > 310 ? -1 : 1
  return {
    deep: oklch(0.21, 0.065, hue),
    middle: oklch(0.36, 0.115, hue + 28 * turn),
    glow: oklch(0.62, 0.17, hue + 62 * turn),
    accent: oklch(0.86, 0.13, hue + 105 * turn),
  }
}

/** A colour in the syntax of SVG. */
export function css([red, green, blue]: Rgb): string {
  return `rgb(${red},${green},${blue})`
}

/** A colour from its lightness (0 to 1), chroma and hue in degrees (Oklch, which follows human vision). */
export function oklch(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    screen(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    screen(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    screen(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function screen(linear: number): number {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(255 * Math.min(1, Math.max(0, value)))
}
