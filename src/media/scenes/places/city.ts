import type { Random } from '../../../emulator/ground.ts'
import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { glints, mistOf } from '../parts/ground.ts'
import { windowsPath } from '../parts/land.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { circle, fill, path, rect, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

const walls = ['#c9d3dc', '#a9bccb', '#d8c3ae', '#b88a76', '#8fa5b8', '#e4dccf', '#98a9a6'].map(rgb)
const quay = rgb('#a9a29b')
const paving = rgb('#c6bdb2')

/** Towers in haze, houses along a river, a promenade with lamps. */
export function city(stage: SceneStage): Setting {
  const { line, height } = stage
  const [first, river, bank, near] = [line(0.4), line(0.66), line(0.76), line(0.92)]
  return {
    strips: [
      strip({ top: 0, depth: 0.03 }, () => [
        sky(stage, first, { clouds: 'few' }),
        towers(stage, { top: height * 0.14, bottom: first }),
      ]),
      houses(stage, { top: first, bottom: river }),
      water(stage, { top: river, bottom: bank }),
      promenade(stage, { top: bank, bottom: near }),
      rail(stage, { top: near, bottom: height }),
    ],
    air: 'open',
    stand: { foot: line(0.9), tall: height * 0.46 },
  }
}

/** The colour of stone ground, with snow in winter. */
function groundOf({ materials }: SceneStage, stone: Rgb): Rgb {
  return materials.snow ? mix(stone, white, 0.75) : stone
}

/** Towers far away, one colour and without windows. */
function towers(stage: SceneStage, { top, bottom }: SceneRows): string {
  const { width, unit, random, tone, light } = stage
  const draw = random('towers')
  const colour = mix(tone(rgb('#7188a4'), 0.45), light.sky[1], 0.15)
  let d = ''
  for (let x = -unit * 2; x < width; ) {
    const wide = unit * (2.5 + draw.next() * 4.5)
    const high = bottom - (bottom - top) * (0.3 + 0.66 * draw.next() ** 1.6)
    d += tower(x, wide, { high, bottom, draw })
    x += wide + unit * draw.next() * 2.2
  }
  return path(d, fill(colour)) + stage.mist({ top: top + (bottom - top) * 0.4, bottom }, mistOf(stage))
}

/** Flat, stepped, pointed or slanting. */
function tower(
  x: number,
  wide: number,
  { high, bottom, draw }: { high: number; bottom: number; draw: Random },
): string {
  const kind = draw.integer(0, 3)
  if (kind === 1)
    return box(x, high + wide * 0.9, wide, bottom) + box(x + wide * 0.2, high, wide * 0.6, bottom)
  if (kind === 2)
    return `${box(x, high + wide * 0.5, wide, bottom)}M${round(x)} ${round(high + wide * 0.5)}L${round(x + wide / 2)} ${round(high - wide * 0.3)}L${round(x + wide)} ${round(high + wide * 0.5)}Z`
  if (kind === 3)
    return `M${round(x)} ${round(bottom)}V${round(high + wide * 0.5)}L${round(x + wide)} ${round(high)}V${round(bottom)}Z`
  return box(x, high, wide, bottom)
}

/** Houses with windows along the quay. */
function houses(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { tone } = stage
  const mist = mistOf(stage)
  const foot = bottom - (bottom - top) * 0.07
  const back = blocks(stage, { name: 'back', top: top + 6, bottom: foot, far: 0.36, lowest: 0.55 })
  const front = blocks(stage, {
    name: 'front',
    top: top + (bottom - top) * 0.34,
    bottom: foot,
    far: 0.08,
    lowest: 0.45,
  })
  const wall = rect(
    [0, foot],
    [stage.width, bottom - foot],
    fill(mix(tone(groundOf(stage, quay)), stage.light.sky[0], 0.25)),
  )
  return strip({ top, depth: 0.18 }, () => [
    stage.shade({ top, bottom }, [mist, mist]),
    back,
    stage.mist({ top: top + (bottom - top) * 0.3, bottom: foot }, mist, 0.75),
    front,
    wall,
  ])
}

interface Blocks extends SceneRows {
  name: string
  far: number
  /** The height of the lowest house as a part of the highest. */
  lowest: number
}

