import type { Rgb } from '../../drawing/colour.ts'
import { along, fill, type Point, path, round } from '../shapes.ts'
import type { SceneRows, SceneStage } from '../stage.ts'

/** A range of hills or mountains over the whole width. All lengths are pixels. */
interface RangeOrder {
  /** Names its stream of random values. */
  name: string
  shape: 'peaks' | 'hills' | 'dunes'
  /** The row of its highest top and of its lowest saddle. */
  top: number
  saddle: number
  /** Filled down to this row. */
  bottom: number
}

/** Hills in some rows: the row of the highest top and of the lowest saddle, as parts of the rows. */
export function hillsIn(
  name: string,
  { top, bottom }: SceneRows,
  [highest, lowest]: readonly [number, number],
): RangeOrder {
  const tall = bottom - top
  return { name, shape: 'hills', top: top + tall * highest, saddle: top + tall * lowest, bottom }
}

const points = 161

/** The line along the tops of a range, from left to right. */
export function profileOf(stage: SceneStage, { name, shape, top, saddle }: RangeOrder): Point[] {
  const heights = shape === 'peaks' ? peaks(stage, name) : hills(stage, name, shape)
  const [least, most] = [Math.min(...heights), Math.max(...heights)]
  return heights.map((height, i) => [
    (i / (heights.length - 1)) * stage.width,
    saddle - ((height - least) / (most - least || 1)) * (saddle - top),
  ])
}

/** A range filled with one colour. */
export function range(stage: SceneStage, order: RangeOrder, colour: Rgb): string {
  return path(outline(stage, profileOf(stage, order), order.bottom), fill(colour))
}

/** The sides of a range that lie away from the sun: from each top down its right slope. */
export function shadows(tops: readonly Point[], bottom: number): string {
  const isTop = (i: number) => {
    const [before, at, after] = [tops[i - 4]?.[1], tops[i]?.[1], tops[i + 4]?.[1]]
    return at !== undefined && at <= (before ?? at) && at <= (after ?? at)
  }
  let out = ''
  for (let i = 8; i < tops.length; i += 16) {
    const [at, end] = [tops[i], tops[Math.min(i + 8, tops.length - 1)]]
    if (!at || !end || !isTop(i)) continue
    const slope = tops.slice(i, i + 9)
    const deep = Math.min(bottom, end[1] + (end[1] - at[1]) * 0.5)
    const fold = (part: number, aside: number): Point => [
      at[0] + (end[0] - at[0]) * aside,
      at[1] + (deep - at[1]) * part,
    ]
    out += `${along([...slope, [end[0], deep], fold(1, 0.3), fold(0.72, 0.02), fold(0.5, 0.2), fold(0.3, -0.06), fold(0.16, 0.1)])}Z`
  }
  return out
}

/** The outline of the area below a line of tops. */
export function outline({ width }: SceneStage, tops: readonly Point[], bottom: number): string {
  return `${along(tops)}L${round(width)} ${round(bottom)}L0 ${round(bottom)}Z`
}

/** Wide pictures show more mountains, not wider ones. */
function turnsOf({ width, unit }: SceneStage, each: number): number {
  return width / unit / each
}

/** Tops and saddles in turn, and between them a broken line that is finer with each step. */
function peaks(stage: SceneStage, name: string): number[] {
  const draw = stage.random(name)
  const count = 2 * Math.max(2, Math.round(turnsOf(stage, 30)))
  const steps = 8
  const corners = Array.from({ length: count + 1 }, (_, i) =>
    i % 2 === 0 ? draw.next() * 0.4 : 0.34 + draw.next() * 0.66,
  )
  let line = corners
  for (let roughness = 0.16, fine = 1; fine < steps; fine *= 2, roughness *= 0.55)
    line = line.flatMap((height, i) => {
      const next = line[i + 1]
      return next === undefined ? [height] : [height, (height + next) / 2 + (draw.next() - 0.5) * roughness]
    })
  return line
}

/** Soft waves; dunes lean to one side. */
function hills(stage: SceneStage, name: string, shape: 'hills' | 'dunes'): number[] {
  const draw = stage.random(name)
  const turns = turnsOf(stage, shape === 'dunes' ? 95 : 110)
  const waves = [1, 1.7, 2.9].map((rate, i) => ({
    turns: turns * rate * (0.8 + draw.next() * 0.4),
    phase: draw.next() * 2 * Math.PI,
    height: 0.55 ** i,
  }))
  const lean = shape === 'dunes' ? 0.55 : 0.1
  return Array.from({ length: points }, (_, i) =>
    waves.reduce((sum, { turns, phase, height }) => {
      const angle = (i / (points - 1)) * turns * 2 * Math.PI + phase
      return sum + height * Math.sin(angle + lean * Math.sin(angle))
    }, 0),
  )
}
