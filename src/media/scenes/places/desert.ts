import { mix, rgb, white } from '../../drawing/colour.ts'
import { ridge } from '../parts/land.ts'
import { sky } from '../parts/sky.ts'
import { along, fill, type Point, path, round } from '../shapes.ts'
import { many, type Rows, rowsOf, type SceneStage, type Setting, stripsOf } from '../stage.ts'
import { thing } from '../templates.ts'

/** Dunes in the dust of a wide plain, with cactuses. */
export function desert(stage: SceneStage): Setting {
  const { line, height, words, light, materials, tone } = stage
  const sand = rgb('#e3ab66')
  const dust = mix(tone(sand, 0.45), light.haze, 0.45)
  const sandAt = (far: number) => tone(materials.snow ? mix(sand, white, 0.8) : sand, far)
  const shadeAt = (far: number) => mix(sandAt(far), tone(rgb('#c07c4d'), far), 0.75)
  /** A sharp ridge, one side in the sun and one in the shade. */
  const dunes = (rows: Rows, far: number, above = sandAt(far + 0.2)) =>
    ridge(stage, rows, {
      name: `dunes ${far}`,
      shape: 'dunes',
      span: [0.12, 0.62],
      above: [above],
      colour: sandAt(far),
      on: tops => path(lee(tops, rows.tall), fill(shadeAt(far))),
      fade: [0.55, sandAt(far)],
    })
  const floor = mix(shadeAt(0), light.sky[0], 0.25)
  return {
    strips: stripsOf(stage, [
      [
        0,
        0.03,
        ({ bottom }) => [
          sky(stage, bottom, 3),
          mesas(stage, rowsOf(height * 0.28, bottom)),
          stage.mist({ top: rowsOf(height * 0.28, bottom).at(0.3), bottom }, dust),
        ],
      ],
      [0.46, 0.14, rows => [dunes(rows, 0.36, dust)]],
      [0.58, 0.34, rows => [dunes(rows, 0.16)]],
      [0.72, 0.64, rows => [dunes(rows, 0), words.subject ? '' : cactuses(stage, rows)]],
      [
        0.9,
        1,
        rows => [
          ridge(stage, rows, {
            name: 'nearest',
            shape: 'dunes',
            span: [0.15, 1],
            above: [sandAt(0)],
            colour: floor,
          }),
        ],
        floor,
      ],
    ]),
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.44 },
  }
}

/** Flat-topped rocks far away. */
function mesas(stage: SceneStage, { bottom, tall }: Rows): string {
  const { width, unit, tone, light } = stage
  const shapes = many(stage, { name: 'mesas', apart: 48 }, (draw, i) => {
    const x = unit * 48 * (i + 0.1 + draw.next() * 0.6)
    const wide = unit * (10 + draw.next() * 16)
    const high = tall * (1 - draw.next() * 0.5)
    const across = (part: number) => round(high * 0.32 * part)
    return `M${round(x)} ${bottom}l${across(0.8)} ${round(-high * 0.45)}l${across(0.15)} ${round(-high * 0.55)}h${round(Math.min(wide, width))}l${across(0.2)} ${round(high * 0.5)}l${across(1)} ${round(high * 0.5)}Z`
  })
  return path(shapes.join(''), fill(mix(tone(rgb('#b5694a'), 0.42), light.haze, 0.16)))
}

/** The shaded sides: below each falling part of the ridge, drawn out to a point. */
function lee(tops: readonly Point[], tall: number): string {
  const falling: Point[][] = []
  tops.forEach((at, i) => {
    const before = tops[i - 1]
    if (!before || at[1] < before[1]) return
    const run = falling.at(-1)
    if (run && run.at(-1) === before) run.push(at)
    else falling.push([before, at])
  })
  return falling
    .filter(run => run.length > 5)
    .map(run => {
      const [[x, y], [right, low]] = [run[0] ?? [0, 0], run.at(-1) ?? [0, 0]]
      const column = (part: number) => round(x + (right - x) * part)
      return `${along(run)}Q${column(0.55)} ${round(low + tall * 0.02)} ${column(0.28)} ${round(low + tall * 0.3)}Q${column(0.3)} ${round((y + low) / 2)} ${column(0)} ${round(y)}Z`
    })
    .join('')
}

function cactuses(stage: SceneStage, { top, at, tall }: Rows): string {
  const { random, unit, width } = stage
  const draw = random('cactuses')
  return [0, 1, 2]
    .map(i => {
      const spot: Point = [(width * (i + 0.1 + draw.next() * 0.8)) / 3, at(0.66 + draw.next() * 0.2)]
      const high = Math.min(unit * (9 + draw.next() * 7), (spot[1] - top) * 0.94, tall)
      return thing(stage, 'cactus', { at: spot, tall: high })
    })
    .join('')
}
