import type { Random } from '../../../emulator/ground.ts'
import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import type { Season } from '../light.ts'
import { circle, fill, type Point, paths, rect, round, stroke } from '../shapes.ts'
import type { SceneRows, SceneStage } from '../stage.ts'

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

/** The flakes, leaves or petals in the air of a season: their colours, their distance and their size (both in units). */
interface Air {
  colours: readonly Rgb[]
  apart: number
  size: number
  shape: 'flake' | 'leaf'
}

const airs: Readonly<Record<Season, Air | undefined>> = {
  winter: { colours: [white, white], apart: 6.4, size: 0.36, shape: 'flake' },
  autumn: { colours: ['#d9702b', '#e9a63a', '#a83f24'].map(rgb), apart: 15, size: 0.85, shape: 'leaf' },
  spring: { colours: ['#f7b8cb', '#fbdbe4'].map(rgb), apart: 16, size: 0.6, shape: 'leaf' },
  summer: undefined,
}

/** Rain, snow, leaves or petals in the air between two rows; nothing in a dry summer. */
export function seasonAir(stage: SceneStage, rows: SceneRows): string {
  const { words, unit, width } = stage
  if (words.rain) return rain(stage, rows)
  const { top, bottom } = rows
  const air = words.season && airs[words.season]
  if (!air) return ''
  const draw = stage.random(`air ${top}`)
  const count = Math.round((width * (bottom - top)) / (unit * air.apart) ** 2)
  return air.colours
    .map((colour, i) => {
      const shapes = Array.from({ length: Math.ceil(count / air.colours.length) }, () => {
        const at: Point = [draw.next() * width, top + draw.next() * (bottom - top)]
        return shapeOf(at, unit * air.size * (0.6 + draw.next() * 0.8), { air, draw })
      })
      return paths(shapes, fill(stage.tone(colour), i === 0 ? 0.9 : 0.65))
    })
    .join('')
}

function rain(stage: SceneStage, { top, bottom }: SceneRows): string {
  const { unit, width } = stage
  const place = { left: 0, top, width, height: bottom - top, unit }
  return rainIn(place, stage.random(`rain ${top}`), mix(stage.light.haze, white, 0.55))
}

/** Slanted streaks. */
export function rainIn(
  { left, top, width, height, unit }: Record<'left' | 'top' | 'width' | 'height' | 'unit', number>,
  draw: Random,
  colour: Rgb,
): string {
  const count = Math.round((width * height) / (unit * 5) ** 2)
  const streaks = Array.from({ length: count }, () => {
    const [x, y, long] = [
      left + draw.next() * width,
      top + draw.next() * height,
      unit * (2 + draw.next() * 3),
    ]
    return `M${round(x)} ${round(y)}l${round(-long * 0.22)} ${round(long)}`
  })
  return paths(streaks, stroke(colour, unit * 0.22, 0.7))
}

function shapeOf([x, y]: Point, size: number, { air, draw }: { air: Air; draw: Random }): string {
  if (air.shape === 'flake') {
    const r = round(size)
    return `M${round(x - size)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`
  }
  // A leaf is two bows between its tips, turned by chance.
  const turn = draw.next() * Math.PI
  const [dx, dy] = [Math.cos(turn) * size * 2, Math.sin(turn) * size * 2]
  const bow = (side: 1 | -1) => `${round(dx / 2 - side * dy * 0.4)} ${round(dy / 2 + side * dx * 0.4)}`
  return `M${round(x)} ${round(y)}q${bow(1)} ${round(dx)} ${round(dy)}q${round(-dx / 2 + dy * 0.4)} ${round(-dy / 2 - dx * 0.4)} ${round(-dx)} ${round(-dy)}Z`
}
