import { type Rgb, rgb } from '../drawing/colour.ts'
import { lightOf, type TimeOfDay } from '../scenes/light.ts'
import { seasonAir, starsIn } from '../scenes/parts/sky.ts'
import { circle, fill, path, round } from '../scenes/shapes.ts'
import { createStage, type SceneStage } from '../scenes/stage.ts'
import { thing } from '../scenes/templates.ts'
import type { EditWords } from './edit-look.ts'
import type { Frame } from './places.ts'

/**
 * The drawing that an edit puts over a picture to show its time of day and season: moon and stars, low light, snow, leaves, petals, rain. SVG
 * without its outer element.
 */
export function weatherSvg({ time, season, rain }: EditWords, frame: Frame, seed: number): string {
  const { left, top, width, height } = frame
  const light = lightOf('noon', { turn: 0 })
  const stage = (words: Pick<EditWords, 'season' | 'rain'>) =>
    createStage({ words: { place: 'field', time: 'noon', ...words }, seed, width, height, margin: 0, light })
  const rows = { top: 0, bottom: height }
  /** Flakes and leaves are larger than in a scene, to be seen before a photograph. */
  const air = (words: Pick<EditWords, 'season' | 'rain'>) =>
    seasonAir({ ...stage(words), unit: clear.unit * 1.4 }, rows)
  const clear = stage({})
  const low = time && lowLight[time]
  const parts = [
    time === 'night' ? night(clear) : low ? clear.mist(rows, low, 0.42) : '',
    season === 'winter' ? drifts(clear) : season === 'summer' ? lights(clear) : '',
    season ? air({ season }) : '',
    rain ? air({ rain }) : '',
  ]
  return `<g transform="translate(${left} ${top})">${parts.join('')}</g>`
}

const lowLight: Readonly<Partial<Record<TimeOfDay, Rgb>>> = {
  evening: [255, 122, 40],
  morning: [255, 196, 150],
}

/** The part of the picture in which the moon is drawn, if there is one. */
export function skyFrames({ time }: EditWords, { left, top, width, height }: Frame): Frame[] {
  if (time !== 'night') return []
  return [{ left: left + width * 0.66, top, width: width * 0.28, height: height * 0.25 }]
}

/** A darker sky, a moon on the right and some stars. */
function night(stage: SceneStage): string {
  const { width, height, unit, random } = stage
  const [x, y, r] = [width * (0.74 + random('moon').next() * 0.12), height * 0.14, unit * 4.2]
  return [
    `<g transform="scale(1 -1) translate(0 ${-height})">${stage.mist({ top: 0, bottom: height }, [6, 10, 38], 0.4)}</g>`,
    starsIn(stage, height * 0.42, 46),
    stage.glow({ x, y, radius: r * 2.6 }, [190, 205, 255], 0.3),
    thing(stage, 'moon', { at: [x, y + r], tall: 2 * r }),
  ].join('')
}

/** Snow along the lower edge. */
function drifts({ width, height }: SceneStage): string {
  const drift = (rise: number, look: string) =>
    path(
      `M0 ${round(height * (1 - rise))}q${round(width * 0.2)} ${round(-height * 0.05)} ${round(width * 0.42)} 0t${round(width * 0.3)} ${round(-height * 0.015)}t${round(width * 0.28)} ${round(-height * 0.01)}V${round(height)}H0Z`,
      look,
    )
  return drift(0.13, fill(rgb('#d9e6f5'), 0.85)) + drift(0.07, fill(rgb('#f6fafe'), 0.95))
}

/** Points of light in the air of a summer. */
function lights({ width, height, unit, random }: SceneStage): string {
  const draw = random('lights')
  const look = fill(rgb('#fff3b8'), 0.4)
  return Array.from({ length: 34 }, () =>
    circle([draw.next() * width, draw.next() * height], unit * (0.3 + draw.next() * 0.4), look),
  ).join('')
}
