import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { hillsIn, outline, profileOf, range } from '../parts/land.ts'
import { sky } from '../parts/sky.ts'
import { along, fill, type Point, path, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'
import { thing } from '../templates.ts'

const sand = rgb('#e3ab66')
const shade = rgb('#c07c4d')

/** Dunes in the dust of a wide plain, with cactuses. */
export function desert(stage: SceneStage): Setting {
  const { line, height, words } = stage
  const [first, second, third, near] = [line(0.46), line(0.58), line(0.72), line(0.9)]
  const dust = mix(stage.tone(sand, 0.45), stage.light.haze, 0.45)
  return {
    strips: [
      strip({ top: 0, depth: 0.03 }, () => [
        sky(stage, first, { clouds: 'few' }),
        mesas(stage, { top: height * 0.28, bottom: first, dust }),
      ]),
      dunes(stage, { name: 'far', top: first, bottom: second, depth: 0.14, far: 0.36, above: dust }),
      dunes(stage, {
        name: 'middle',
        top: second,
        bottom: third,
        depth: 0.34,
        far: 0.16,
        above: sandAt(stage, 0.36),
      }),
      dunes(stage, {
        name: 'near',
        top: third,
        bottom: near,
        depth: 0.64,
        far: 0,
        above: sandAt(stage, 0.16),
        ...(!words.subject && { cactuses: 3 }),
      }),
      nearSand(stage, { top: near, bottom: height }),
    ],
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.44 },
  }
}

function sandAt(stage: SceneStage, far: number): Rgb {
  return stage.tone(stage.materials.snow ? mix(sand, white, 0.8) : sand, far)
}

/** Flat-topped rocks far away. */
function mesas(stage: SceneStage, { top, bottom, dust }: { top: number; bottom: number; dust: Rgb }): string {
  const { width, unit, random, tone } = stage
  const draw = random('mesas')
  const rock = mix(tone(rgb('#b5694a'), 0.42), stage.light.haze, 0.16)
  const count = Math.max(2, Math.round(width / (unit * 48)))
  const mesa = (i: number) => {
    const x = (width * (i + 0.1 + draw.next() * 0.6)) / count
    const wide = unit * (10 + draw.next() * 16)
    const high = top + (bottom - top) * draw.next() * 0.5
    const slope = (bottom - high) * 0.32
    return `M${round(x)} ${bottom}l${round(slope * 0.8)} ${round((high - bottom) * 0.45)}l${round(slope * 0.15)} ${round((high - bottom) * 0.55)}h${round(wide)}l${round(slope * 0.2)} ${round((bottom - high) * 0.5)}l${round(slope)} ${round((bottom - high) * 0.5)}Z`
  }
  const shapes = Array.from({ length: count }, (_, i) => mesa(i)).join('')
  return path(shapes, fill(rock)) + stage.mist({ top: top + (bottom - top) * 0.3, bottom }, dust)
}

interface DuneOrder extends SceneRows {
  name: string
  depth: number
  far: number
  /** The colour above this strip. */
  above: Rgb
  cactuses?: number
}

/** A dune with a sharp ridge, one side in the sun and one in the shade. */
function dunes(stage: SceneStage, { name, top, bottom, depth, far, above, cactuses = 0 }: DuneOrder): Strip {
  const tall = bottom - top
  const order = { ...hillsIn(`${name} dune`, { top, bottom }, [0.12, 0.62]), shape: 'dunes' } as const
  const tops = profileOf(stage, order)
  const [light, dark] = [sandAt(stage, far), mix(sandAt(stage, far), stage.tone(shade, far), 0.75)]
  const placed = Array.from({ length: cactuses }, (_, i) =>
    cactus(stage, { name: `${name} cactus ${i}`, top, bottom, tops }),
  )
  return strip({ top, depth }, () => [
    stage.shade({ top, bottom }, [above, above]),
    path(outline(stage, tops, bottom), fill(light)),
    path(lee(tops, tall), fill(dark)),
    stage.mist({ top: top + tall * 0.55, bottom }, light),
    placed.join(''),
  ])
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
      const [first, last] = [run[0] ?? [0, 0], run.at(-1) ?? [0, 0]]
      const wide = last[0] - first[0]
      return `${along(run)}Q${round(first[0] + wide * 0.55)} ${round(last[1] + tall * 0.02)} ${round(first[0] + wide * 0.28)} ${round(first[1] + (last[1] - first[1]) + tall * 0.3)}Q${round(first[0] + wide * 0.3)} ${round(first[1] + (last[1] - first[1]) * 0.5)} ${round(first[0])} ${round(first[1])}Z`
    })
    .join('')
}

function cactus(
  stage: SceneStage,
  { name, top, bottom, tops }: { name: string; top: number; bottom: number; tops: readonly Point[] },
): string {
  const { random, unit } = stage
  const draw = random(name)
  const [x, ridge] = tops[Math.floor((0.06 + draw.next() * 0.88) * tops.length)] ?? [0, top]
  const foot = Math.min(bottom - unit, Math.max(ridge + (bottom - ridge) * 0.4, top + (bottom - top) * 0.66))
  return thing(stage, 'cactus', {
    at: [x, foot],
    tall: Math.min(unit * (9 + draw.next() * 7), (foot - top) * 0.94),
  })
}

function nearSand(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const colour = sandAt(stage, 0)
  const tall = bottom - top
  const dark = mix(mix(colour, stage.tone(shade), 0.7), stage.light.sky[0], 0.25)
  const ridge = {
    name: 'nearest',
    shape: 'dunes',
    top: top + tall * 0.15,
    saddle: bottom - 2,
    bottom,
  } as const
  return strip({ top, depth: 1, floor: dark }, () => [
    stage.shade({ top, bottom }, [colour, colour]),
    range(stage, ridge, dark),
  ])
}
