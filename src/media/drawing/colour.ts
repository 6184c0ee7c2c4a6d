export type Rgb = readonly [red: number, green: number, blue: number]

/** The colour that shows through a transparent picture. */
export const paper = '#f4f4f2'

/** The palette of a seed: three neighbouring hues, of which two are dark enough for white text, and one light colour for marks. */
export function paletteOf(seed: number) {
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

/** A mixture of two colours: only the first at 0, only the second at 1. */
export function mix(a: Rgb, b: Rgb, part: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * part)
  return [at(0), at(1), at(2)]
}

/** A colour under coloured light; white light (255 each) changes nothing. */
export function under(colour: Rgb, light: Rgb): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round((colour[i] * light[i]) / 255)
  return [at(0), at(1), at(2)]
}

/** A colour moved towards the hue of another, with about the same lightness: unchanged at 0, fully in that hue at 1. */
export function tinted(colour: Rgb, tint: Rgb, part: number): Rgb {
  const scale = (lightnessOf(colour) + 8) / (lightnessOf(tint) + 8)
  const at = (i: 0 | 1 | 2) => Math.min(255, tint[i] * scale)
  return mix(colour, [at(0), at(1), at(2)], part)
}

/** How light a colour looks, 0 to 255. */
function lightnessOf([red, green, blue]: Rgb): number {
  return red * 0.2126 + green * 0.7152 + blue * 0.0722
}

/** Reads #rrggbb. */
export function rgb(code: string): Rgb {
  const value = Number.parseInt(code.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** A colour in the syntax of SVG: #rrggbb. */
export function hex([red, green, blue]: Rgb): string {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`
}

export const white: Rgb = [255, 255, 255]
export const black: Rgb = [0, 0, 0]
