import type { Piece } from '../render/pixels.ts'
import { codedRows } from './coded-picture.ts'
import { type Band, type Field, fieldOf, type Patch, patched } from './field.ts'
import { levelPatches, signPatches, writtenAt } from './signs.ts'
import { type Cover, clockRows, type Stage } from './stage.ts'
import type { Key } from './timeline.ts'

/** Rows that move together, from `top` (in rows of what is shown). */
export interface Depth {
  top: number
  depth: number
}

/** What is written in a frame. `level` is the loudness of its sound, from 0 to 1. */
export interface Writing {
  frame: number
  fps: number
  level: number
}

/** What decides where the pieces of a frame come from. `depths` are those of what the key picture shows. */
interface FieldOrder extends Writing {
  key: Labelling
  sway: number
  depths: readonly Depth[]
}

type Labelling = Pick<Key, 'labels'>

/** Where each piece of a frame comes from, in its key picture. */
export type FieldOf = (order: FieldOrder) => Field

/** The fields of a video. Frames with the same movement share all rows but those with signs. */
export function fieldsOf(stage: Stage): FieldOf {
  const known = new Map<string, Field>()
  return order => {
    const bands = moving(stage, order.sway, order.depths)
    const { labels } = order.key
    const name = bands.reduce<string>((text, { top, dx }) => `${text} ${top} ${dx}`, labels)
    const field = known.get(name) ?? withoutSigns(stage, bands, labels)
    known.set(name, field)
    return patched(field, signsOf(stage, order.key, order))
  }
}

function withoutSigns(stage: Stage, bands: readonly Band[], labels: Key['labels']): Field {
  const { picture, mark } = stage
  const size = { mbWidth: picture.columns, mbHeight: codedRows(picture) }
  const patches = [
    ...(mark ? [{ ...mark, dx: 0, dy: 0 }] : []),
    ...(labels === 'shown' ? labelPlaces(stage) : []),
  ]
  return patched(fieldOf(size, mark ? uncovered(bands, mark) : bands), patches)
}

/** The time code and the level bar of a frame with this key picture. They come and go with the labels. */
function signsOf(stage: Stage, key: Labelling, { frame, fps, level }: Writing): Patch[] {
  const { code, bar } = stage
  if (key.labels === 'hidden') return []
  return [...signPatches(code, writtenAt(frame, fps, code.form)), ...(bar ? levelPatches(bar, level) : [])]
}

/** Where the time code and the level bar of a key picture lie in its ground, and where they go. All in pixels. */
export function signPieces(stage: Stage, key: Labelling, writing: Writing): PiecePlace[] {
  return signsOf(stage, key, writing).map(({ left, top, columns, rows, dx, dy }) => {
    const at = { left: left * 16, top: top * 16 }
    return { piece: { left: at.left + dx, top: at.top + dy, width: columns * 16, height: rows * 16 }, at }
  })
}

/** The labels as patches that do not move. */
function labelPlaces(stage: Stage): Patch[] {
  const { top, rows, caption, clock } = stage.labels
  const still = { top, dx: 0, dy: 0 }
  return [
    { ...still, ...caption, rows },
    { ...still, ...clock, rows: clockRows(stage) },
  ]
}

interface PiecePlace {
  piece: Piece
  at: { left: number; top: number }
}

/** Where each piece of the drawn labels goes in the coded picture. */
export function labelPieces(stage: Stage): PiecePlace[] {
  return labelPlaces(stage).map(({ left, top, columns, rows }) => ({
    piece: { left: left * 16, top: 0, width: columns * 16, height: rows * 16 },
    at: { left: left * 16, top: top * 16 },
  }))
}

function moving({ picture }: Stage, sway: number, depths: readonly Depth[]): Band[] {
  const still = { top: 0, dx: 0, dy: 0 }
  const rest = { top: picture.rows, dx: 0, dy: 0 }
  const shown = depths.map(({ top, depth }) => ({
    top,
    // Content moves to the left when its source lies to the right. `|| 0` turns -0 into 0.
    dx: Math.round(sway * depth * picture.reachPx) || 0,
    dy: 0,
  }))
  return [still, ...shown.filter(band => band.top < rest.top), rest]
}

/** What a cover hides comes from its store. */
function uncovered(bands: readonly Band[], { top, rows, store }: Cover): Band[] {
  const end = top + rows
  const dy = (store - top) * 16
  const cut = [top, end].map(edge => ({
    ...(bands.findLast(band => band.top <= edge) ?? { dx: 0, dy: 0 }),
    top: edge,
  }))
  const all = [...bands.filter(band => band.top !== top && band.top !== end), ...cut].sort(
    (a, b) => a.top - b.top,
  )
  return all.map(band => (band.top >= top && band.top < end ? { ...band, dy } : band))
}
