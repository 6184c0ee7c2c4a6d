import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { beams, bloom, flecks, meadow, mistOf } from '../parts/ground.ts'
import { farmhouse, firs, ridge, roundTree, topAt } from '../parts/land.ts'
import { sky } from '../parts/sky.ts'
import { fill } from '../shapes.ts'
import { type Rows, rowsOf, type SceneStage, type Setting, stripsOf } from '../stage.ts'

/** Rolling fields with groups of trees and a house. */
export function field(stage: SceneStage): Setting {
  return country(stage, { far: 0, near: stage.words.subject ? 0 : 1 })
}

/** The same fields with many houses in two rows. */
export function village(stage: SceneStage): Setting {
  return country(stage, { far: 9, near: 7 })
}

function country(stage: SceneStage, houses: { far: number; near: number }): Setting {
  const { line, height, tone, materials, words } = stage
  const mist = mistOf(stage)
  const groundAt = (far: number) => tone(mix(materials.meadow, materials.grass, 1 - far), far * 0.7)
  const blue = materials.snow ? mix(rgb('#6f9aa8'), white, 0.5) : rgb('#6f9aa8')
  const far = { name: 'far hills', span: [0, 0.55], colour: tone(blue, 0.4), fade: [0.3, mist] } as const
  const isBlooming = !materials.snow && !words.subject
  return {
    strips: stripsOf(stage, [
      [0, 0.03, ({ bottom }) => [sky(stage, bottom, 6), ridge(stage, rowsOf(height * 0.32, bottom), far)]],
      [
        0.46,
        0.14,
        rows => [
          hills(stage, rows, {
            far: 0.34,
            above: mist,
            colour: groundAt(0.34),
            trees: houses.far ? 5 : 9,
            houses: houses.far,
          }),
        ],
      ],
      [
        0.58,
        0.34,
        rows => [
          hills(stage, rows, {
            far: 0.12,
            above: groundAt(0.34),
            colour: groundAt(0.12),
            trees: 5,
            houses: houses.near,
          }),
        ],
      ],
      [
        0.72,
        0.66,
        rows => [
          stage.shade(rows, [groundAt(0.12), tone(materials.grass)]),
          isBlooming ? bloom(stage, rows) : '',
        ],
      ],
      meadow(stage, 0.9),
    ]),
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.44 },
  }
}

interface HillOrder {
  far: number
  above: Rgb
  colour: Rgb
  /** For each width of 130 units. */
  trees: number
  /** One stands near the middle, several are spread over the width. */
  houses: number
}

function hills(stage: SceneStage, rows: Rows, { far, above, colour, trees, houses }: HillOrder): string {
  const { unit, random, width, tone, materials } = stage
  const draw = random(`trees ${far}`)
  const tree = ([x, y]: readonly [number, number]) => {
    const tall = Math.min(unit * (6 + draw.next() * 4) * (1.1 - far), (y - rows.top) * 0.98)
    return roundTree(stage, { at: [x, y + unit * 0.7], tall, far })
  }
  const count = Math.round((trees * width) / (unit * 130))
  const partOf = (i: number) =>
    houses === 1 ? 0.3 + draw.next() * 0.4 : (i + 0.2 + draw.next() * 0.6) / houses
  return ridge(stage, rows, {
    name: `hills ${far}`,
    span: [0.36, 0.66],
    above: [above],
    behind: tops =>
      Array.from({ length: count }, () =>
        tree(topAt(tops, Math.floor(draw.next() * 4) / 4 + draw.next() * 0.16)),
      ).join(''),
    colour: mix(colour, tone(materials.meadow, far), 0.5),
    on: tops =>
      Array.from({ length: houses }, (_, i) =>
        farmhouse(stage, tops, { part: partOf(i), top: rows.top, far }),
      ).join(''),
    fade: [0.5, colour],
  })
}

/** Rows of firs in mist, light falling between them, a path over a clearing. */
export function forest(stage: SceneStage): Setting {
  const { line, height, tone, materials, light } = stage
  const mist = mistOf(stage)
  /** Firs on rolling ground that fades into mist or into the grass in front. Their feet are at a part of the rows. */
  const trees = (rows: Rows, far: number, { foot, size }: { foot: number; size: number }) => {
    const colour = tone(materials.snow ? mix(materials.fir, white, 0.2) : materials.fir, far)
    const order = {
      name: `firs ${far}`,
      top: rows.top,
      share: 0.62,
      size: [0.55 * size, 0.6 * size],
    } as const
    return ridge(stage, rows, {
      name: `trees ${far}`,
      span: [foot - 0.14, foot],
      ...(far < 0.6 && { above: [mist] }),
      behind: tops => firs(stage, tops, { ...order, colour }),
      colour: materials.snow ? tone(white, far) : colour,
      fade: [0.55, far < 0.3 ? tone(materials.grass, 0.12) : mist],
    })
  }
  const patches = { name: 'patches', apart: 16, wide: [6, 12], thick: [0.4, 0.6] } as const
  return {
    strips: stripsOf(stage, [
      [
        0,
        0.03,
        ({ bottom }) => [
          sky(stage, bottom, 0),
          light.time === 'night' ? '' : beams(stage, bottom, { colour: light.sun.glow, lean: -0.5 }),
          trees(rowsOf(height * 0.16, bottom), 0.66, { foot: 0.86, size: 20 }),
        ],
      ],
      [0.4, 0.14, rows => [trees(rows, 0.42, { foot: 0.9, size: 17 })]],
      [0.55, 0.32, rows => [trees(rows, 0.18, { foot: 0.94, size: 18 })]],
      [
        0.72,
        0.66,
        rows => [
          stage.shade(rows, [tone(materials.grass, 0.12), tone(materials.grass)]),
          flecks(stage, rows, { ...patches, look: fill(tone(materials.meadow), 0.4) }),
        ],
      ],
      meadow(stage, 0.9),
    ]),
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.46 },
  }
}
