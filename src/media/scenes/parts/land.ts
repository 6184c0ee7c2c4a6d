import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { along, circle, fill, type Point, path, paths, rect, round } from '../shapes.ts'
import type { SceneRows, SceneStage } from '../stage.ts'
import { thing } from '../templates.ts'

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

/** Firs of one colour; snow lies on them in winter. */
export function firs(stage: SceneStage, places: readonly { at: Point; tall: number }[], colour: Rgb): string {
  const body = paths(
    places.map(({ at, tall }) => firPath([at[0], at[1] + tall * 0.08], tall)),
    fill(colour),
  )
  if (!stage.materials.snow) return body
  return (
    body +
    paths(
      places.map(({ at, tall }) => firSnow([at[0], at[1] + tall * 0.08], tall)),
      fill(mix(colour, stage.tone(white), 0.75)),
    )
  )
}

/** Firs on a part of the tops (`share`). `size` is their height in units and `room` that of the rows up to `top`: at least, and at most so much more. */
export function firsAlong(
  { random, unit }: SceneStage,
  tops: readonly Point[],
  { name, top, share, sunk = 0.8, size: [least, more, scale = 1], room }: Firs,
): { at: Point; tall: number }[] {
  const draw = random(name)
  const tallAt = (y: number) =>
    Math.min(unit * scale * (least + draw.next() * more), (y - top) * (room[0] + draw.next() * room[1]))
  return tops
    .filter(() => draw.next() < share)
    .map(([x, y]) => ({ at: [x, y + unit * sunk], tall: tallAt(y) }))
}

type Firs = Record<'top' | 'share', number> & { name: string; sunk?: number } & {
  [part in 'size' | 'room']: readonly [number, number, number?]
}

/** A tree with a round crown of three tones. */
export function roundTree(
  stage: SceneStage,
  { at: [x, y], tall, far }: { at: Point; tall: number; far: number },
): string {
  const [left, right, low] = stage.materials.leaves.map(leaf => stage.tone(leaf, far))
  if (!left || !right || !low) return ''
  const r = tall * 0.24
  const trunk = rect(
    [x - tall * 0.03, y - tall * 0.45],
    [tall * 0.06, tall * 0.45],
    fill(stage.tone([104, 76, 58], far)),
  )
  return (
    trunk +
    circle([x, y - tall * 0.45], r * 1.05, fill(low)) +
    circle([x - r * 0.55, y - tall * 0.62], r * 0.95, fill(left)) +
    circle([x + r * 0.5, y - tall * 0.68], r * 0.95, fill(right)) +
    circle([x - r * 0.05, y - tall * 0.78], r * 0.8, fill(mix(left, right, 0.5)))
  )
}

/** Blades of grass that grow up from a row, as paths from left to right. */
export function grassBlades(
  stage: SceneStage,
  { name, row, tall }: { name: string; row: number; tall: number },
): string[] {
  const draw = stage.random(name)
  const count = Math.round(stage.width / (tall * 0.5))
  return Array.from({ length: count }, (_, i) => {
    const x = ((i + draw.next() * 1.6 - 0.3) / count) * stage.width
    const [high, lean] = [tall * (0.4 + draw.next() * 0.6), (draw.next() - 0.5) * tall * 0.7]
    const half = tall * 0.05
    return `M${round(x - half)} ${round(row)}q${round(half)} ${round(-high * 0.6)} ${round(half + lean)} ${round(-high)}q${round(-lean * 0.4)} ${round(high * 0.5)} ${round(half - lean * 0.6)} ${round(high)}Z`
  })
}

/** A small house with a pitched roof; snow lies on it in winter and its windows are lit in the dark. */
export function farmhouse(
  stage: SceneStage,
  { at, tall, far }: { at: Point; tall: number; far: number },
): string {
  const { tone, materials, light } = stage
  const roof = materials.snow ? mix(tone(white, far), light.haze, 0.1) : tone(rgb('#b4553f'), far)
  return thing(stage, 'farmhouse', { at, tall, far, main: roof })
}

/** The front of a house that gets windows. Lengths are pixels. */
interface Front {
  left: number
  top: number
  wide: number
  bottom: number
  /** The part of the windows that are seen. */
  shown: number
}

/** The windows of a block as one path. */
export function windowsPath(
  { left, top, wide, bottom, shown }: Front,
  { size, next }: { size: number; next: () => number },
): string {
  const [columns, rows] = [
    Math.floor((wide - size) / (size * 2)),
    Math.floor((bottom - top - size) / (size * 2.6)),
  ]
  const inset = (wide - columns * size * 2 + size) / 2
  let out = ''
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (next() > shown) continue
      const [x, y] = [left + inset + column * size * 2, top + size * 1.2 + row * size * 2.6]
      out += `M${round(x)} ${round(y)}h${round(size)}v${round(size * 1.4)}h${round(-size)}Z`
    }
  return out
}
