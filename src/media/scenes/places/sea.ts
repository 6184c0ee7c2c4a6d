import type { Random } from '../../../emulator/ground.ts'
import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { beams, blades, flecks, glints } from '../parts/ground.ts'
import { ridge, topAt } from '../parts/land.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { fill, path, round } from '../shapes.ts'
import { many, type Rows, rowsOf, type SceneStage, type Setting, stripsOf } from '../stage.ts'
import { thing } from '../templates.ts'

/** The open sea under a wide sky, waves that run out on a beach. */
export function sea(stage: SceneStage): Setting {
  const { line, height, materials, tone, light, words } = stage
  const isAfloat = words.subject?.kind === 'boat'
  const [horizon, surf] = isAfloat ? [0.3, 0.74] : [0.46, 0.66]
  const sand = materials.snow ? mix(rgb('#ecd3a0'), rgb('#f2f7fc'), 0.85) : rgb('#ecd3a0')
  const [dry, wet, shallow] = [tone(sand), tone(rgb('#c9a878')), tone(rgb('#59c1c3'))]
  /** The air's colour at the horizon, clear and light near the beach. */
  const seaAt = (row: number): Rgb => {
    const part = Math.min(1, Math.max(0, (row / height - 0.46) / 0.3))
    const far = materials.snow ? mix(rgb('#3f8fbf'), rgb('#b9c8d6'), 0.4) : rgb('#3f8fbf')
    const mirrored = mix(light.sky[1], tone(far), 0.72)
    return part < 0.5
      ? mix(mix(mirrored, light.haze, 0.28), mirrored, part * 2)
      : mix(mirrored, shallow, part * 2 - 1)
  }
  const water = (rows: Rows) => [
    stage.shade(rows, [seaAt(rows.top), seaAt(rows.bottom)]),
    glints(stage, rows, { name: `sea ${rows.top}`, x: sunAt(stage, rows.top)[0] }),
  ]
  const near = mix(dry, wet, 0.14)
  const floor = mix(near, light.sky[0], 0.22)
  const grass = mix(tone(materials.grass), light.sky[0], 0.35)
  const marks = { name: 'marks', apart: 18, wide: [1.5, 4], thick: [0.22, 0], look: fill(wet, 0.4) } as const
  return {
    strips: stripsOf(stage, [
      [0, 0.03, ({ bottom }) => [sky(stage, bottom, 6)]],
      [horizon, 0.14, water],
      [0.54, 0.28, rows => [...water(rows), words.subject ? '' : sailingBoat(stage, rows)]],
      [
        surf,
        0.48,
        rows => [
          stage.shade(rows, [seaAt(rows.top), shallow]),
          waves(stage, rows, [
            [0.34, mix(shallow, tone(white), 0.22)],
            [0.55, mix(shallow, tone(white), 0.5)],
            [0.65, tone(white)],
            [0.72, mix(wet, dry, 0.2)],
          ]),
          stage.mist({ top: rows.at(0.75), bottom: rows.bottom }, dry),
        ],
      ],
      [
        0.8,
        0.7,
        rows => [
          stage.shade(rows, [dry, near]),
          flecks(stage, rows, marks),
          words.subject || materials.snow ? '' : ball(stage, rows),
        ],
      ],
      [
        0.92,
        1,
        rows => [stage.shade(rows, [near, floor]), blades(stage, rows, { colour: grass, thick: 0.36 })],
        floor,
      ],
    ]),
    air: 'open',
    stand: { foot: line(0.9), tall: height * 0.42 },
    afloat: { foot: line(surf) - 6, tall: (line(surf) - line(horizon)) * 1.6 },
  }
}

function sailingBoat(stage: SceneStage, rows: Rows): string {
  const { random, width, margin, unit } = stage
  const x = margin + (width - 2 * margin) * (0.16 + random('boat').next() * 0.3)
  const tall = Math.min(rows.tall * 0.86, unit * 14)
  return thing(stage, 'sailing-boat', { at: [x, rows.bottom - tall * 0.08], tall })
}

function ball(stage: SceneStage, { bottom }: Rows): string {
  const { random, width, margin, unit, height } = stage
  const tall = 2 * Math.min(unit * 3.4, height * 0.05)
  const x = margin + (width - 2 * margin) * (0.6 + random('ball').next() * 0.2)
  return thing(stage, 'beach-ball', { at: [x, bottom - unit * 5 + tall / 2], tall })
}

