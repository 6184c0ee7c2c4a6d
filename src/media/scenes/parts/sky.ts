import type { Random } from '../../../emulator/ground.ts'
import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import type { Season } from '../light.ts'
import { circle, fill, type Point, paths, round, stroke } from '../shapes.ts'
import type { SceneRows, SceneStage } from '../stage.ts'
import { thing } from '../templates.ts'

/** The sky down to the horizon, with sun or moon, stars and about so many clouds. Its upper part is calm. */
export function sky(stage: SceneStage, horizon: number, clouds: number): string {
  const { light } = stage
  const air = stage.shade({ top: 0, bottom: horizon }, light.sky)
  const stars = light.stars ? starsIn(stage, horizon * 0.86, 90) : ''
  return air + stars + sun(stage, horizon) + cloudsIn(stage, horizon, clouds)
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
  const disc = isMoon
    ? thing(stage, 'moon', { at: [x, y + radius], tall: 2 * radius })
    : circle([x, y], radius, fill(light.sun.disc))
  return halo + disc
}

/** Stars between the upper edge and a row. */
export function starsIn({ width, unit, random }: SceneStage, bottom: number, count: number): string {
  const draw = random('stars')
  return Array.from({ length: count }, () => {
    const at: Point = [draw.next() * width, draw.next() ** 1.2 * bottom]
    return circle(at, unit * (0.1 + draw.next() ** 3 * 0.22), fill(white, 0.3 + draw.next() * 0.6))
  }).join('')
}

/** Heaps in the day, and bars in the evening and at night. */
function cloudsIn(stage: SceneStage, horizon: number, least: number): string {
  const { width, unit, light, random } = stage
  const draw = random('clouds')
  const isDay = light.time === 'noon' || light.time === 'morning'
  const main = isDay ? mix(white, light.sky[2], 0.12) : mix(light.sky[2], light.sky[1], 0.35)
  const count = Math.max(least, Math.round((least * width) / (unit * 130)))
  return Array.from({ length: count }, (_, i) => {
    const x = (width * (i + 0.2 + draw.next() * 0.6)) / count
    const at: Point = [x, horizon * (0.54 + draw.next() * 0.26)]
    const tall = unit * (3.8 + draw.next() * 4.4)
    const wide = tall * (3.8 + draw.next() * 1.2)
    return thing(stage, isDay ? 'cloud' : 'veil', { at, tall, wide, main })
  }).join('')
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

/** Slanted streaks. */
function rain({ unit, width, light, random }: SceneStage, { top, bottom }: SceneRows): string {
  const draw = random(`rain ${top}`)
  const count = Math.round((width * (bottom - top)) / (unit * 5) ** 2)
  const streaks = Array.from({ length: count }, () => {
    const [x, y] = [draw.next() * width, top + draw.next() * (bottom - top)]
    const long = unit * (2 + draw.next() * 3)
    return `M${round(x)} ${round(y)}l${round(-long * 0.22)} ${round(long)}`
  })
  return paths(streaks, stroke(mix(light.haze, white, 0.55), unit * 0.22, 0.7))
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
