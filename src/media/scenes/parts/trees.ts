import { mix, type Rgb, white } from '../../drawing/colour.ts'
import { along, circle, fill, type Point, paths, rect, round } from '../shapes.ts'
import type { SceneStage } from '../stage.ts'

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
