import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { glints, wavePath } from '../parts/ground.ts'
import { hillsIn, outline, profileOf } from '../parts/land.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { circle, ellipse, fill, type Point, path, round, stroke } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'
import { thing } from '../templates.ts'

const far = rgb('#3f8fbf')
const ice = rgb('#b9c8d6')
const shallow = rgb('#59c1c3')
const wet = rgb('#c9a878')
const sand = rgb('#ecd3a0')

/** The open sea under a wide sky, waves that run out on a beach. */
export function sea(stage: SceneStage): Setting {
  const { line, height, materials } = stage
  const isAfloat = stage.words.subject?.kind === 'boat'
  const [horizon, boats, waves, beach, near] = [
    line(isAfloat ? 0.3 : 0.46),
    line(0.54),
    line(isAfloat ? 0.74 : 0.66),
    line(0.8),
    line(0.92),
  ]
  const ground = materials.snow ? mix(sand, rgb('#f2f7fc'), 0.85) : sand
  return {
    strips: [
      strip({ top: 0, depth: 0.03 }, () => [sky(stage, horizon, { clouds: 'many' })]),
      water(stage, { top: horizon, bottom: boats, depth: 0.14 }),
      sailed(stage, { top: boats, bottom: waves, depth: 0.28 }),
      surf(stage, { top: waves, bottom: beach, ground }),
      dry(stage, { top: beach, bottom: near, ground }),
      nearSand(stage, { top: near, bottom: height, ground }),
    ],
    air: 'open',
    stand: { foot: line(0.9), tall: height * 0.42 },
    afloat: { foot: waves - 6, tall: (waves - horizon) * 1.6 },
  }
}

/** The colour of the sea: the air's at the horizon, clear and light near the beach. */
function seaAt({ light, tone, height, materials }: SceneStage, row: number): Rgb {
  const part = Math.min(1, Math.max(0, (row / height - 0.46) / 0.3))
  const mirrored = mix(light.sky[1], tone(materials.snow ? mix(far, ice, 0.4) : far), 0.72)
  return part < 0.5
    ? mix(mix(mirrored, light.haze, 0.28), mirrored, part * 2)
    : mix(mirrored, tone(shallow), part * 2 - 1)
}

function water(stage: SceneStage, { top, bottom, depth }: SceneRows & { depth: number }): Strip {
  const shade = stage.shade({ top, bottom }, [seaAt(stage, top), seaAt(stage, bottom)])
  return strip({ top, depth }, () => [
    shade,
    glints(stage, { name: `sea ${depth}`, top, bottom, x: sunAt(stage, top)[0] }),
  ])
}

function sailed(stage: SceneStage, { top, bottom, depth }: SceneRows & { depth: number }): Strip {
  const { random, width, margin, unit, words } = stage
  const plain = water(stage, { top, bottom, depth })
  if (words.subject) return plain
  const draw = random('boat')
  const tall = Math.min((bottom - top) * 0.86, unit * 14)
  const x = margin + (width - 2 * margin) * (0.16 + draw.next() * 0.3)
  return strip(plain, () => [
    plain.content(),
    thing(stage, 'sailing-boat', { at: [x, bottom - tall * 0.08], tall }),
  ])
}

/** Waves with foam, then wet sand. */
function surf(stage: SceneStage, { top, bottom, ground }: SceneRows & { ground: Rgb }): Strip {
  const { unit, tone, random } = stage
  const draw = random('surf')
  const tall = bottom - top
  const shore = { top: top + tall * 0.55, saddle: top + tall * 0.82 }
  const foam = (row: number, colour: Rgb, look: string) =>
    path(
      wavePath(stage, { row, rise: tall * 0.12, long: unit * 17, shift: draw.next() * unit * 17, bottom }),
      fill(colour),
    ) + look
  return strip({ top, depth: 0.48 }, () => [
    stage.shade({ top, bottom }, [seaAt(stage, top), tone(shallow)]),
    foam(top + tall * 0.34, mix(tone(shallow), tone(white), 0.22), ''),
    foam(shore.top, mix(tone(shallow), tone(white), 0.5), ''),
    foam(shore.top + tall * 0.1, tone(white), ''),
    foam(shore.top + tall * 0.17, mix(tone(wet), tone(ground), 0.2), ''),
    stage.mist({ top: shore.top + tall * 0.2, bottom }, tone(ground)),
  ])
}

