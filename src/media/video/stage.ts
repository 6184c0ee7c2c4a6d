import { type CaptionRoom, captionBlock } from '../drawing/caption-block.ts'
import { type Layout, layoutOf } from '../drawing/frame-layout.ts'
import { boldFactor, textWidth } from '../drawing/lettering.ts'
import type { VideoRecipe } from '../recipe.ts'
import type { SceneDrawing } from '../scenes/scene.ts'
import { type CodedPicture, codedPicture, codedRows, marginPx } from './coded-picture.ts'
import { cellsOf, type TimeCode } from './time-code.ts'

/** Rows of the coded picture that something covers, and the shelf that has what is behind it. All in macroblocks. */
export interface Cover {
  top: number
  rows: number
  shelf: number
}

/** Where everything stands in the coded picture, in macroblocks. */
export interface Stage {
  picture: CodedPicture
  layout: Layout
  code: TimeCode
  /** Over given pictures, caption and time code are labels that come from the sides. In a drawn sky they are painted. */
  labels?: Cover & { waiting: number; caption: Place; clock: Place }
  /** The hidden rows below the picture that hold signs and labels. */
  shelfRows: number
  mark?: Cover & Place
  /** The picture is coded in tiles of so many rows. The first one, with the time code, is coded anew for each key picture. */
  tileRows: number
}

/** Columns, from `left` on. */
export interface Place {
  left: number
  columns: number
}

export const markText = 'AI generated'

/** The width of a drawn scene in whole macroblocks, as the stage has it. */
export function sceneOrderSize({ width, height }: { width: number; height: number }) {
  return { width: Math.ceil(width / 16) * 16, height: Math.ceil(height / 16) * 16, margin: marginPx(width) }
}

/** Lays out a video. `scene` is what is drawn, or undefined for given pictures alone. */
export function stageOf(recipe: VideoRecipe, scene: SceneDrawing | undefined): Stage {
  const layout = layoutOf(recipe)
  const scale = Math.max(1, Math.round(layout.unit / 14))
  const form = recipe.width < cellsOf('minutes') * 16 * scale * 2 ? 'seconds' : 'minutes'
  const isGiven = recipe.firstFrame !== undefined || recipe.lastFrame !== undefined
  const size = { scale, form, layout, mark: recipe.mark } as const
  const still = stillRows(scene, recipe)
  // A tall picture has its caption below the time code.
  const needed = layout.unit * (recipe.height > recipe.width ? 28 : 20)
  return isGiven || still * 16 < needed ? labelled(recipe, size) : painted(recipe, size, still)
}

interface Size {
  scale: number
  form: TimeCode['form']
  layout: Layout
  mark: boolean
}

function painted(recipe: VideoRecipe, { scale, form, layout, mark }: Size, still: number): Stage {
  const margin = marginPx(recipe.width) / 16
  const perRow = Math.floor(margin / scale)
  const storeRows = Math.ceil(12 / perRow) * 2 * scale
  const top = Math.max(1, Math.round((layout.margin * 0.8) / 16))
  // The sky stands still, so that its hidden columns are free; a low sky has no room for the store.
  const inSky = storeRows <= still
  const shelfRows = inSky ? 0 : 2 * scale
  const picture = codedPicture(recipe, shelfRows + markRows(layout))
  const right = Math.floor((recipe.width - layout.margin) / 16)
  const left = right - cellsOf(form) * scale
  const store = inSky
    ? { left: picture.columns - picture.margin, top: 0, perRow }
    : storeOnShelf(picture, left)
  const code = { left, top, scale, form, store }
  const place = mark && { mark: markPlace(picture, layout, shelfRows) }
  return { ...tiled(picture, top + 2 * scale), layout, code, shelfRows, ...place }
}

