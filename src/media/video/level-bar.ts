import type { Patch } from './field.ts'
import type { Ink } from './time-code.ts'

/** A bar that shows how loud the sound is: a row of cells with two lights each, from the left. All in macroblocks. */
export interface LevelBar {
  left: number
  top: number
  /** The sides of a cell. */
  scale: number
  cells: number
  /** The place of a cell without light, with one and with both: `perRow` cells in a row, the next rows below. */
  store: { left: number; top: number; perRow: number }
}

const lightsPerCell = 2

/** The number of different cells. */
const looks = lightsPerCell + 1

/** The patches that show a level from 0 to 1. */
export function levelPatches({ left, top, scale, cells, store }: LevelBar, level: number): Patch[] {
  const lit = Math.round(level * cells * lightsPerCell)
  return Array.from({ length: cells }, (_, i) => {
    const look = Math.max(0, Math.min(lightsPerCell, lit - i * lightsPerCell))
    const from = cellAt(store, scale, look)
    const at = left + i * scale
    return {
      left: at,
      top,
      columns: scale,
      rows: scale,
      dx: (from.left - at) * 16,
      dy: (from.top - top) * 16,
    }
  })
}

/** The height of the store. */
export function levelStoreRows({ scale, perRow }: { scale: number; perRow: number }): number {
  return Math.ceil(looks / perRow) * scale
}

/** The store as SVG, in pixels of the coded picture. */
export function levelStoreSvg({ scale, store }: LevelBar, ink: Ink): string {
  const side = 16 * scale
  return Array.from({ length: looks }, (_, look) => {
    const { left, top } = cellAt(store, scale, look)
    const [x, y] = [left * 16, top * 16]
    const lights = [0, 1].map(light => lightSvg({ x: x + (light * side) / 2, y, scale }, light < look, ink))
    return `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="${ink.ground}"/>${lights.join('')}`
  }).join('')
}

function lightSvg(
  { x, y, scale }: { x: number; y: number; scale: number },
  isLit: boolean,
  ink: Ink,
): string {
  const look = isLit ? `fill="${ink.light}"` : `fill="${ink.sign}" fill-opacity=".22"`
  const size = `width="${6 * scale}" height="${10 * scale}" rx="${scale}"`
  return `<rect x="${x + scale}" y="${y + scale}" ${size} ${look}/>`
}

function cellAt({ left, top, perRow }: LevelBar['store'], scale: number, look: number) {
  return { left: left + (look % perRow) * scale, top: top + Math.floor(look / perRow) * scale }
}
