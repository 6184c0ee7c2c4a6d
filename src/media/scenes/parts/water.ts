import { mix, white } from '../../drawing/colour.ts'
import { fill, rect, round } from '../shapes.ts'
import type { SceneRows, SceneStage } from '../stage.ts'

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
