import type { Rgb } from '../video/yuv.ts'

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
