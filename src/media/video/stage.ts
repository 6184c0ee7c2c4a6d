import { boldFactor, textWidth } from '../drawing/lettering.ts'
import { type CaptionRoom, captionBlock, type Layout, layoutOf } from '../drawing/svg.ts'
import { markText } from '../images/caption.ts'
import type { VideoRecipe } from '../render/recipe.ts'
import { type CodedPicture, codedPicture, codedRows, marginPx, mostRows } from './coded-picture.ts'
import { cellsOf, type LevelBar, signStoreRows, type TimeCode } from './signs.ts'
import { scheduleOf } from './timeline.ts'

/** Rows of the coded picture under something that does not move, and where what they hide is stored. All in macroblocks. */
export interface Cover {
  top: number
  rows: number
  store: number
}

/** Where everything is in the coded picture, in macroblocks. */
export interface Stage {
  picture: CodedPicture
  layout: Layout
  code: TimeCode
  /** Below the time code, and as wide as its signs. */
  bar?: LevelBar
  /** Caption and time code. They fade in after a given picture, and out before one. */
  labels: Labels
  mark?: Cover & Columns
  /**
   * The picture is coded in tiles of so many rows. The first one is coded anew for each key picture. It holds what changes: the time
   * code, and labels that come and go.
   */
  tileRows: number
}

/** The caption at the left edge, and beside it the time code. Moving content comes from the right, so that labels hide none of it. */
export interface Labels {
  top: number
  rows: number
  caption: Columns
  /** As high as the time code with the level bar. */
  clock: Columns
  /** They are seen in every frame, so that they are part of the ground. */
  stay: boolean
}

/** Columns, from `left` on. */
export interface Columns {
  left: number
  columns: number
}

/** The size of a drawn scene in whole macroblocks. */
export function sceneOrderSize({ width, height }: { width: number; height: number }) {
  return { width: Math.ceil(width / 16) * 16, height: Math.ceil(height / 16) * 16, margin: marginPx(width) }
}

/** Vectors must be shorter than 2048 pixels: in a very wide picture the time code moves right, to stay near its store. */
const widestVector = 2048 / 16 - 1

/** Lays out a video. */
export function stageOf(recipe: VideoRecipe): Stage {
  const layout = layoutOf(recipe)
  const scale = Math.max(1, Math.round(layout.unit / 14))
  const form: TimeCode['form'] = recipe.width < cellsOf('minutes') * 16 * scale * 2 ? 'seconds' : 'minutes'
  const barRows = recipe.levelBar ? scale : 0
  const block = captionBlock(recipe, labelRoom(layout, recipe), '')
  const rows = Math.max(2 * scale + barRows, Math.ceil((block.height + layout.unit * 1.6) / 16))
  // The store of signs is as wide as the margin. It is at most 28 rows high, because vectors must be shorter than 512 pixels.
  const storeColumns = marginPx(recipe.width) / 16
  const perRow = Math.floor(storeColumns / scale)
  const hidden = { columns: storeColumns, below: recipe.mark ? markRows(layout) : 0 }
  const picture = codedPicture(recipe, hidden)
  const clockColumns = (cellsOf(form) + 1) * scale
  const { step } = thumbsIn(rows, layout)
  const wanted = layout.margin + block.width + layout.unit * 2 + new Set(recipe.references).size * step
  const most = Math.max(0, Math.ceil(recipe.width / 16) - clockColumns - 1)
  const columns = Math.min(Math.max(Math.ceil(wanted / 16), picture.columns - scale - widestVector), most)
  const top = topOf(layout)
  const caption = { left: 0, columns }
  const { opens, closes } = scheduleOf(recipe)
  const stay = !opens && !closes
  const labels = { top, rows, caption, clock: { left: columns, columns: clockColumns }, stay }
  const code = {
    left: columns,
    top,
    scale,
    form,
    store: { left: picture.columns - storeColumns, top: 0, perRow },
  }
  return {
    ...tiled(picture, top + (stay ? 2 * scale + barRows : rows)),
    layout,
    code,
    labels,
    ...barOf(code, barRows),
    ...markOf(picture, layout, recipe.mark),
  }
}

/** The first row of caption and time code. */
function topOf({ margin }: Layout): number {
  return Math.max(1, Math.round((margin * 0.8) / 16))
}

function barOf({ left, top, scale, form, store }: TimeCode, rows: number): Pick<Stage, 'bar'> {
  if (rows === 0) return {}
  const place = { left, top: top + 2 * scale, scale, cells: cellsOf(form) }
  return {
    bar: { ...place, store: { ...store, top: store.top + signStoreRows({ scale, perRow: store.perRow }) } },
  }
}

/** The rows of the time code, with the level bar below it. */
export function clockRows({ code, bar }: Pick<Stage, 'code' | 'bar'>): number {
  return 2 * code.scale + (bar ? bar.scale : 0)
}

/** Divides the picture into tiles of equal height. The first tile holds the upper rows. As few rows as possible are added below, and none that needs a higher level. */
function tiled(picture: CodedPicture, upperRows: number): Pick<Stage, 'picture' | 'tileRows'> {
  const all = codedRows(picture)
  const counts = Array.from({ length: Math.max(1, Math.floor(all / upperRows)) }, (_, i) => i + 1)
  const most = mostRows(picture.columns, all)
  const choices = counts
    .map(count => ({ count, rows: Math.ceil(all / count) }))
    .filter(({ count, rows }) => count * rows <= most)
  const cost = ({ count, rows }: { count: number; rows: number }) => count * rows + rows
  const best = choices.reduce((least, choice) => (cost(choice) <= cost(least) ? choice : least))
  return { picture: { ...picture, below: picture.below + best.count * best.rows - all }, tileRows: best.rows }
}

/**
 * The room of the caption in a label, from the left edge of the picture and from the top of the label. A drawn scene leaves room for more
 * lines than a given picture, of which little should be hidden.
 */
export function labelRoom(
  { width, unit, margin }: Layout,
  { firstFrame, lastFrame }: Pick<VideoRecipe, 'firstFrame' | 'lastFrame'>,
): CaptionRoom {
  const room = Math.max(width * 0.46 - margin, unit * 20)
  const [height, maxLines] = firstFrame || lastFrame ? [12, 2] : [18, 4]
  return { left: margin, top: unit * 0.9, width: room, height: unit * height, unit, largest: 2.1, maxLines }
}

/** Small pictures beside the caption of a label: their size, and the distance from one to the next. */
export function thumbsIn(rows: number, { unit }: Layout): { height: number; width: number; step: number } {
  const height = Math.round(rows * 16 - unit * 2)
  const width = Math.round(height * 1.25)
  return { height, width, step: width + Math.round(unit * 1.2) }
}

function markRows({ unit }: Layout): number {
  return Math.max(1, Math.round((unit * 3.4) / 16))
}

/** At the lower right, above the controls of a browser's player. */
function markOf(picture: CodedPicture, layout: Layout, isMarked: boolean): Pick<Stage, 'mark'> {
  if (!isMarked) return {}
  const { width, height, unit, margin } = layout
  const columns = Math.ceil((textWidth(markText) * unit * 1.95 * boldFactor + unit * 2.6) / 16)
  const right = Math.floor((width - margin) / 16)
  const bottom = Math.floor((height - 2 * margin) / 16)
  const rows = markRows(layout)
  return { mark: { left: right - columns, columns, top: bottom - rows, rows, store: picture.rows } }
}
