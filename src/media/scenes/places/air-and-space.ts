import { black, mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { hillsIn, outline, profileOf } from '../parts/land.ts'
import { sky } from '../parts/sky.ts'
import { circle, ellipse, fill, type Point, path, round } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'
import { thing } from '../templates.ts'

/** High above the clouds: banks of them behind each other. */
export function clouds(stage: SceneStage): Setting {
  const { line, height, light } = stage
  const tops = [line(0.5), line(0.66), line(0.78), line(0.9)]
  const calm = line(0.1)
  const first = tops[0] ?? height
  const colours = [0.5, 0.26, 0.1, 0.4].map((part, i) =>
    mix(mix(stage.tone(white), light.sky[2], part), light.sky[1], i === 3 ? 0.35 : 0.06),
  )
  const isFull = stage.words.subject !== undefined
  const high = strip({ top: 0, depth: 0.02 }, () => [sky(stage, first, { clouds: isFull ? 'none' : 'few' })])
  return {
    // A subject may float up into the sky, so the sky below a calm row moves with it.
    strips: [
      high,
      ...(isFull ? [{ ...high, top: calm, depth: 0.06 }] : []),
      ...tops.map((top, i) =>
        bank(stage, {
          top,
          bottom: tops[i + 1] ?? height,
          depth: [0.18, 0.4, 0.68, 1][i] ?? 1,
          above: colours[i - 1] ?? light.sky[2],
          colour: colours[i] ?? white,
        }),
      ),
    ],
    air: 'open',
    stand: { foot: line(0.72), tall: line(0.72) - calm - 4 },
  }
}

interface Bank extends SceneRows {
  depth: number
  above: Rgb
  colour: Rgb
}

/** Round heaps beside each other, one colour below, their upper edges in the light. */
function bank(stage: SceneStage, { top, bottom, depth, above, colour }: Bank): Strip {
  const { width, unit, random } = stage
  const draw = random(`bank ${depth}`)
  const tall = bottom - top
  const heaps = (lower: number) => {
    let d = `M0 ${round(bottom)}V${round(top + tall * 0.7 + lower)}H${round(width)}V${round(bottom)}Z`
    for (let x = -unit * 4; x < width + unit * 8; ) {
      const r = Math.min(unit * (3 + draw.next() ** 2 * 12), tall * 0.8)
      const y = top + r + tall * 0.04 + (tall - r) * draw.next() * 0.6 + lower
      d += `M${round(x - r)} ${round(bottom)}V${round(y)}a${round(r)} ${round(r)} 0 0 1 ${round(2 * r)} 0V${round(bottom)}Z`
      x += r * (0.6 + draw.next() * 0.5)
    }
    return d
  }
  return strip({ top, depth, floor: colour }, () => [
    stage.shade({ top, bottom }, [above, above]),
    path(heaps(0), fill(mix(colour, white, 0.35))),
    path(heaps(tall * 0.16), fill(colour)),
    stage.mist({ top: top + tall * 0.55, bottom }, colour),
  ])
}

/** A planet among stars over the ground of a moon. */
export function space(stage: SceneStage): Setting {
  const { line, height, light } = stage
  const [first, second, third, near] = [
    line(stage.words.subject ? 0.44 : 0.56),
    line(0.68),
    line(0.8),
    line(0.92),
  ]
  const deep = mix(light.sky[0], black, 0.66)
  const low = mix(mix(light.sky[1], light.sky[0], 0.5), black, 0.45)
  return {
    strips: [
      strip({ top: 0, depth: 0.04 }, () => [
        stage.shade({ top: 0, bottom: first }, [deep, mix(deep, low, 0.4), low]),
        nebula(stage, first),
        stars(stage, { top: 0, bottom: first }),
        planet(stage, first),
      ]),
      ground(stage, { name: 'rim', top: first, bottom: second, depth: 0.2, above: low, far: 0.5 }),
      ground(stage, {
        name: 'plain',
        top: second,
        bottom: third,
        depth: 0.42,
        above: soil(stage, 0.5),
        far: 0.3,
      }),
      ground(stage, {
        name: 'craters',
        top: third,
        bottom: near,
        depth: 0.7,
        above: soil(stage, 0.3),
        far: 0.12,
      }),
      ground(stage, {
        name: 'near',
        top: near,
        bottom: height,
        depth: 1,
        above: soil(stage, 0.12),
        far: -0.35,
      }),
    ],
    air: 'closed',
    stand: { foot: line(0.88), tall: height * 0.48 },
  }
}

/** Dust and rock, in the colour of grass where a season is named. */
function soil({ light, words, materials }: SceneStage, far: number): Rgb {
  const stone = mix(mix(rgb('#9a93a8'), light.sky[1], 0.35), materials.grass, words.season ? 0.35 : 0)
  return far < 0 ? mix(stone, black, 0.6) : mix(stone, mix(light.sky[0], black, 0.5), 0.25 + far)
}

function nebula(stage: SceneStage, bottom: number): string {
  const { width, light, random } = stage
  const draw = random('nebula')
  const x = width * (0.2 + draw.next() * 0.15)
  return stage.glow({ x, y: bottom * (0.45 + draw.next() * 0.3), radius: bottom * 0.42 }, light.sky[1], 0.4)
}

function stars(stage: SceneStage, { top, bottom }: SceneRows): string {
  const draw = stage.random('stars')
  return Array.from({ length: 170 }, () => {
    const at: Point = [draw.next() * stage.width, top + draw.next() * (bottom - top)]
    return circle(at, stage.unit * (0.08 + draw.next() ** 4 * 0.3), fill(white, 0.35 + draw.next() * 0.6))
  }).join('')
}

/** A large planet with bands of colour, a ring and a dark side. */
function planet(stage: SceneStage, bottom: number): string {
  const { width, margin, unit, light, random } = stage
  const draw = random('planet')
  const r = Math.min(bottom * 0.27, unit * 17)
  const [x, y] = [margin + (width - 2 * margin) * (0.5 + draw.next() * 0.16), Math.max(bottom * 0.5, r * 1.5)]
  const bright = mix(light.sun.glow, light.sky[2], draw.next() * 0.6)
  return (
    stage.glow({ x, y, radius: r * 1.7 }, bright, 0.4) +
    thing(stage, 'planet', { at: [x, y + r], tall: 2 * r, main: bright })
  )
}

interface GroundOrder extends SceneRows {
  name: string
  depth: number
  above: Rgb
  far: number
}

/** Dust and rock, with craters lit from one side. */
function ground(stage: SceneStage, { name, top, bottom, depth, above, far }: GroundOrder): Strip {
  const { unit, width, random } = stage
  const tall = bottom - top
  const order = hillsIn(`moon ${name}`, { top, bottom }, [0.14, 0.62])
  const colour = soil(stage, far)
  const draw = random(`craters ${name}`)
  const craters = Array.from({ length: Math.round(width / (unit * 26)) }, () => {
    const wide = unit * (1.5 + draw.next() * 4.5) * (1.1 - far)
    const at: Point = [draw.next() * width, top + tall * (0.7 + draw.next() * 0.18)]
    const size: Point = [wide, Math.min(wide * 0.24, tall * 0.1)]
    return (
      ellipse([at[0], at[1] + size[1] * 0.22], size, fill(mix(colour, white, 0.3))) +
      ellipse(at, size, fill(mix(colour, black, 0.3)))
    )
  })
  return strip({ top, depth, floor: colour }, () => [
    stage.shade({ top, bottom }, [above, above]),
    path(outline(stage, profileOf(stage, order), bottom), fill(colour)),
    depth === 1 ? '' : craters.join(''),
  ])
}
