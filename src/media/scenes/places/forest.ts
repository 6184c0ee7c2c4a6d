import { mix, type Rgb, white } from '../../drawing/colour.ts'
import { meadow, mistOf } from '../parts/ground.ts'
import { sky } from '../parts/sky.ts'
import { hillsIn, profileOf, range } from '../parts/terrain.ts'
import { firs, firsAlong } from '../parts/trees.ts'
import { ellipse, fill, path, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

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
