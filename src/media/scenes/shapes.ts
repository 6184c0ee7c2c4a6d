import { hex, type Rgb } from '../drawing/colour.ts'

/** A point in pixels. */
export type Point = readonly [x: number, y: number]

/** The attributes that fill a shape with a colour. */
export function fill(colour: Rgb, opacity = 1): string {
  return opacity === 1
    ? `fill="${hex(colour)}"`
    : `fill="${hex(colour)}" fill-opacity="${thousandths(opacity)}"`
}

/** The attributes that draw a line of a colour and width, with round ends. */
export function stroke(colour: Rgb, width: number, opacity = 1): string {
  const line = `fill="none" stroke="${hex(colour)}" stroke-width="${round(width)}" stroke-linecap="round" stroke-linejoin="round"`
  return opacity === 1 ? line : `${line} stroke-opacity="${thousandths(opacity)}"`
}

/** A rectangle from its upper left corner; `look` is made by `fill` or `stroke`, `corner` is the radius of its corners. */
export function rect([x, y]: Point, [wide, tall]: Point, look: string, corner = 0): string {
  const rounded = corner ? ` rx="${round(corner)}"` : ''
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${round(tall)}"${rounded} ${look}/>`
}

export function circle([x, y]: Point, radius: number, look: string): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" ${look}/>`
}

export function ellipse([x, y]: Point, [wide, tall]: Point, look: string): string {
  return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(wide)}" ry="${round(tall)}" ${look}/>`
}

export function path(d: string, look: string): string {
  return `<path d="${d}" ${look}/>`
}

/** Many small neighbouring shapes of one look, grouped into a few paths: drawing a path takes time for its whole bounding box. */
export function paths(shapes: readonly string[], look: string): string {
  const size = 8
  return Array.from({ length: Math.ceil(shapes.length / size) }, (_, i) =>
    path(shapes.slice(i * size, (i + 1) * size).join(''), look),
  ).join('')
}

/** The path along points, as `M` and `L` write it. */
export function along(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`
}

/** Rounds to a tenth of a pixel, which is fine enough for drawings. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000
}
