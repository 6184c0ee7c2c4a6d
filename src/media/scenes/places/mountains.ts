import { black, mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { glints, meadow, mistOf } from '../parts/ground.ts'
import { farmhouse, firs, ridge, shadows } from '../parts/land.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { fill, path } from '../shapes.ts'
import { type Rows, rowsOf, type SceneStage, type Setting, stripsOf } from '../stage.ts'

/** Hills under snow with firs, a hut with lit windows, falling flakes. */
export function snow(stage: SceneStage): Setting {
  const { line, height, light, tone, words } = stage
  // Snow takes on the colour of the sky where it lies in the shade.
  const snowAt = (far: number, shade: number) =>
    mix(tone(mix(rgb('#f4f8fd'), rgb('#c3d5ea'), shade), far), light.sky[1], 0.1 + shade * 0.12)
  const wooded = (rows: Rows, far: number, { share, hut }: { share: number; hut: boolean }) =>
    ridge(stage, rows, {
      name: `snow ${far}`,
      span: [0.4, 0.68],
      above: [far > 0.2 ? mistOf(stage) : snowAt(0.3, 0.3)],
      behind: tops => {
        const colour = tone(rgb('#3f6670'), far)
        return firs(stage, tops, { name: `snow firs ${far}`, top: rows.top, share, size: [6, 9], colour })
      },
      colour: snowAt(far, 0),
      on: tops => (hut ? farmhouse(stage, tops, { part: 0.3, top: rows.top, far }) : ''),
      fade: [0.5, snowAt(far > 0.2 ? 0.3 : 0.05, 0.3)],
    })
  const drift = (rows: Rows, [above, lit, dark]: readonly [number, number, number]) =>
    ridge(stage, rows, {
      name: `drift ${dark}`,
      span: [0.2, 0.8],
      above: [snowAt(0.05, above)],
      colour: snowAt(0, lit),
      fade: [0.4, snowAt(0, dark)],
    })
  return {
    strips: stripsOf(stage, [
      [0, 0.03, ({ bottom }) => [sky(stage, bottom, 0), peaks(stage, rowsOf(height * 0.22, bottom), 0.5)]],
      [0.46, 0.15, rows => [wooded(rows, 0.3, { share: 0.5, hut: false })]],
      [0.6, 0.38, rows => [wooded(rows, 0.1, { share: 0.24, hut: !words.subject })]],
      [0.75, 0.68, rows => [drift(rows, [0.3, 0.05, 0.35])], snowAt(0, 0.35)],
      [0.91, 1, rows => [drift(rows, [0.35, 0.5, 0.8])], snowAt(0, 0.8)],
    ]),
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.44 },
  }
}

/** Ranges of mountains behind each other in mist, over a meadow with firs. */
export function mountains(stage: SceneStage): Setting {
  const { line, height, tone, materials } = stage
  const wood = materials.snow ? mix(rgb('#44725a'), white, 0.55) : rgb('#44725a')
  return {
    strips: stripsOf(stage, [
      [0, 0.04, ({ bottom }) => [sky(stage, bottom, 3), peaks(stage, rowsOf(height * 0.2, bottom), 0.55)]],
      [0.5, 0.14, rows => [peaks(stage, rows, 0.3)]],
      [
        0.63,
        0.4,
        rows => [
          ridge(stage, rows, {
            name: 'slope',
            span: [0.3, 0.5],
            above: [mistOf(stage)],
            behind: tops => {
              const colour = tone(materials.fir, 0.22)
              return firs(stage, tops, { name: 'firs', top: rows.top, share: 0.7, size: [6, 8], colour })
            },
            colour: tone(wood, 0.14),
            fade: [0.3, tone(materials.grass)],
          }),
        ],
      ],
      meadow(stage, 0.88),
    ]),
    air: 'open',
    stand: { foot: line(0.86), tall: height * 0.44 },
  }
}

/** Rock with a lit and a dark side, fading into mist at its foot; the farthest range stands before the sky. */
function peaks(stage: SceneStage, rows: Rows, far: number): string {
  const { tone, materials, light } = stage
  const mist = mistOf(stage)
  const rock = tone(rgb('#586c8e'), far)
  const shade = fill(mix(rock, mix(light.sky[0], black, 0.2), 0.2), 0.75)
  return ridge(stage, rows, {
    name: `peaks ${far}`,
    shape: 'peaks',
    span: [0.04, 0.78],
    ...(far < 0.5 && { above: [mist] }),
    colour: materials.snow ? mix(rock, tone(white, far * 0.5), 0.6) : rock,
    on: tops => path(shadows(tops, rows.bottom), shade),
    fade: [0.22, mist],
  })
}

/** Mountains over a lake, a wooded bank in front. */
export function lake(stage: SceneStage): Setting {
  const { line, height, light, tone, materials } = stage
  /** The sky's colour, darker to the front. */
  const waterAt = (row: number): Rgb => {
    const [far, near] = [mix(light.sky[2], light.haze, 0.4), mix(light.sky[1], tone(rgb('#3a6f96')), 0.6)]
    return mix(far, near, (row / height - 0.5) / 0.45)
  }
  const water = (rows: Rows) => [
    stage.shade(rows, [waterAt(rows.top), waterAt(rows.bottom)]),
    glints(stage, rows, { name: `glints ${rows.top}`, x: sunAt(stage, rows.top)[0] }),
  ]
  const dark = materials.snow
    ? mix(tone(materials.meadow), light.sky[0], 0.08)
    : mix(tone(materials.fir), light.sky[0], 0.3)
  const floor = mix(dark, light.sky[0], materials.snow ? 0.2 : 0.45)
  return {
    strips: stripsOf(stage, [
      [0, 0.04, ({ bottom }) => [sky(stage, bottom, 3), peaks(stage, rowsOf(height * 0.17, bottom), 0.55)]],
      [0.44, 0.14, rows => [peaks(stage, rows, 0.3)]],
      [0.55, 0.26, water],
      [0.66, 0.42, water],
      [
        0.74,
        0.68,
        rows => [
          ridge(stage, rows, {
            name: 'bank',
            span: [0.42, 0.86],
            above: [waterAt(rows.top), waterAt(rows.bottom)],
            // The lake is seen between the firs.
            behind: tops => {
              const high = tops.filter(([, y]) => y < rows.at(0.72))
              const colour = mix(tone(materials.fir), light.sky[0], 0.38)
              return firs(stage, high, { name: 'bank', top: rows.top, share: 0.75, size: [6, 9], colour })
            },
            colour: dark,
          }),
        ],
      ],
      [
        0.92,
        1,
        rows => [ridge(stage, rows, { name: 'ground', span: [0.2, 1], above: [dark], colour: floor })],
        floor,
      ],
    ]),
    afloat: { foot: line(0.74) - 4, tall: line(0.74) - line(0.44) - 8 },
    air: 'open',
    stand: { foot: line(0.9), tall: height * 0.44 },
  }
}
