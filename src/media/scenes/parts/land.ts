import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { along, fill, type Point, path, paths, round } from '../shapes.ts'
import type { Rows, SceneStage } from '../stage.ts'
import { thing } from '../templates.ts'

/** Hills, mountains or dunes over the whole width, with what stands before and behind them. */
interface RidgeOrder {
  /** Names its stream of random values. */
  name: string
  shape?: 'peaks' | 'hills' | 'dunes'
  /** Its highest top and its lowest saddle, as parts of its rows. */
  span: readonly [number, number]
  colour: Rgb
  /** The colours behind it; without them one sees what was drawn before. */
  above?: readonly Rgb[]
  /** What stands behind its tops, and what lies on it. */
  behind?(tops: readonly Point[]): string
  on?(tops: readonly Point[]): string
  /** From this part of its rows down it fades into a colour. */
  fade?: readonly [number, Rgb]
}

/** A range of hills, filled down to the end of its rows. */
export function ridge(stage: SceneStage, rows: Rows, order: RidgeOrder): string {
  const { name, shape = 'hills', span, colour, above, behind, on, fade } = order
  const [highest, lowest] = [rows.at(span[0]), rows.at(span[1])]
  const heights = shape === 'peaks' ? peaks(stage, name) : hills(stage, name, shape)
  const [least, most] = [Math.min(...heights), Math.max(...heights)]
  const tops = heights.map(
    (height, i): Point => [
      (i / (heights.length - 1)) * stage.width,
      lowest - ((height - least) / (most - least || 1)) * (lowest - highest),
    ],
  )
  const outline = `${along(tops)}L${round(stage.width)} ${round(rows.bottom)}L0 ${round(rows.bottom)}Z`
  return [
    above ? stage.shade(rows, above) : '',
    behind?.(tops) ?? '',
    path(outline, fill(colour)),
    on?.(tops) ?? '',
    fade ? stage.mist({ top: rows.at(fade[0]), bottom: rows.bottom }, fade[1]) : '',
  ].join('')
}

/** The place on a line of tops at a part of its width. */
export function topAt(tops: readonly Point[], part: number): Point {
  return tops[Math.min(tops.length - 1, Math.floor(part * tops.length))] ?? [0, 0]
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
  return Array.from({ length: 161 }, (_, i) =>
    waves.reduce((sum, { turns, phase, height }) => {
      const angle = (i / 160) * turns * 2 * Math.PI + phase
      return sum + height * Math.sin(angle + lean * Math.sin(angle))
    }, 0),
  )
}

/** Firs on a part of the tops (`share`), none of them above the row `top`. `size` is their least height in units, and how much more they may have. */
interface FirsOrder {
  name: string
  top: number
  share: number
  size: readonly [number, number]
  colour: Rgb
}

/** Firs of one colour; snow lies on them in winter. */
export function firs(
  { random, unit, materials, tone }: SceneStage,
  tops: readonly Point[],
  { name, top, share, size: [least, more], colour }: FirsOrder,
): string {
  const draw = random(name)
  const places = tops
    .filter(() => draw.next() < share)
    .map(([x, y]) => {
      const room = (y - top) * (0.62 + draw.next() * 0.38)
      const tall = Math.min(unit * (least + draw.next() * more), room)
      return { x, y: y + unit + tall * 0.08, tall }
    })
  const shapes = (shape: typeof firPath, look: string) =>
    paths(
      places.map(({ x, y, tall }) => shape([x, y], tall)),
      look,
    )
  const snow = materials.snow ? shapes(firSnow, fill(mix(colour, tone(white), 0.75))) : ''
  return shapes(firPath, fill(colour)) + snow
}

/** The outline of a fir in three steps, its foot at a point, as a path. */
function firPath([x, y]: Point, tall: number): string {
  const wide = tall * 0.2
  const side = (to: 1 | -1): Point[] =>
    [
      [wide * 0.55, -0.66],
      [wide * 0.3, -0.66],
      [wide * 0.8, -0.42],
      [wide * 0.45, -0.42],
      [wide, -0.08],
      [wide * 0.12, -0.08],
      [wide * 0.12, 0.02],
    ].map(([dx = 0, dy = 0]) => [x + to * dx, y + dy * tall])
  return `${along([[x, y - tall], ...side(1), ...side(-1).reverse()])}Z`
}

/** Snow on the upper side of a fir's steps, as a path. */
function firSnow([x, y]: Point, tall: number): string {
  const wide = tall * 0.2
  const cap = (from: number, half: number, down: number) =>
    `M${round(x)} ${round(y - tall * from)}l${round(half)} ${round(tall * down)}q${round(-half)} ${round(-tall * down * 0.5)} ${round(-2 * half)} 0Z`
  return cap(1, wide * 0.3, 0.19) + cap(0.78, wide * 0.48, 0.2) + cap(0.54, wide * 0.62, 0.27)
}

/** A tree with a round crown of three tones. */
export function roundTree(
  stage: SceneStage,
  { at, tall, far }: { at: Point; tall: number; far: number },
): string {
  const [left, right, dark] = stage.materials.leaves.map(leaf => stage.tone(leaf, far))
  return thing(stage, 'round-tree', { at, tall, far, colours: { left, right, dark } })
}

/** A small house on a line of tops, with a pitched roof; snow lies on it in winter and its windows are lit in the dark. */
export function farmhouse(
  stage: SceneStage,
  tops: readonly Point[],
  { part, top, far }: { part: number; top: number; far: number },
): string {
  const { tone, materials, light, width, margin, unit } = stage
  const [x, y] = topAt(tops, (margin + (width - 2 * margin) * part) / width)
  const main = materials.snow ? mix(tone(white, far), light.haze, 0.1) : tone(rgb('#b4553f'), far)
  const tall = Math.min(unit * 8, (y - top) * 0.95)
  return thing(stage, 'farmhouse', { at: [x, y + unit], tall, far, main })
}