function dry(stage: SceneStage, { top, bottom, ground }: SceneRows & { ground: Rgb }): Strip {
  const { tone, width, unit, random, margin } = stage
  const colour = tone(ground)
  const draw = random('shells')
  const marks = Array.from({ length: 7 }, () => {
    const at = [draw.next() * width, top + (bottom - top) * (0.25 + draw.next() * 0.6)] as const
    return ellipse(at, [unit * (1.5 + draw.next() * 4), unit * 0.22], fill(tone(wet), 0.4))
  })
  const size = 2 * Math.min(unit * 3.4, stage.height * 0.05)
  const ball =
    stage.words.subject || stage.materials.snow
      ? ''
      : thing(stage, 'beach-ball', {
          at: [margin + (width - 2 * margin) * (0.6 + draw.next() * 0.2), bottom - unit * 5 + size / 2],
          tall: size,
        })
  return strip({ top, depth: 0.7 }, () => [
    stage.shade({ top, bottom }, [colour, mix(colour, tone(wet), 0.14)]),
    marks.join(''),
    ball,
  ])
}

/** The sand at the lower edge, with blades of beach grass. */
function nearSand(stage: SceneStage, { top, bottom, ground }: SceneRows & { ground: Rgb }): Strip {
  const { tone, light, unit, width, random } = stage
  const colour = mix(tone(ground), tone(wet), 0.14)
  const draw = random('beach grass')
  const tall = bottom - top
  const blades = Array.from({ length: Math.round(width / (unit * 2.4)) }, () => {
    const cluster = Math.floor(draw.next() * 5) / 5 + 0.06
    const x = width * cluster + (draw.next() - 0.5) * unit * 14
    const lean = (draw.next() - 0.5) * unit * 4
    return `M${Math.round(x)} ${bottom}q0 ${Math.round(-tall * 0.5)} ${Math.round(lean)} ${Math.round(-tall * (0.4 + draw.next() * 0.5))}`
  })
  const floor = mix(colour, light.sky[0], 0.22)
  return strip({ top, depth: 1, floor }, () => [
    stage.shade({ top, bottom }, [colour, floor]),
    path(blades.join(''), stroke(mix(tone(stage.materials.grass), light.sky[0], 0.35), unit * 0.36)),
  ])
}

const clear = rgb('#4fc3d4')
const blue = rgb('#1f7fa8')
const deep = rgb('#14506f')
const corals = ['#f2837a', '#f4b860', '#c86fa8', '#7fc8a9'].map(rgb)

/** Under the sea: light from above, reefs behind each other, weeds in front. */
export function underwater(stage: SceneStage): Setting {
  const { line, height } = stage
  const isFull = stage.words.subject !== undefined
  const [first, second, third, near] = [line(isFull ? 0.2 : 0.48), line(0.62), line(0.76), line(0.9)]
  return {
    strips: [
      strip({ top: 0, depth: 0.04 }, () => [
        deepWater(stage, { top: 0, bottom: first }),
        rays(stage, first),
        stage.mist({ top: first * 0.5, bottom: first }, waterAt(stage, first)),
        isFull ? '' : shoal(stage, first),
      ]),
      reef(stage, { name: 'far reef', top: first, from: line(0.48), bottom: second, depth: 0.16, far: 0.66 }),
      reef(stage, { name: 'reef', top: second, from: second, bottom: third, depth: 0.38, far: 0.36 }),
      reef(stage, { name: 'near reef', top: third, from: third, bottom: near, depth: 0.68, far: 0.1 }),
      weeds(stage, { top: near, bottom: height }),
    ],
    air: 'closed',
    stand: { foot: line(0.72), tall: height * 0.5 },
  }
}

/** The colour of the water at a row: light above, dark below. */
function waterAt({ tone, light, height, words, materials }: SceneStage, row: number): Rgb {
  const part = row / height
  const colour = part < 0.4 ? mix(blue, clear, part / 0.4) : mix(clear, deep, Math.min(1, (part - 0.4) / 0.6))
  const seasonal = words.season ? mix(colour, materials.meadow, 0.2) : colour
  return mix(tone(seasonal), light.sky[0], 0.18)
}

function deepWater(stage: SceneStage, { top, bottom }: SceneRows): string {
  return stage.shade({ top, bottom }, [
    waterAt(stage, top),
    waterAt(stage, (top + bottom) / 2),
    waterAt(stage, bottom),
  ])
}

function rays(stage: SceneStage, bottom: number): string {
  const { width, unit, light, random } = stage
  const draw = random('rays')
  return Array.from({ length: 5 }, (_, i) => {
    const x = width * (0.36 + i * 0.11 + draw.next() * 0.05)
    const wide = unit * (2 + draw.next() * 3)
    const lean = (x - width * 0.6) * 0.5
    return path(
      `M${round(x)} 0h${round(wide)}l${round(lean + wide * 2)} ${bottom}h${round(-wide * 4)}Z`,
      fill(mix(light.sun.glow, white, 0.3), 0.1),
    )
  }).join('')
}

