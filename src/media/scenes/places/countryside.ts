import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { bloom, meadow, mistOf } from '../parts/ground.ts'
import { farmhouse, firs, firsAlong, hillsIn, profileOf, range, roundTree } from '../parts/land.ts'
import { sky } from '../parts/sky.ts'
import { ellipse, fill, path, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

const blue = rgb('#6f9aa8')

/** Rolling fields with groups of trees and a house. */
export function field(stage: SceneStage): Setting {
  return country(stage, { far: 0, near: stage.words.subject ? 0 : 1 })
}

/** The same fields with many houses in two rows. */
export function village(stage: SceneStage): Setting {
  return country(stage, { far: 9, near: 7 })
}

function country(stage: SceneStage, houses: { far: number; near: number }): Setting {
  const { line, height } = stage
  const [first, second, third, near] = [line(0.46), line(0.58), line(0.72), line(0.9)]
  const mist = mistOf(stage)
  const far = {
    name: 'far hills',
    shape: 'hills',
    top: height * 0.32,
    saddle: first - (first - height * 0.32) * 0.45,
    bottom: first,
  } as const
  return {
    strips: [
      strip({ top: 0, depth: 0.03 }, () => [
        sky(stage, first, { clouds: 'many' }),
        range(stage, far, stage.tone(stage.materials.snow ? mix(blue, white, 0.5) : blue, 0.4)),
        stage.mist({ top: far.top + (first - far.top) * 0.3, bottom: first }, mist),
      ]),
      hills(stage, {
        name: 'farther',
        top: first,
        bottom: second,
        depth: 0.14,
        far: 0.34,
        above: mist,
        trees: houses.far > 0 ? 5 : 9,
        houses: houses.far,
      }),
      hills(stage, {
        name: 'nearer',
        top: second,
        bottom: third,
        depth: 0.34,
        far: 0.12,
        above: groundAt(stage, 0.34),
        trees: 5,
        houses: houses.near,
      }),
      blooming(stage, { top: third, bottom: near }),
      meadow(stage, { top: near, bottom: height }),
    ],
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.44 },
  }
}

function groundAt({ tone, materials }: SceneStage, far: number): Rgb {
  return tone(mix(materials.meadow, materials.grass, 1 - far), far * 0.7)
}

interface HillOrder extends SceneRows {
  name: string
  depth: number
  far: number
  above: Rgb
  /** For each width of a hundred units. */
  trees: number
  /** One stands near the middle, several are spread over the width. */
  houses: number
}

function hills(stage: SceneStage, { name, top, bottom, depth, far, above, trees, houses }: HillOrder): Strip {
  const { unit, random, width, margin } = stage
  const tall = bottom - top
  const order = hillsIn(name, { top, bottom }, [0.36, 0.66])
  const tops = profileOf(stage, order)
  const draw = random(`${name} trees`)
  const pick = (part: number) =>
    tops[Math.min(tops.length - 1, Math.floor(part * tops.length))] ?? [0, bottom]
  const rowAt = ([, y]: readonly [number, number]) => y + unit * 0.7
  const count = Math.round((trees * width) / (unit * 130))
  const crowns = Array.from({ length: count }, () => {
    const at = pick(Math.floor(draw.next() * 4) / 4 + draw.next() * 0.16)
    const size = Math.min(unit * (6 + draw.next() * 4) * (1.1 - far), (rowAt(at) - top) * 0.98)
    return { x: at[0], svg: roundTree(stage, { at: [at[0], rowAt(at)], tall: size, far }) }
  })
  const homeAt = (part: number) => {
    const [x, y] = pick((margin + (width - 2 * margin) * part) / width)
    return farmhouse(stage, { at: [x, y + unit], tall: Math.min(unit * 8, (y - top) * 0.95), far })
  }
  const built =
    houses === 1
      ? homeAt(0.3 + draw.next() * 0.4)
      : Array.from({ length: houses }, (_, i) => homeAt((i + 0.2 + draw.next() * 0.6) / houses)).join('')
  const colour = groundAt(stage, far)
  return strip({ top, depth }, () => [
    stage.shade({ top, bottom }, [above, above]),
    crowns.map(({ svg }) => svg).join(''),
    range(stage, order, mix(colour, stage.tone(stage.materials.meadow, far), 0.5)),
    built,
    stage.mist({ top: top + tall * 0.5, bottom }, colour),
  ])
}