function labelled(recipe: VideoRecipe, { scale, form, layout, mark }: Size): Stage {
  const caption = captionBlock(recipe.caption, labelRoom(layout), '')
  const rows = Math.max(2 * scale, Math.ceil((caption.height + layout.unit * 1.6) / 16))
  const shelfRows = 2 * scale + 2 * rows
  const picture = codedPicture(recipe, shelfRows + markRows(layout))
  const right = Math.ceil(recipe.width / 16)
  const columns = (cellsOf(form) + 1) * scale
  const left = right - columns
  const top = Math.max(1, Math.round((layout.margin * 0.8) / 16))
  const code = { left, top, scale, form, store: storeOnShelf(picture, left) }
  const room = layout.margin + caption.width + layout.unit * 2
  const thumbs = thumbsIn(rows, layout)
  const wide = Math.ceil((room + new Set(recipe.references).size * thumbs.step) / 16)
  const place = { left: 0, columns: Math.min(wide, left - 1) }
  const waiting = picture.rows + 2 * scale
  const labels = { top, rows, shelf: waiting + rows, waiting, caption: place, clock: { left, columns } }
  return {
    ...tiled(picture, top + rows),
    layout,
    code,
    labels,
    shelfRows,
    ...(mark && { mark: markPlace(picture, layout, shelfRows) }),
  }
}

/** Tiles of equal height that the upper rows fit into, with as few rows as possible added below. */
function tiled(picture: CodedPicture, upperRows: number): Pick<Stage, 'picture' | 'tileRows'> {
  const all = codedRows(picture)
  const counts = Array.from({ length: Math.max(1, Math.floor(all / upperRows)) }, (_, i) => i + 1)
  const choices = counts.map(count => ({ count, rows: Math.ceil(all / count) }))
  const cost = ({ count, rows }: { count: number; rows: number }) => count * rows + rows
  const best = choices.reduce((least, choice) => (cost(choice) <= cost(least) ? choice : least))
  return { picture: { ...picture, below: picture.below + best.count * best.rows - all }, tileRows: best.rows }
}

/** Where the caption of a label stands, from the left edge of the picture and from the top of the label. */
export function labelRoom({ width, unit, margin }: Layout): CaptionRoom {
  const room = Math.max(width * 0.58 - margin, unit * 20)
  return { left: margin, top: unit * 0.9, width: room, height: unit * 12, unit, largest: 2.7, maxLines: 2 }
}

/** Small pictures beside the caption of a label: their size, and the distance from one to the next. */
export function thumbsIn(rows: number, { unit }: Layout): { height: number; width: number; step: number } {
  const height = Math.round(rows * 16 - unit * 2)
  const width = Math.round(height * 1.25)
  return { height, width, step: width + Math.round(unit * 1.2) }
}

/** One row of cells, near the time code, because vectors may not be long. */
function storeOnShelf({ columns, rows }: CodedPicture, codeLeft: number): TimeCode['store'] {
  return { left: Math.max(0, Math.min(codeLeft, columns - 24)), top: rows, perRow: 12 }
}

/** The rows of the uppermost band, which stands still when a caption is painted on it. */
function stillRows(scene: SceneDrawing | undefined, { height }: VideoRecipe): number {
  return Math.floor((scene?.bands[1]?.top ?? height) / 16)
}

function markRows({ unit }: Layout): number {
  return Math.max(1, Math.round((unit * 3.4) / 16))
}

/** At the lower right, above the controls of a browser's player. */
function markPlace({ rows }: CodedPicture, layout: Layout, shelfRows: number): Cover & Place {
  const { width, height, unit } = layout
  const columns = Math.ceil((textWidth(markText) * unit * 1.95 * boldFactor + unit * 2.6) / 16)
  const right = Math.floor((width - layout.margin) / 16)
  const bottom = Math.floor((height - 2 * layout.margin) / 16)
  return {
    left: right - columns,
    columns,
    top: bottom - markRows(layout),
    rows: markRows(layout),
    shelf: rows + shelfRows,
  }
}