/** Small fish far away, all in one direction. */
function shoal(stage: SceneStage, bottom: number): string {
  const { width, margin, unit, random } = stage
  const draw = random('shoal')
  const [x, y] = [margin + (width - 2 * margin) * (0.3 + draw.next() * 0.3), bottom * 0.62]
  const fish = Array.from({ length: 11 }, () => {
    const [left, top, long] = [
      x + (draw.next() - 0.5) * unit * 38,
      y + (draw.next() - 0.5) * bottom * 0.34,
      unit * (1.6 + draw.next() * 1.2),
    ]
    return `M${round(left)} ${round(top)}q${round(long * 0.5)} ${round(-long * 0.36)} ${round(long)} 0l${round(long * 0.36)} ${round(-long * 0.22)}v${round(long * 0.44)}l${round(-long * 0.36)} ${round(-long * 0.22)}q${round(-long * 0.5)} ${round(long * 0.36)} ${round(-long)} 0Z`
  })
  return path(fish.join(''), fill(mix(waterAt(stage, bottom), rgb('#0d3a55'), 0.5), 0.75))
}

interface ReefOrder extends SceneRows {
  name: string
  /** The row above which there is only water. */
  from: number
  depth: number
  far: number
}

function reef(stage: SceneStage, { name, top, from, bottom, depth, far }: ReefOrder): Strip {
  const tall = bottom - from
  const order = hillsIn(name, { top: from, bottom }, [0.35, 0.78])
  const tops = profileOf(stage, order)
  const body = mix(mix(stage.tone(rgb('#2b5f74')), stage.light.sky[0], 0.2), waterAt(stage, from), far)
  return strip({ top, depth }, () => [
    deepWater(stage, { top, bottom }),
    branches(stage, { name, tops, top: from, far }),
    path(outline(stage, tops, bottom), fill(body)),
    stage.mist({ top: from + tall * 0.55, bottom }, waterAt(stage, bottom)),
  ])
}

/** Corals on a reef: fans of branches and round ones, in groups. */
function branches(
  stage: SceneStage,
  { name, tops, top, far }: { name: string; tops: readonly Point[]; top: number; far: number },
): string {
  const { unit, random, tone } = stage
  const draw = random(`${name} corals`)
  return Array.from({ length: Math.round(stage.width / (unit * 13)) }, () => {
    const [x, y] = tops[Math.floor(draw.next() * tops.length)] ?? [0, 0]
    const colour = mix(tone(draw.pick(corals as [Rgb, ...Rgb[]])), waterAt(stage, y), far)
    const tall = Math.min(unit * (3 + draw.next() * 4.5), (y - top) * 0.95)
    if (tall < 3) return ''
    if (draw.next() < 0.4)
      return [-0.3, 0, 0.34]
        .map((aside, i) =>
          circle(
            [x + aside * tall, y - tall * (i === 1 ? 0.3 : 0.12)],
            tall * 0.3,
            fill(mix(colour, white, i * 0.08)),
          ),
        )
        .join('')
    const arms = [-0.5, -0.22, 0, 0.25, 0.52].map(
      aside =>
        `M${round(x)} ${round(y + unit)}Q${round(x + aside * tall * 0.3)} ${round(y - tall * 0.4)} ${round(x + aside * tall)} ${round(y - tall * (0.95 - Math.abs(aside) * 0.5))}`,
    )
    return path(arms.join(''), stroke(colour, tall * 0.13))
  }).join('')
}

/** Dark weeds that sway at the lower edge. */
function weeds(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { width, unit, random, light } = stage
  const draw = random('weeds')
  const tall = bottom - top
  const colour = mix(mix(rgb('#0f4a4f'), light.sky[0], 0.35), waterAt(stage, bottom), 0.15)
  const blades = Array.from({ length: Math.round(width / (unit * 2.2)) }, () => {
    const [x, high, lean] = [
      draw.next() * width,
      tall * (0.35 + draw.next() * 0.58),
      (draw.next() - 0.5) * unit * 3,
    ]
    return `M${round(x)} ${bottom}q${round(lean * 1.4)} ${round(-high * 0.35)} ${round(lean * 0.4)} ${round(-high * 0.6)}t${round(lean)} ${round(-high * 0.4)}`
  })
  return strip({ top, depth: 1, floor: waterAt(stage, bottom) }, () => [
    deepWater(stage, { top, bottom }),
    path(blades.join(''), stroke(colour, unit * 0.7)),
  ])
}
