import { black, mix, type Rgb, white } from '../../drawing/colour.ts'
import { circle, ellipse, fill, type Point, path, paths, rect, round, stroke } from '../shapes.ts'
import { type Band, many, type Rows, type SceneStage } from '../stage.ts'

/** The air at the foot of a range. */
export function mistOf({ light }: SceneStage): Rgb {
  return mix(light.haze, white, light.time === 'night' ? 0 : 0.1)
}

/** The nearest band of a place with grass: dark blades and, outside winter, a few flowers. */
export function meadow(stage: SceneStage, from: number): Band {
  const { materials, tone, light, width } = stage
  const grass = tone(materials.grass)
  const floor = mix(grass, light.sky[0], 0.35)
  const dark = mix(grass, light.sky[0], 0.42)
  const grown = (name: string, rows: Rows, colour: Rgb) => {
    const tall = rows.tall * 0.92
    const blade = (x: number, high: number, lean: number) => {
      const half = tall * 0.05
      return `M${round(x - half)} ${round(rows.bottom)}q${round(half)} ${round(-high * 0.6)} ${round(half + lean)} ${round(-high)}q${round(-lean * 0.4)} ${round(high * 0.5)} ${round(half - lean * 0.6)} ${round(high)}Z`
    }
    const draw = stage.random(name)
    const count = Math.round(width / (tall * 0.5))
    const blades = Array.from({ length: count }, (_, i) => {
      const x = ((i + draw.next() * 1.6 - 0.3) / count) * width
      return blade(x, tall * (0.4 + draw.next() * 0.6), (draw.next() - 0.5) * tall * 0.7)
    })
    return paths(blades, fill(colour))
  }
  const parts = (rows: Rows) => [
    stage.shade(rows, [grass, floor]),
    grown('far grass', rows, mix(dark, tone(materials.meadow), 0.35)),
    materials.snow ? '' : flowers(stage, rows),
    grown('near grass', { ...rows, bottom: rows.at(1.23) }, dark),
  ]
  return [from, 1, parts, floor]
}

/** Flowers on short stalks, in loose groups. */
function flowers(stage: SceneStage, { top, bottom, tall }: Rows): string {
  const { materials, tone, width, unit, random } = stage
  const draw = random('flowers')
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

/** Flowers of a meadow seen from afar: dots that grow to the front. */
export function bloom({ materials, tone, width, unit, random }: SceneStage, rows: Rows): string {
  const draw = random('bloom')
  const clusters = Array.from({ length: 7 }, () => draw.next())
  return materials.flowers
    .map(colour => {
      const dots = Array.from({ length: 34 }, () => {
        const near = draw.next() ** 0.8
        const x = width * (draw.pick(clusters as [number, ...number[]]) + (draw.next() - 0.5) * 0.22)
        const r = unit * (0.18 + near * 0.42)
        return `M${round(x - r)} ${round(rows.at(0.06 + near * 0.88))}a${round(r)} ${round(r * 0.7)} 0 1 0 ${round(2 * r)} 0a${round(r)} ${round(r * 0.7)} 0 1 0 ${round(-2 * r)} 0Z`
      })
      return path(dots.join(''), fill(tone(colour), 0.92))
    })
    .join('')
}

/** Flat flecks of another tone on the ground. `wide` and `thick` are their least measures in units, and how much more they may have. */
interface Flecks {
  name: string
  apart: number
  wide: readonly [number, number]
  thick: readonly [number, number]
  look: string
}

export function flecks(stage: SceneStage, rows: Rows, { name, apart, wide, thick, look }: Flecks): string {
  return many(stage, { name, apart }, draw => {
    const at: Point = [draw.next() * stage.width, rows.at(0.14 + draw.next() * 0.74)]
    const size = [wide, thick].map(([least, more]) => stage.unit * (least + draw.next() * more))
    return ellipse(at, size as [number, number], look)
  }).join('')
}

/** Flat strokes of light on water, longer to the front; most of them lie below the sun or moon, in the column `x`. */
export function glints(
  { width, height, unit, light, random }: SceneStage,
  rows: Rows,
  { name, x }: { name: string; x: number },
): string {
  const draw = random(name)
  const count = Math.max(2, Math.round(rows.tall / (unit * 1.3)))
  const look = fill(mix(light.sun.glow, white, 0.2), light.time === 'noon' ? 0.5 : 0.62)
  const soft = fill(mix(light.sky[2], white, 0.25), 0.28)
  return Array.from({ length: count }, (_, i) => {
    const y = rows.at((i + 0.5) / count)
    const nearness = (y / height) * 1.2
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

/** Blades of grass or weeds that sway at the lower edge, in loose groups. `thick` is in units. */
export function blades(
  stage: SceneStage,
  { top, bottom, tall }: Rows,
  { colour, thick }: { colour: Rgb; thick: number },
): string {
  const grown = many(stage, { name: `blades ${top}`, apart: 2.3 }, draw => {
    const x = stage.width * (Math.floor(draw.next() * 6) / 6 + draw.next() * 0.13)
    const [high, lean] = [tall * (0.35 + draw.next() * 0.58), (draw.next() - 0.5) * stage.unit * 5]
    return `M${round(x)} ${round(bottom)}q${round(-lean * 0.3)} ${round(-high * 0.5)} ${round(lean)} ${round(-high)}`
  })
  return path(grown.join(''), stroke(colour, stage.unit * thick))
}

/** Light in slanting beams from above, down to a row. They spread from the middle, or lean to one side by a part of their height. */
export function beams(
  stage: SceneStage,
  bottom: number,
  { colour, lean }: { colour: Rgb; lean?: number },
): string {
  const { width, unit } = stage
  const draw = stage.random('beams')
  const look = fill(colour, 0.12)
  return [0, 1, 2, 3, 4]
    .map(i => {
      const x = width * (0.34 + i * 0.12 + draw.next() * 0.05)
      const wide = unit * (2 + draw.next() * 4)
      const aside = lean === undefined ? (x - width * 0.6) * 0.5 : bottom * lean
      return path(`M${round(x)} 0h${round(wide)}l${round(aside + wide)} ${bottom}h${round(-wide * 3)}Z`, look)
    })
    .join('')
}
