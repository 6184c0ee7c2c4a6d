import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { hillsIn, outline, profileOf } from '../parts/terrain.ts'
import { circle, fill, type Point, path, round, stroke } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

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
        water(stage, { top: 0, bottom: first }),
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

function water(stage: SceneStage, { top, bottom }: SceneRows): string {
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
    water(stage, { top, bottom }),
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
    water(stage, { top, bottom }),
    path(blades.join(''), stroke(colour, unit * 0.7)),
  ])
}
