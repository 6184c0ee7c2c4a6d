import { black, mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { ridge } from '../parts/land.ts'
import { sky, starsIn } from '../parts/sky.ts'
import { ellipse, fill, type Point, path, round } from '../shapes.ts'
import { many, type Rows, type SceneStage, type Setting, stripsOf } from '../stage.ts'
import { thing } from '../templates.ts'

/** High above the clouds: banks of them behind each other. */
export function clouds(stage: SceneStage): Setting {
  const { line, light, tone, words } = stage
  const colours = [0.5, 0.26, 0.1, 0.4].map((part, i) =>
    mix(mix(tone(white), light.sky[2], part), light.sky[1], i === 3 ? 0.35 : 0.06),
  )
  const banks = (
    [
      [0.5, 0.18],
      [0.66, 0.4],
      [0.78, 0.68],
      [0.9, 1],
    ] as const
  ).map(([from, depth], i) => {
    const [above, colour] = [colours[i - 1] ?? light.sky[2], colours[i] ?? white]
    return [
      from,
      depth,
      (rows: Rows) => [stage.shade(rows, [above]), bank(stage, rows, colour)],
      colour,
    ] as const
  })
  const high = () => [sky(stage, line(0.5), words.subject ? 0 : 3)]
  return {
    // A subject may float up into the sky, so the sky below a calm row moves with it.
    strips: stripsOf(stage, [
      [0, 0.02, high],
      ...(words.subject ? [[0.1, 0.06, high] as const] : []),
      ...banks,
    ]),
    air: 'open',
    stand: { foot: line(0.72), tall: line(0.72) - line(0.1) - 4 },
  }
}

/** Round heaps beside each other, one colour below, their upper edges in the light. */
function bank(stage: SceneStage, { top, bottom, tall, at }: Rows, colour: Rgb): string {
  const { width, unit, random } = stage
  const draw = random(`bank ${top}`)
  const heaps = (lower: number) => {
    let d = `M0 ${round(bottom)}V${round(at(0.7) + lower)}H${round(width)}V${round(bottom)}Z`
    for (let x = -unit * 4; x < width + unit * 8; ) {
      const r = Math.min(unit * (3 + draw.next() ** 2 * 12), tall * 0.8)
      const y = top + r + tall * 0.04 + (tall - r) * draw.next() * 0.6 + lower
      d += `M${round(x - r)} ${round(bottom)}V${round(y)}a${round(r)} ${round(r)} 0 0 1 ${round(2 * r)} 0V${round(bottom)}Z`
      x += r * (0.6 + draw.next() * 0.5)
    }
    return d
  }
  return [
    path(heaps(0), fill(mix(colour, white, 0.35))),
    path(heaps(tall * 0.16), fill(colour)),
    stage.mist({ top: at(0.55), bottom }, colour),
  ].join('')
}

/** A planet among stars over the ground of a moon. */
export function space(stage: SceneStage): Setting {
  const { line, height, light, words, materials } = stage
  const deep = mix(light.sky[0], black, 0.66)
  const low = mix(mix(light.sky[1], light.sky[0], 0.5), black, 0.45)
  const stone = mix(mix(rgb('#9a93a8'), light.sky[1], 0.35), materials.grass, words.season ? 0.35 : 0)
  /** Dust and rock, in the colour of grass where a season is named. */
  const soil = (far: number) => mix(stone, mix(light.sky[0], black, 0.5), 0.25 + far)
  const ground = (rows: Rows, above: Rgb, colour: Rgb) =>
    ridge(stage, rows, { name: `moon ${rows.top}`, span: [0.14, 0.62], above: [above], colour })
  const dark = mix(stone, black, 0.6)
  return {
    strips: stripsOf(stage, [
      [
        0,
        0.04,
        rows => [
          stage.shade(rows, [deep, mix(deep, low, 0.4), low]),
          nebula(stage, rows),
          starsIn(stage, rows.bottom, 170),
          planet(stage, rows),
        ],
      ],
      [
        words.subject ? 0.44 : 0.56,
        0.2,
        rows => [ground(rows, low, soil(0.5)), craters(stage, rows, soil(0.5))],
      ],
      [0.68, 0.42, rows => [ground(rows, soil(0.5), soil(0.3)), craters(stage, rows, soil(0.3))]],
      [0.8, 0.7, rows => [ground(rows, soil(0.3), soil(0.12)), craters(stage, rows, soil(0.12))], soil(0.12)],
      [0.92, 1, rows => [ground(rows, soil(0.12), dark)], dark],
    ]),
    air: 'closed',
    stand: { foot: line(0.88), tall: height * 0.48 },
  }
}

function nebula(stage: SceneStage, { at, tall }: Rows): string {
  const { width, light, random } = stage
  const draw = random('nebula')
  const x = width * (0.2 + draw.next() * 0.15)
  return stage.glow({ x, y: at(0.45 + draw.next() * 0.3), radius: tall * 0.42 }, light.sky[1], 0.4)
}

/** A large planet with bands of colour, a ring and a dark side. */
function planet(stage: SceneStage, { tall }: Rows): string {
  const { width, margin, unit, light, random } = stage
  const draw = random('planet')
  const r = Math.min(tall * 0.27, unit * 17)
  const [x, y] = [margin + (width - 2 * margin) * (0.5 + draw.next() * 0.16), Math.max(tall * 0.5, r * 1.5)]
  const main = mix(light.sun.glow, light.sky[2], draw.next() * 0.6)
  const glow = stage.glow({ x, y, radius: r * 1.7 }, main, 0.4)
  return glow + thing(stage, 'planet', { at: [x, y + r], tall: 2 * r, main })
}

/** Craters that are lit from one side. */
function craters(stage: SceneStage, rows: Rows, colour: Rgb): string {
  const { unit, width } = stage
  return many(stage, { name: `craters ${rows.top}`, apart: 26 }, draw => {
    const wide = unit * (1.5 + draw.next() * 4.5)
    const [x, y]: Point = [draw.next() * width, rows.at(0.7 + draw.next() * 0.18)]
    const size: Point = [wide, Math.min(wide * 0.24, rows.tall * 0.1)]
    const lit = ellipse([x, y + size[1] * 0.22], size, fill(mix(colour, white, 0.3)))
    return lit + ellipse([x, y], size, fill(mix(colour, black, 0.3)))
  }).join('')
}
