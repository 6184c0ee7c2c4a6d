import type { Random } from '../../../emulator/ground.ts'
import { mix, white } from '../../drawing/colour.ts'
import { circle, fill, type Point, rect, round } from '../shapes.ts'
import type { SceneStage } from '../stage.ts'

/** The parts of a sky besides its light. */
interface SkyLook {
  clouds: 'none' | 'few' | 'many'
}

/** The sky down to the horizon, with sun or moon, stars and clouds. Its upper part is calm. */
export function sky(stage: SceneStage, horizon: number, look: SkyLook): string {
  const { light } = stage
  const air = stage.shade({ top: 0, bottom: horizon }, light.sky)
  return air + (light.stars ? stars(stage, horizon) : '') + sun(stage, horizon) + clouds(stage, horizon, look)
}

/** Where the sun or moon is: right of the middle, away from the corners. */
export function sunAt({ width, margin, light, random, unit }: SceneStage, horizon: number): Point {
  const across = 0.42 + random('sun').next() * 0.24
  const y = horizon * (1 - light.sun.high * 0.86)
  return [margin + (width - 2 * margin) * across, Math.max(y, unit * 15)]
}

function sun(stage: SceneStage, horizon: number): string {
  const { light, unit } = stage
  const [x, y] = sunAt(stage, horizon)
  const isMoon = light.time === 'night'
  const radius = unit * (isMoon ? 4.2 : light.time === 'evening' ? 7.4 : 5.2)
  const halo = stage.glow({ x, y, radius: radius * (isMoon ? 5 : 4.8) }, light.sun.glow, isMoon ? 0.42 : 0.7)
  const disc = circle([x, y], radius, fill(light.sun.disc))
  if (!isMoon) return halo + disc
  const spot = fill(mix(light.sun.disc, light.sky[1], 0.22), 0.7)
  const craters = [
    [-0.3, -0.25, 0.26],
    [0.32, 0.1, 0.2],
    [-0.12, 0.42, 0.15],
  ] as const
  return (
    halo +
    disc +
    craters.map(([dx, dy, r]) => circle([x + dx * radius, y + dy * radius], r * radius, spot)).join('')
  )
}

function stars({ width, unit, random }: SceneStage, horizon: number): string {
  const draw = random('stars')
  return Array.from({ length: 90 }, () => {
    const at: Point = [draw.next() * width, draw.next() ** 1.3 * horizon * 0.86]
    return circle(at, unit * (0.1 + draw.next() ** 3 * 0.2), fill(white, 0.25 + draw.next() * 0.6))
  }).join('')
}

const counts = { none: 0, few: 3, many: 6 } as const

function clouds(stage: SceneStage, horizon: number, { clouds: amount }: SkyLook): string {
  const { width, unit, light, random } = stage
  const draw = random('clouds')
  const isDay = light.time === 'noon' || light.time === 'morning'
  const colour = isDay ? mix(white, light.sky[2], 0.12) : mix(light.sky[2], light.sky[1], 0.35)
  const count = Math.round((counts[amount] * width) / (unit * 130))
  return Array.from({ length: Math.max(count, counts[amount]) }, (_, i) => {
    const x = (width * (i + 0.2 + draw.next() * 0.6)) / Math.max(count, counts[amount])
    const y = horizon * (0.54 + draw.next() * 0.26)
    const size = unit * (5 + draw.next() * 6)
    const look = fill(colour, isDay ? 0.82 : 0.42)
    return isDay ? heap([x, y], size, { draw, look }) : veil([x, y], size * 2.2, { draw, look })
  }).join('')
}

interface Brush {
  draw: Random
  look: string
}

/** A cloud in heaps over a flat base, as one path so that its parts do not show. */
function heap([x, y]: Point, size: number, { draw, look }: Brush): string {
  const lobes = [-1.5, -0.75, 0.1, 0.9, 1.6].map(offset => {
    const radius = size * (0.72 - Math.abs(offset) * 0.25 + draw.next() * 0.12)
    return { x: x + offset * size * 0.8, radius }
  })
  const discs = lobes.map(
    lobe =>
      `M${round(lobe.x - lobe.radius)} ${round(y)}a${round(lobe.radius)} ${round(lobe.radius)} 0 0 1 ${round(2 * lobe.radius)} 0Z`,
  )
  return `<path d="${discs.join('')}" ${look}/>`
}

function veil([x, y]: Point, size: number, { draw, look }: Brush): string {
  return [0, 1, 2]
    .map(i => {
      const wide = size * (1.2 - i * 0.25) * (0.8 + draw.next() * 0.4)
      const tall = size * 0.07
      const left = x - wide / 2 + (draw.next() - 0.5) * size * 0.6
      return rect([left, y + i * tall * 1.7], [wide, tall], look, tall / 2)
    })
    .join('')
}
