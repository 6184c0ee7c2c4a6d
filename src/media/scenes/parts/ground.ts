import { black, mix, type Rgb, white } from '../../drawing/colour.ts'
import { circle, fill, type Point, path, paths, rect, round, stroke } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Strip, strip } from '../stage.ts'
import { grassBlades } from './land.ts'

/** The air at the foot of a range. */
export function mistOf({ light }: SceneStage): Rgb {
  return mix(light.haze, white, light.time === 'night' ? 0 : 0.1)
}

/** The nearest strip of a place with grass. */
export function meadow(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const grass = stage.tone(stage.materials.grass)
  const floor = mix(grass, stage.light.sky[0], 0.35)
  return strip({ top, depth: 1, floor }, () => [
    stage.shade({ top, bottom }, [grass, floor]),
    nearGrass(stage, { top, bottom }),
  ])
}

/** The nearest strip of a meadow: dark grass and, outside winter, a few flowers. */
function nearGrass(stage: SceneStage, { top, bottom }: SceneRows): string {
  const { materials, tone, light } = stage
  const dark = mix(tone(materials.grass), light.sky[0], 0.42)
  const tall = (bottom - top) * 0.92
  const blades = (name: string, row: number, colour = dark) =>
    paths(grassBlades(stage, { name, row, tall }), fill(colour))
  return (
    blades('far grass', bottom, mix(dark, tone(materials.meadow), 0.35)) +
    (materials.snow ? '' : flowers(stage, { top, bottom })) +
    blades('near grass', bottom + tall * 0.25)
  )
}

/** Flowers on short stalks between two rows, in loose groups. */
function flowers(stage: SceneStage, { top, bottom }: SceneRows): string {
  const { materials, tone, width, unit, random } = stage
  const draw = random('flowers')
  const tall = bottom - top
  const size = Math.min(unit * 1.4, tall * 0.2)
  const groups = Math.round(width / (unit * 40)) + 1
  return Array.from({ length: groups * 5 }, (_, i) => {
    const middle = ((Math.floor(i / 5) + 0.5) * width) / groups
    const at: Point = [
      middle + (draw.next() + draw.next() - 1) * unit * 17,
      top + size + draw.next() * tall * 0.5,
    ]
    const stalk = `M${round(at[0])} ${round(at[1])}q${round(size * 0.3)} ${round((bottom - at[1]) / 2)} 0 ${round(bottom - at[1])}`
    const stem = path(stalk, stroke(mix(tone(materials.grass), black, 0.3), size * 0.2))
    return (
      stem + blossom(at, size, { petal: tone(draw.pick(materials.flowers)), heart: tone([246, 200, 90]) })
    )
  }).join('')
}

/** Flowers of a meadow seen from afar: dots that grow to the front. */
export function bloom(stage: SceneStage, { top, bottom }: SceneRows): string {
  const { materials, tone, width, unit, random } = stage
  const draw = random('bloom')
  const clusters = Array.from({ length: 7 }, () => draw.next())
  return materials.flowers
    .map(colour => {
      const dots = Array.from({ length: 34 }, () => {
        const near = draw.next() ** 0.8
        const x = width * (draw.pick(clusters as [number, ...number[]]) + (draw.next() - 0.5) * 0.22)
        const r = unit * (0.18 + near * 0.42)
        return `M${round(x - r)} ${round(top + (bottom - top) * (0.06 + near * 0.88))}a${round(r)} ${round(r * 0.7)} 0 1 0 ${round(2 * r)} 0a${round(r)} ${round(r * 0.7)} 0 1 0 ${round(-2 * r)} 0Z`
      })
      return path(dots.join(''), fill(tone(colour), 0.92))
    })
    .join('')
}

function blossom([x, y]: Point, size: number, { petal, heart }: { petal: Rgb; heart: Rgb }): string {
  const petals = [0, 1, 2, 3, 4].map(i => {
    const angle = (i / 5) * 2 * Math.PI - Math.PI / 2
    return circle(
      [x + Math.cos(angle) * size * 0.52, y + Math.sin(angle) * size * 0.46],
      size * 0.4,
      fill(petal),
    )
  })
  return petals.join('') + circle([x, y], size * 0.3, fill(heart))
}

/** Where light is reflected on water, and how many strokes it has. Lengths are pixels. */
interface GlintOrder extends SceneRows {
  name: string
  /** The column under the sun or moon, where there are more of them. */
  x: number
}

/** Flat strokes of light on water, longer to the front. */
export function glints(stage: SceneStage, { name, top, bottom, x }: GlintOrder): string {
  const { width, unit, light, random } = stage
  const draw = random(name)
  const rows = Math.max(2, Math.round((bottom - top) / (unit * 1.3)))
  const look = fill(mix(light.sun.glow, white, 0.2), light.time === 'noon' ? 0.5 : 0.62)
  const soft = fill(mix(light.sky[2], white, 0.25), 0.28)
  return Array.from({ length: rows }, (_, i) => {
    const y = top + ((i + 0.5) * (bottom - top)) / rows
    const nearness = (y / stage.height) * 1.2
    const thick = unit * 0.3 * nearness
    const under = unit * (4 + draw.next() * 9) * nearness
    const aside = (draw.next() - 0.5) * unit * 5
    const stroke = (left: number, wide: number, paint: string) =>
      rect([left, y], [wide, thick], paint, thick / 2)
    const others = Array.from({ length: 2 }, () => {
      const wide = unit * (4 + draw.next() * 12) * nearness
      return stroke(draw.next() * (width - wide), wide, soft)
    })
    return others.join('') + stroke(x + aside - under / 2, under, look)
  }).join('')
}

/** A line of waves with crests, as a path that is filled down to `bottom`. */
export function wavePath(
  { width }: SceneStage,
  {
    row,
    rise,
    long,
    shift,
    bottom,
  }: { row: number; rise: number; long: number; shift: number; bottom: number },
): string {
  let d = `M${round(-shift)} ${round(row)}`
  for (let x = -shift; x < width; x += long)
    d += `q${round(long * 0.3)} ${round(-rise)} ${round(long * 0.5)} ${round(-rise * 0.9)}q${round(long * 0.08)} ${round(rise * 0.9)} ${round(long * 0.5)} ${round(rise * 0.9)}`
  return `${d}V${round(bottom)}H${round(-shift)}Z`
}
