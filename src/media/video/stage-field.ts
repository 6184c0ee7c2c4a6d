import { codedRows } from './coded-picture.ts'
import { type Band, type Field, fieldOf, type Patch } from './field.ts'
import type { Cover, Place, Stage } from './stage.ts'
import { signPatches, writtenAt } from './time-code.ts'
import type { Moment } from './timeline.ts'

/** Rows that move together, from `top` (in rows of what is shown). */
export interface Depth {
  top: number
  depth: number
}

/** Where each piece of a frame comes from, in its key picture. `depths` are those of what the frame shows. */
export function fieldAt(
  stage: Stage,
  moment: Moment,
  order: { frame: number; fps: number; depths: readonly Depth[] },
): Field {
  const { picture, labels, mark, code } = stage
  const written = writtenAt(order.frame, order.fps, code.form)
  const bands = moving(stage, moment.sway, order.depths)
  const covers: Cover[] = [
    ...(mark ? [mark] : []),
    ...(labels && moment.key.labels === 'shown' ? [labels] : []),
  ]
  const patches = [
    ...(mark ? [{ ...mark, dx: 0, dy: 0 }] : []),
    ...(labels ? labelPatches(stage, moment, written) : signPatches(code, written)),
  ]
  const size = { mbWidth: picture.columns, mbHeight: codedRows(picture) }
  return fieldOf(size, covers.reduce(uncovered, bands), patches)
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

/** What is behind a cover comes from its shelf. */
function uncovered(bands: readonly Band[], { top, rows, shelf }: Cover): Band[] {
  const end = top + rows
  const dy = (shelf - top) * 16
  const cut = [top, end].map(edge => ({
    ...(bands.findLast(band => band.top <= edge) ?? { dx: 0, dy: 0 }),
    top: edge,
  }))
  const all = [...bands.filter(band => band.top !== top && band.top !== end), ...cut].sort(
    (a, b) => a.top - b.top,
  )
  return all.map(band => (band.top >= top && band.top < end ? { ...band, dy } : band))
}

/** Labels come in from the sides: so many of their columns as are in the picture. */
export function labelPatches(
  { labels, code }: Stage,
  { key, labels: part }: Pick<Moment, 'key' | 'labels'>,
  written: string,
): Patch[] {
  if (!labels || part === 0) return []
  const dy = key.labels === 'shown' ? 0 : (labels.waiting - labels.top) * 16
  const hidden = ({ columns }: Place) => columns - Math.round(columns * part)
  const [ofCaption, ofClock] = [hidden(labels.caption), hidden(labels.clock)]
  const edge = labels.clock.left + labels.clock.columns
  const caption = {
    ...labels.caption,
    columns: labels.caption.columns - ofCaption,
    top: labels.top,
    rows: labels.rows,
    dx: ofCaption * 16,
    dy,
  }
  const clock = {
    left: labels.clock.left + ofClock,
    columns: labels.clock.columns - ofClock,
    top: labels.top,
    rows: 2 * code.scale,
    dx: -ofClock * 16,
    dy,
  }
  const signs = signPatches(code, written, ofClock).filter(({ left, columns }) => left + columns <= edge)
  return [caption, clock, ...signs].filter(({ columns }) => columns > 0)
}
