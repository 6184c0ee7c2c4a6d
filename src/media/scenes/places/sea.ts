import { mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { glints, wavePath } from '../parts/ground.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { ellipse, fill, path, stroke } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'
import { thing } from '../templates.ts'

const far = rgb('#3f8fbf')
const ice = rgb('#b9c8d6')
const shallow = rgb('#59c1c3')
const wet = rgb('#c9a878')
const sand = rgb('#ecd3a0')

/** The open sea under a wide sky, waves that run out on a beach. */
export function sea(stage: SceneStage): Setting {
  const { line, height, materials } = stage
  const isAfloat = stage.words.subject?.kind === 'boat'
  const [horizon, boats, waves, beach, near] = [
    line(isAfloat ? 0.3 : 0.46),
    line(0.54),
    line(isAfloat ? 0.74 : 0.66),
    line(0.8),
    line(0.92),
  ]
  const ground = materials.snow ? mix(sand, rgb('#f2f7fc'), 0.85) : sand
  return {
    strips: [
      strip({ top: 0, depth: 0.03 }, () => [sky(stage, horizon, { clouds: 'many' })]),
      water(stage, { top: horizon, bottom: boats, depth: 0.14 }),
      sailed(stage, { top: boats, bottom: waves, depth: 0.28 }),
      surf(stage, { top: waves, bottom: beach, ground }),
      dry(stage, { top: beach, bottom: near, ground }),
      nearSand(stage, { top: near, bottom: height, ground }),
    ],
    air: 'open',
    stand: { foot: line(0.9), tall: height * 0.42 },
    afloat: { foot: waves - 6, tall: (waves - horizon) * 1.6 },
  }
}

/** The colour of the sea: the air's at the horizon, clear and light near the beach. */
function seaAt({ light, tone, height, materials }: SceneStage, row: number): Rgb {
  const part = Math.min(1, Math.max(0, (row / height - 0.46) / 0.3))
  const mirrored = mix(light.sky[1], tone(materials.snow ? mix(far, ice, 0.4) : far), 0.72)
  return part < 0.5
    ? mix(mix(mirrored, light.haze, 0.28), mirrored, part * 2)
    : mix(mirrored, tone(shallow), part * 2 - 1)
}

function water(stage: SceneStage, { top, bottom, depth }: SceneRows & { depth: number }): Strip {
  const shade = stage.shade({ top, bottom }, [seaAt(stage, top), seaAt(stage, bottom)])
  return strip({ top, depth }, () => [
    shade,
    glints(stage, { name: `sea ${depth}`, top, bottom, x: sunAt(stage, top)[0] }),
  ])
}

function sailed(stage: SceneStage, { top, bottom, depth }: SceneRows & { depth: number }): Strip {
  const { random, width, margin, unit, words } = stage
  const plain = water(stage, { top, bottom, depth })
  if (words.subject) return plain
  const draw = random('boat')
  const tall = Math.min((bottom - top) * 0.86, unit * 14)
  const x = margin + (width - 2 * margin) * (0.16 + draw.next() * 0.3)
  return strip(plain, () => [
    plain.content(),
    thing(stage, 'sailing-boat', { at: [x, bottom - tall * 0.08], tall }),
  ])
}

/** Waves with foam, then wet sand. */
function surf(stage: SceneStage, { top, bottom, ground }: SceneRows & { ground: Rgb }): Strip {
  const { unit, tone, random } = stage
  const draw = random('surf')
  const tall = bottom - top
  const shore = { top: top + tall * 0.55, saddle: top + tall * 0.82 }
  const foam = (row: number, colour: Rgb, look: string) =>
    path(
      wavePath(stage, { row, rise: tall * 0.12, long: unit * 17, shift: draw.next() * unit * 17, bottom }),
      fill(colour),
    ) + look
  return strip({ top, depth: 0.48 }, () => [
    stage.shade({ top, bottom }, [seaAt(stage, top), tone(shallow)]),
    foam(top + tall * 0.34, mix(tone(shallow), tone(white), 0.22), ''),
    foam(shore.top, mix(tone(shallow), tone(white), 0.5), ''),
    foam(shore.top + tall * 0.1, tone(white), ''),
    foam(shore.top + tall * 0.17, mix(tone(wet), tone(ground), 0.2), ''),
    stage.mist({ top: shore.top + tall * 0.2, bottom }, tone(ground)),
  ])
}

function dry(stage: SceneStage, { top, bottom, ground }: SceneRows & { ground: Rgb }): Strip {
  const { tone, width, unit, random, margin } = stage
  const colour = tone(ground)
  const draw = random('shells')
  const marks = Array.from({ length: 7 }, () => {
    const at = [draw.next() * width, top + (bottom - top) * (0.25 + draw.next() * 0.6)] as const
    return ellipse(at, [unit * (1.5 + draw.next() * 4), unit * 0.22], fill(tone(wet), 0.4))
  })
  const size = 2 * Math.min(unit * 3.4, stage.height * 0.05)
  const ball =
    stage.words.subject || stage.materials.snow
      ? ''
      : thing(stage, 'beach-ball', {
          at: [margin + (width - 2 * margin) * (0.6 + draw.next() * 0.2), bottom - unit * 5 + size / 2],
          tall: size,
        })
  return strip({ top, depth: 0.7 }, () => [
    stage.shade({ top, bottom }, [colour, mix(colour, tone(wet), 0.14)]),
    marks.join(''),
    ball,
  ])
}

/** The sand at the lower edge, with blades of beach grass. */
function nearSand(stage: SceneStage, { top, bottom, ground }: SceneRows & { ground: Rgb }): Strip {
  const { tone, light, unit, width, random } = stage
  const colour = mix(tone(ground), tone(wet), 0.14)
  const draw = random('beach grass')
  const tall = bottom - top
  const blades = Array.from({ length: Math.round(width / (unit * 2.4)) }, () => {
    const cluster = Math.floor(draw.next() * 5) / 5 + 0.06
    const x = width * cluster + (draw.next() - 0.5) * unit * 14
    const lean = (draw.next() - 0.5) * unit * 4
    return `M${Math.round(x)} ${bottom}q0 ${Math.round(-tall * 0.5)} ${Math.round(lean)} ${Math.round(-tall * (0.4 + draw.next() * 0.5))}`
  })
  const floor = mix(colour, light.sky[0], 0.22)
  return strip({ top, depth: 1, floor }, () => [
    stage.shade({ top, bottom }, [colour, floor]),
    path(blades.join(''), stroke(mix(tone(stage.materials.grass), light.sky[0], 0.35), unit * 0.36)),
  ])
}