/** Lines of waves with crests, each filled down to the end of the rows: the part of the rows where it lies, and its colour. */
function waves(
  { width, unit, random }: SceneStage,
  rows: Rows,
  lines: readonly (readonly [number, Rgb])[],
): string {
  const draw = random('surf')
  const [long, rise] = [unit * 17, rows.tall * 0.12]
  const wave = `q${round(long * 0.3)} ${round(-rise)} ${round(long * 0.5)} ${round(-rise * 0.9)}q${round(long * 0.08)} ${round(rise * 0.9)} ${round(long * 0.5)} ${round(rise * 0.9)}`
  return lines
    .map(([part, colour]) => {
      const left = round(-draw.next() * long)
      const crests = wave.repeat(Math.ceil(width / long) + 1)
      return path(`M${left} ${round(rows.at(part))}${crests}V${round(rows.bottom)}H${left}Z`, fill(colour))
    })
    .join('')
}

/** Under the sea: light from above, reefs behind each other, weeds in front. */
export function underwater(stage: SceneStage): Setting {
  const { line, height, tone, light, words, materials } = stage
  const [clear, deep] = [rgb('#4fc3d4'), rgb('#14506f')]
  /** Light above, dark below. */
  const waterAt = (row: number): Rgb => {
    const part = row / height
    const colour =
      part < 0.4 ? mix(rgb('#1f7fa8'), clear, part / 0.4) : mix(clear, deep, Math.min(1, (part - 0.4) / 0.6))
    const seasonal = words.season ? mix(colour, materials.meadow, 0.2) : colour
    return mix(tone(seasonal), light.sky[0], 0.18)
  }
  const water = (rows: Rows) =>
    stage.shade(
      rows,
      [0, 0.5, 1].map(part => waterAt(rows.at(part))),
    )
  /** The farthest reef begins lower than its rows, where a subject floats above it. */
  const reef = (rows: Rows, far: number) => {
    const own = rowsOf(Math.max(rows.top, line(0.48)), rows.bottom)
    const stone = mix(tone(rgb('#2b5f74')), light.sky[0], 0.2)
    const hills = ridge(stage, own, {
      name: `reef ${far}`,
      span: [0.35, 0.78],
      behind: tops => {
        const grown = (draw: Random) => {
          const [x, y] = topAt(tops, draw.next())
          const tall = Math.min(stage.unit * (3 + draw.next() * 4.5), (y - own.top) * 0.95)
          const main = mix(tone(draw.pick(corals)), waterAt(y), far)
          const name = draw.next() < 0.4 ? 'coral-heads' : 'coral-fan'
          return tall < 3 ? '' : thing(stage, name, { at: [x, y], tall, main })
        }
        return many(stage, { name: `corals ${far}`, apart: 13 }, grown).join('')
      },
      colour: mix(stone, waterAt(own.top), far),
      fade: [0.55, waterAt(own.bottom)],
    })
    return [water(rows), hills]
  }
  const weed = mix(mix(rgb('#0f4a4f'), light.sky[0], 0.35), waterAt(height), 0.15)
  return {
    strips: stripsOf(stage, [
      [
        0,
        0.04,
        rows => [
          water(rows),
          beams(stage, rows.bottom, { colour: mix(light.sun.glow, white, 0.3) }),
          stage.mist({ top: rows.at(0.5), bottom: rows.bottom }, waterAt(rows.bottom)),
          words.subject ? '' : shoal(stage, rows, mix(waterAt(rows.bottom), rgb('#0d3a55'), 0.5)),
        ],
      ],
      [words.subject ? 0.2 : 0.48, 0.16, rows => reef(rows, 0.66)],
      [0.62, 0.38, rows => reef(rows, 0.36)],
      [0.76, 0.68, rows => reef(rows, 0.1)],
      [0.9, 1, rows => [water(rows), blades(stage, rows, { colour: weed, thick: 0.7 })], waterAt(height)],
    ]),
    air: 'closed',
    stand: { foot: line(0.72), tall: height * 0.5 },
  }
}

const corals = ['#f2837a', '#f4b860', '#c86fa8', '#7fc8a9'].map(rgb) as [Rgb, ...Rgb[]]

/** Small fish far away, all in one direction. */
function shoal(stage: SceneStage, rows: Rows, main: Rgb): string {
  const { width, margin, unit, random } = stage
  const draw = random('shoal')
  const middle = margin + (width - 2 * margin) * (0.3 + draw.next() * 0.3)
  return Array.from({ length: 11 }, () => {
    const x = middle + (draw.next() - 0.5) * unit * 38
    const y = rows.at(0.62 + (draw.next() - 0.5) * 0.34)
    return thing(stage, 'small-fish', { at: [x, y], tall: unit * (0.7 + draw.next() * 0.5), main })
  }).join('')
}