function blooming(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { tone, materials, words } = stage
  const colours = [groundAt(stage, 0.12), tone(materials.grass)]
  const dots = materials.snow || words.subject ? '' : bloom(stage, { top, bottom })
  return strip({ top, depth: 0.66 }, () => [stage.shade({ top, bottom }, colours), dots])
}

interface TreeRow extends SceneRows {
  name: string
  /** Feet of the trees, as a part of the rows from the top. */
  foot: number
  depth: number
  far: number
  size: number
}

/** Rows of firs in mist, light falling between them, a path over a clearing. */
export function forest(stage: SceneStage): Setting {
  const { line, height } = stage
  const [first, second, clearing, near] = [line(0.4), line(0.55), line(0.72), line(0.9)]
  const top = height * 0.16
  return {
    strips: [
      strip({ top: 0, depth: 0.03 }, () => [
        sky(stage, first, { clouds: 'none' }),
        beams(stage, first),
        trees(stage, { name: 'farthest', top, bottom: first, foot: 0.86, depth: 0, far: 0.66, size: 20 }),
      ]),
      misty(stage, {
        name: 'middle',
        top: first,
        bottom: second,
        foot: 0.9,
        depth: 0.14,
        far: 0.42,
        size: 17,
      }),
      misty(stage, {
        name: 'edge',
        top: second,
        bottom: clearing,
        foot: 0.94,
        depth: 0.32,
        far: 0.18,
        size: 18,
      }),
      glade(stage, { top: clearing, bottom: near }),
      meadow(stage, { top: near, bottom: height }),
    ],
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.46 },
  }
}

function misty(stage: SceneStage, row: TreeRow): Strip {
  const mist = mistOf(stage)
  const ground = row.far < 0.3 ? stage.tone(stage.materials.grass, 0.12) : mist
  const { top, bottom, depth } = row
  return strip({ top, depth }, () => [stage.shade({ top, bottom }, [mist, mist]), trees(stage, row, ground)])
}

/** A row of firs on rolling ground that fades into mist or into the grass in front. */
function trees(
  stage: SceneStage,
  { name, top, bottom, foot, far, size }: TreeRow,
  ground = mistOf(stage),
): string {
  const { tone, materials } = stage
  const tall = bottom - top
  const hill = hillsIn(name, { top, bottom }, [foot - 0.14, foot])
  const tops = profileOf(stage, hill)
  const row = firsAlong(stage, tops, {
    name: `${name} firs`,
    top,
    share: 0.62,
    room: [0.66, 0.34],
    sunk: 1,
    size: [0.55, 0.6, size],
  })
  const colour = tone(materials.snow ? mix(materials.fir, white, 0.2) : materials.fir, far)
  return (
    firs(stage, row, colour) +
    range(stage, hill, materials.snow ? tone(white, far) : colour) +
    stage.mist({ top: top + tall * 0.55, bottom }, ground)
  )
}

/** Light in slanting beams. */
function beams(stage: SceneStage, bottom: number): string {
  const { width, unit, light, random } = stage
  if (light.time === 'night') return ''
  const draw = random('beams')
  return Array.from({ length: 4 }, (_, i) => {
    const x = width * (0.34 + i * 0.15 + draw.next() * 0.06)
    const wide = unit * (3 + draw.next() * 4)
    const lean = -bottom * 0.5
    return path(
      `M${round(x)} 0h${round(wide)}l${round(lean + wide * 1.5)} ${bottom}h${round(-wide * 2.5)}Z`,
      fill(light.sun.glow, 0.13),
    )
  }).join('')
}

/** Grass with patches of light, between the trees. */
function glade(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { tone, materials, random, unit, width } = stage
  const [far, near]: [Rgb, Rgb] = [tone(materials.grass, 0.12), tone(materials.grass)]
  const draw = random('patches')
  const patches = Array.from({ length: Math.round(width / (unit * 16)) }, () => {
    const y = top + (bottom - top) * (0.12 + draw.next() * 0.76)
    return ellipse(
      [draw.next() * width, y],
      [unit * (6 + draw.next() * 12), unit * (0.4 + draw.next() * 0.6)],
      fill(tone(materials.meadow), 0.4),
    )
  })
  return strip({ top, depth: 0.66 }, () => [stage.shade({ top, bottom }, [far, near]), patches.join('')])
}
