import { hex, paletteOf } from '../drawing/colour.ts'
import { text } from '../drawing/svg.ts'
import type { PointedPlace } from '../render/recipe.ts'

/** Where a picture lies inside another, in pixels. */
export interface Frame {
  left: number
  top: number
  width: number
  height: number
}

/** Coordinates in a prompt are from 0 to 999 in the picture that they point into (Spec, "Limits"). */
const lastCoordinate = 999

/** The points and boxes of a prompt, drawn where they point, as SVG. `unit` scales lines and numbers. */
export function placesSvg(
  places: readonly PointedPlace[],
  { frame, unit, seed }: { frame: Frame; unit: number; seed: number },
): string {
  const colour = hex(paletteOf(seed).accent)
  return places
    .map((place, index) => {
      const [left, top] = [across(frame, place.left), down(frame, place.top)]
      const [right, bottom] = [across(frame, place.right), down(frame, place.bottom)]
      const isPoint = place.left === place.right && place.top === place.bottom
      const shape = isPoint
        ? target(left, top, unit)
        : box({ left, top, width: right - left, height: bottom - top }, unit)
      const number = isPoint
        ? badge(index + 1, { x: left + unit * 2.6, y: top - unit * 2.6, unit, colour })
        : badge(index + 1, { x: left, y: top, unit, colour })
      return shape.replaceAll('COLOUR', colour) + number
    })
    .join('')
}

/** The parts of a picture that the points and boxes of a prompt fill when they are drawn. */
export function placeFrames(places: readonly PointedPlace[], frame: Frame, unit: number): Frame[] {
  const edge = unit * 4
  return places.map(place => {
    const [left, top] = [across(frame, place.left) - edge, down(frame, place.top) - edge]
    const [right, bottom] = [across(frame, place.right) + edge, down(frame, place.bottom) + edge]
    return { left, top, width: right - left, height: bottom - top }
  })
}

function across({ left, width }: Frame, coordinate: number): number {
  return left + (width * coordinate) / lastCoordinate
}

function down({ top, height }: Frame, coordinate: number): number {
  return top + (height * coordinate) / lastCoordinate
}

/** A dark line under a light one is visible on any background. */
function box({ left, top, width, height }: Frame, unit: number): string {
  const frame = `x="${left}" y="${top}" width="${width}" height="${height}"`
  return `<rect ${frame} fill="COLOUR" fill-opacity=".16" stroke="#000" stroke-opacity=".55" stroke-width="${unit * 0.75}"/>
    <rect ${frame} fill="none" stroke="COLOUR" stroke-width="${unit * 0.38}"/>`
}

function target(x: number, y: number, unit: number): string {
  const cross = `M${x - unit * 3} ${y}h${unit * 2}M${x + unit} ${y}h${unit * 2}M${x} ${y - unit * 3}v${unit * 2}M${x} ${y + unit}v${unit * 2}`
  const ring = (width: number, stroke: string) =>
    `<circle cx="${x}" cy="${y}" r="${unit * 1.9}" fill="none" ${stroke} stroke-width="${width}"/><path d="${cross}" fill="none" ${stroke} stroke-width="${width}"/>`
  return `${ring(unit * 0.75, 'stroke="#000" stroke-opacity=".55"')}${ring(unit * 0.38, 'stroke="COLOUR"')}<circle cx="${x}" cy="${y}" r="${unit * 0.4}" fill="COLOUR"/>`
}

function badge(
  number: number,
  { x, y, unit, colour }: { x: number; y: number; unit: number; colour: string },
): string {
  return `<circle cx="${x}" cy="${y}" r="${unit * 1.55}" fill="${colour}" stroke="#000" stroke-opacity=".5" stroke-width="${unit * 0.2}"/>
    ${text(String(number), { x, y: y + unit * 0.72, size: unit * 2, bold: true, anchor: 'middle', fill: '#14161c' })}`
}
