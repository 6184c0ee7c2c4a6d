import type { Random } from '../../../emulator/ground.ts'
import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import type { Season } from '../light.ts'
import { fill, type Point, paths, round, stroke } from '../shapes.ts'
import type { SceneRows, SceneStage } from '../stage.ts'

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
