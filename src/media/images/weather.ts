import { randomFor } from '../../emulator/ground.ts'
import { mix, type Rgb, rgb, white } from '../drawing/colour.ts'
import type { Season, TimeOfDay } from '../scenes/light.ts'
import { rainIn } from '../scenes/parts/sky.ts'
import { circle, ellipse, fill, path, rect, round } from '../scenes/shapes.ts'
import type { EditWords } from './edit-look.ts'
import type { Frame } from './places.ts'

/**
 * The drawing that an edit puts over a picture to show its time of day and season: moon and stars, low light, snow, leaves, petals, rain. SVG
 * without its outer element.
 */
export function weatherSvg({ time, season, rain }: EditWords, frame: Frame, seed: number): string {
  const low = time && lowLight[time]
  const sky = time === 'night' ? night(frame, seed) : low ? glow(frame, low) : ''
  const air = season === 'winter' ? snow(frame, seed) : season ? drifting(season, frame, seed) : ''
  const drops = rain
    ? rainIn({ ...frame, unit: unitOf(frame) }, randomFor(seed, 'edit rain', 0), paleBlue)
    : ''
  return sky + air + drops
}

const lowLight: Readonly<Partial<Record<TimeOfDay, Rgb>>> = {
  evening: [255, 122, 40],
  morning: [255, 196, 150],
}
const paleBlue = rgb('#e3ecf5')

/** The part of the picture in which the moon is drawn, if there is one. */
export function skyFrames({ time }: EditWords, { left, top, width, height }: Frame): Frame[] {
  if (time !== 'night') return []
  return [{ left: left + width * 0.66, top, width: width * 0.28, height: height * 0.25 }]
}

function unitOf({ width, height }: Frame): number {
  return Math.sqrt(width * height) / 100
}

/** A darker sky, a moon on the right and some stars. */
function night(frame: Frame, seed: number): string {
  const { left, top, width, height } = frame
  const draw = randomFor(seed, 'edit stars', 0)
  const unit = unitOf(frame)
  const stars = Array.from({ length: 46 }, () =>
    circle(
      [left + draw.next() * width, top + draw.next() ** 1.6 * height * 0.42],
      unit * (0.12 + draw.next() * 0.22),
      fill(white, 0.35 + draw.next() * 0.55),
    ),
  )
  const [x, y, r] = [left + width * (0.74 + draw.next() * 0.12), top + height * 0.14, unit * 4.2]
  const halo = [2.6, 2, 1.5].map(scale => circle([x, y], r * scale, fill([190, 205, 255], 0.09)))
  return (
    shade(frame, { id: 'night', colour: [6, 10, 38], from: 0.4, to: 0 }) +
    stars.join('') +
    halo.join('') +
    circle([x, y], r, fill(rgb('#f7f1dc'))) +
    circle([x + r * 0.3, y - r * 0.2], r * 0.2, fill(rgb('#ddd5bd')))
  )
}

/** Low light, which is stronger at the lower edge. */
function glow(frame: Frame, colour: Rgb): string {
  return shade(frame, { id: 'low', colour, from: 0, to: 0.42 })
}

function shade(
  { left, top, width, height }: Frame,
  { id, colour, from, to }: { id: string; colour: Rgb; from: number; to: number },
): string {
  const stop = (offset: number, opacity: number) =>
    `<stop offset="${offset}" stop-color="rgb(${colour})" stop-opacity="${opacity}"/>`
  return `<linearGradient id="${id}" x2="0" y2="1">${stop(0, from)}${stop(1, to)}</linearGradient>${rect([left, top], [width, height], `fill="url(#${id})"`)}`
}

/** Flakes in the air and a drift along the lower edge. */
function snow(frame: Frame, seed: number): string {
  const { left, top, width, height } = frame
  const draw = randomFor(seed, 'edit snow', 0)
  const unit = unitOf(frame)
  const flakes = Array.from({ length: 150 }, () =>
    circle(
      [left + draw.next() * width, top + draw.next() * height],
      unit * (0.2 + draw.next() ** 2 * 0.7),
      fill(white, 0.55 + draw.next() * 0.4),
    ),
  )
  const drift = (rise: number, look: string) => {
    const y = top + height * (1 - rise)
    return path(
      `M${round(left)} ${round(y)}q${round(width * 0.2)} ${round(-height * 0.05)} ${round(width * 0.42)} 0t${round(width * 0.3)} ${round(-height * 0.015)}t${round(width * 0.28)} ${round(-height * 0.01)}V${round(top + height)}H${round(left)}Z`,
      look,
    )
  }
  return drift(0.13, fill(rgb('#d9e6f5'), 0.85)) + drift(0.07, fill(rgb('#f6fafe'), 0.95)) + flakes.join('')
}

const blown: Readonly<Record<Exclude<Season, 'winter'>, readonly [Rgb, ...Rgb[]]>> = {
  spring: [rgb('#f7b8cb'), rgb('#fbdbe4'), rgb('#f394b2')],
  summer: [rgb('#fff3b8')],
  autumn: [rgb('#d9702b'), rgb('#e9a63a'), rgb('#a83f24')],
}

/** Petals or leaves in the air; in summer, points of light. */
function drifting(season: Exclude<Season, 'winter'>, frame: Frame, seed: number): string {
  const { left, top, width, height } = frame
  const draw = randomFor(seed, 'edit leaves', 0)
  const unit = unitOf(frame)
  return Array.from({ length: 34 }, () => {
    const [x, y, size] = [
      left + draw.next() * width,
      top + draw.next() * height,
      unit * (0.7 + draw.next() * 1.1),
    ]
    const colour = draw.pick(blown[season])
    if (season === 'summer') return circle([x, y], size * 0.4, fill(colour, 0.4))
    const leaf =
      ellipse([0, 0], [size, size * (season === 'autumn' ? 0.45 : 0.6)], fill(colour, 0.92)) +
      ellipse([-size * 0.3, 0], [size * 0.6, size * 0.22], fill(mix(colour, white, 0.25), 0.6))
    return `<g transform="translate(${round(x)} ${round(y)}) rotate(${Math.round(draw.next() * 360)})">${leaf}</g>`
  }).join('')
}