function blocks(stage: SceneStage, { name, top, bottom, far, lowest }: Blocks): string {
  const { width, unit, random, tone, light, materials } = stage
  const draw = random(`${name} houses`)
  const size = unit * 0.62
  const groups = walls.map(colour => ({ colour: tone(colour, far), bodies: '', sides: '' }))
  let panes = ''
  let roofs = ''
  let last = -1
  for (let left = -unit * 3; left < width; ) {
    const wide = unit * (6 + draw.next() * 7)
    const high = bottom - (bottom - top) * (lowest + (1 - lowest) * draw.next())
    const pick = (last + draw.integer(1, walls.length - 1)) % walls.length
    last = pick
    const group = groups[pick]
    if (group) group.bodies += box(left, high, wide, bottom)
    if (group) group.sides += box(left + wide * 0.74, high, wide * 0.26, bottom)
    roofs += box(left - unit * 0.2, high, wide + unit * 0.4, high + unit * 0.7)
    panes += windowsPath(
      { left, top: high + unit * 0.6, wide, bottom: bottom - unit, shown: light.lamps ? 0.62 : 1 },
      { size, next: () => draw.next() },
    )
    left += wide + (draw.next() < 0.3 ? unit * draw.next() * 2 : 0)
  }
  const dark = mix(light.sky[0], tone(rgb('#3f5468'), far), 0.7)
  const window = light.lamps ? rgb('#ffd483') : mix(dark, light.haze, far)
  return (
    groups
      .map(({ colour, bodies, sides }) =>
        bodies ? path(bodies, fill(colour)) + path(sides, fill(mix(colour, dark, 0.22))) : '',
      )
      .join('') +
    path(
      roofs,
      fill(materials.snow ? tone(white, far * 0.5) : mix(dark, light.haze, far), materials.snow ? 1 : 0.4),
    ) +
    path(panes, fill(window, light.lamps ? 0.9 : 0.55))
  )
}

function box(left: number, top: number, wide: number, bottom: number): string {
  return `M${round(left)} ${round(bottom)}V${round(top)}h${round(wide)}V${round(bottom)}Z`
}

function water(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { light, tone } = stage
  const deep = mix(light.sky[1], tone(rgb('#4c7f98')), 0.5)
  const shade = stage.shade({ top, bottom }, [mix(deep, light.haze, 0.25), deep])
  return strip({ top, depth: 0.36 }, () => [
    shade,
    glints(stage, { name: 'river', top, bottom, x: sunAt(stage, top)[0] }),
  ])
}

/** Paving with lamps and round trees in pots. */
function promenade(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { tone, width, unit, light, words } = stage
  const kerb = (bottom - top) * 0.16
  const [wall, ground] = [mix(tone(groundOf(stage, quay)), light.sky[0], 0.2), tone(groundOf(stage, paving))]
  const seams = Array.from({ length: Math.ceil(width / (unit * 14)) }, (_, i) => {
    const x = i * unit * 14
    return `M${round(x)} ${round(top + kerb)}L${round(x - unit * 5)} ${round(bottom)}`
  })
  const lamps = words.subject
    ? []
    : Array.from({ length: Math.ceil(width / (unit * 46)) }, (_, i) =>
        lamp(stage, {
          x: unit * (20 + i * 46),
          top: top + kerb * 0.2,
          bottom: bottom - (bottom - top) * 0.22,
        }),
      )
  return strip({ top, depth: 0.68 }, () => [
    stage.shade({ top, bottom: top + kerb }, [wall, wall]),
    stage.shade({ top: top + kerb, bottom }, [mix(ground, light.haze, 0.15), ground]),
    path(
      seams.join(''),
      `fill="none" stroke="#000" stroke-opacity=".08" stroke-width="${round(unit * 0.2)}"`,
    ),
    lamps.join(''),
  ])
}

function lamp(stage: SceneStage, { x, top, bottom }: SceneRows & { x: number }): string {
  const { unit, tone, light } = stage
  const r = Math.min(unit * 0.9, (bottom - top) * 0.12)
  const post = mix(tone(rgb('#3d4650')), light.sky[0], 0.3)
  const shine = light.lamps ? stage.glow({ x, y: top + r * 2, radius: r * 5 }, rgb('#ffdc96'), 0.75) : ''
  return (
    rect([x - r * 0.16, top + r * 2], [r * 0.32, bottom - top - r * 2], fill(post)) +
    rect([x - r * 0.6, bottom - r * 0.5], [r * 1.2, r * 0.5], fill(post), r * 0.2) +
    shine +
    circle([x, top + r * 2], r, fill(light.lamps ? rgb('#fff0c8') : tone(rgb('#eef2f2'))))
  )
}

/** A railing at the lower edge. */
function rail(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { tone, width, unit, light } = stage
  const tall = bottom - top
  const ground = tone(groundOf(stage, paving))
  const dark = mix(tone(rgb('#37424d')), light.sky[0], 0.35)
  const posts = Array.from({ length: Math.ceil(width / (unit * 5)) }, (_, i) =>
    box(i * unit * 5, top + tall * 0.3, unit * 0.5, bottom),
  )
  const floor = mix(ground, light.sky[0], 0.3)
  return strip({ top, depth: 1, floor }, () => [
    stage.shade({ top, bottom }, [ground, floor]),
    path(posts.join(''), fill(dark)),
    rect([0, top + tall * 0.22], [width, Math.min(tall * 0.16, unit * 1.1)], fill(dark)),
  ])
}
