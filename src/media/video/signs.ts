import { text } from '../drawing/svg.ts'
import type { Patch } from './field.ts'

/** Hidden cells of the coded picture: `perRow` in a row, the next rows below. */
interface Store {
  left: number
  top: number
  perRow: number
}

/** The place of the time code in the coded picture, in macroblocks. Each sign fills a cell of its own. */
export interface TimeCode {
  left: number
  top: number
  /** The width of a cell in macroblocks. It is twice as high. */
  scale: number
  /** Minutes are left out of a narrow picture. */
  form: 'minutes' | 'seconds'
  /** The place of the digits and the two lights: `perRow` cells in a row, the next rows below. */
  store: Store
}

/** The signs in the store, in their order. `+` is the light that flashes, `-` the same light when it is out. */
const signs = [...'0123456789', '-', '+']

/** Cells for the light and the signs of a time code. */
export function cellsOf(form: TimeCode['form']): number {
  return form === 'minutes' ? 10 : 7
}

/** The light is on for the frames that begin in the first tenth of each second. */
const flashMs = 100

/**
 * The light and the digits at a frame: minutes, seconds and milliseconds since the start, rounded down. The first frame of each
 * second has the light on.
 */
export function writtenAt(frame: number, fps: number, form: TimeCode['form']): string {
  const ms = Math.floor((frame * 1000) / fps)
  const pad = (value: number, digits: number) => String(value).padStart(digits, '0')
  const seconds = `${pad(Math.floor(ms / 1000) % 60, 2)}.${pad(ms % 1000, 3)}`
  const light = ms % 1000 < flashMs ? '+' : '-'
  return form === 'minutes'
    ? `${light}${pad(Math.floor(ms / 60_000) % 100, 2)}:${seconds}`
    : `${light}${seconds}`
}

/** The patches that show these signs. */
export function signPatches(code: TimeCode, written: string): Patch[] {
  const { top, scale, store } = code
  const patches: Patch[] = []
  for (let i = 0; i < written.length; i++) {
    const at = signs.indexOf(written.charAt(i))
    const cell = { left: code.left + i * scale, top, columns: scale, rows: 2 * scale }
    if (at >= 0) patches.push(shown(cell, cellAt(store, cell, at)))
  }
  return patches
}

export interface Ink {
  ground: string
  sign: string
  light: string
}

/** The height of the store, in macroblocks. */
export function signStoreRows({ scale, perRow }: { scale: number; perRow: number }): number {
  return Math.ceil(signs.length / perRow) * 2 * scale
}

/** The size of the store, in pixels. */
export function storeSize({ store: { perRow }, scale }: TimeCode): { width: number; height: number } {
  return { width: perRow * scale * 16, height: signStoreRows({ scale, perRow }) * 16 }
}

/** The store as SVG, in pixels of the coded picture. */
export function storeSvg({ store, scale }: TimeCode, ink: Ink): string {
  const [wide, high] = [16 * scale, 32 * scale]
  const cell = (sign: string, i: number) => {
    const { left, top } = cellAt(store, { columns: scale, rows: 2 * scale }, i)
    const [x, y] = [left * 16, top * 16]
    return `<rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="${ink.ground}"/>${signSvg(sign, { x, y, scale }, ink)}`
  }
  return signs.map(cell).join('')
}

/** The signs that never change: colon and point. */
export function unchangingSvg(
  { left, top, scale }: Pick<TimeCode, 'left' | 'top' | 'scale'>,
  form: TimeCode['form'],
  ink: Ink,
): string {
  return [...writtenAt(0, 1, form)]
    .map((sign, i) =>
      signs.includes(sign) ? '' : signSvg(sign, { x: (left + i * scale) * 16, y: top * 16, scale }, ink),
    )
    .join('')
}

function signSvg(sign: string, { x, y, scale }: { x: number; y: number; scale: number }, ink: Ink): string {
  const middle = x + 8 * scale
  if (sign === '+' || sign === '-') {
    const look = sign === '+' ? `fill="${ink.light}"` : `fill="${ink.sign}" fill-opacity=".22"`
    return `<circle cx="${middle}" cy="${y + 16 * scale}" r="${4.5 * scale}" ${look}/>`
  }
  return text(sign, { x: middle, y: y + 24.5 * scale, size: 24 * scale, anchor: 'middle', fill: ink.sign })
}

/** A bar that shows how loud the sound is: a row of cells with two lights each, from the left. All in macroblocks. */
export interface LevelBar {
  left: number
  top: number
  /** The sides of a cell. */
  scale: number
  cells: number
  /** The place of a cell without light, with one and with both: `perRow` cells in a row, the next rows below. */
  store: Store
}

const lightsPerCell = 2

/** The number of different cells. */
const looks = lightsPerCell + 1

/** The patches that show a level from 0 to 1. */
export function levelPatches({ left, top, scale, cells, store }: LevelBar, level: number): Patch[] {
  const lit = Math.round(level * cells * lightsPerCell)
  return Array.from({ length: cells }, (_, i) => {
    const look = Math.max(0, Math.min(lightsPerCell, lit - i * lightsPerCell))
    const cell = { left: left + i * scale, top, columns: scale, rows: scale }
    return shown(cell, cellAt(store, cell, look))
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
    const { left, top } = cellAt(store, { columns: scale, rows: scale }, look)
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

/** The place of a cell in a store, counted from 0. */
function cellAt(
  { left, top, perRow }: Store,
  { columns, rows }: Pick<Patch, 'columns' | 'rows'>,
  at: number,
) {
  return { left: left + (at % perRow) * columns, top: top + Math.floor(at / perRow) * rows }
}

/** The patch that shows a cell of a store. */
function shown(
  { left, top, columns, rows }: Omit<Patch, 'dx' | 'dy'>,
  from: { left: number; top: number },
): Patch {
  return { left, top, columns, rows, dx: (from.left - left) * 16, dy: (from.top - top) * 16 }
}
