import { black, mix, type Rgb, rgb, white } from '../../drawing/colour.ts'
import { glints, meadow, mistOf } from '../parts/ground.ts'
import { farmhouse, firs, firsAlong, hillsIn, outline, profileOf, range, shadows } from '../parts/land.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { fill, path } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

const fresh = rgb('#f4f8fd')
const shaded = rgb('#c3d5ea')

/** Hills under snow with firs, a hut with lit windows, falling flakes. */
export function snow(stage: SceneStage): Setting {
  const { line, height } = stage
  const [first, second, third, near] = [line(0.46), line(0.6), line(0.75), line(0.91)]
  return {
    strips: [
      strip({ top: 0, depth: 0.03 }, () => [
        sky(stage, first, { clouds: 'none' }),
        peaks(stage, 'far', { top: height * 0.22, bottom: first, far: 0.5 }),
      ]),
      hills(stage, { name: 'snow far', top: first, bottom: second, depth: 0.15, far: 0.3, firs: 0.5 }),
      hills(stage, { name: 'snow middle', top: second, bottom: third, depth: 0.38, far: 0.1, firs: 0.24 }),
      drift(stage, { top: third, bottom: near, depth: 0.68 }),
      drift(stage, { top: near, bottom: height, depth: 1 }),
    ],
    air: 'open',
    stand: { foot: line(0.88), tall: height * 0.44 },
  }
}

/** Snow takes on the colour of the sky where it lies in the shade. */
function snowAt({ tone, light }: SceneStage, far: number, shade: number): Rgb {
  return mix(tone(mix(fresh, shaded, shade), far), light.sky[1], 0.1 + shade * 0.12)
}

interface HillOrder extends SceneRows {
  name: string
  depth: number
  far: number
  /** The part of the places with a fir. */
  firs: number
}

function hills(stage: SceneStage, { name, top, bottom, depth, far, firs: share }: HillOrder): Strip {
  const { unit, tone, light, words, width, margin } = stage
  const tall = bottom - top
  const order = hillsIn(name, { top, bottom }, [0.4, 0.68])
  const tops = profileOf(stage, order)
  const row = firsAlong(stage, tops, { name: `${name} firs`, top, share, room: [0.6, 0.4], size: [6, 9] })
  const above = far > 0.2 ? mix(light.haze, white, 0.1) : snowAt(stage, 0.3, 0.3)
  const home = tops[Math.floor(((margin + (width - 2 * margin) * 0.3) / width) * tops.length)] ?? [0, bottom]
  const hut =
    far < 0.2 && !words.subject
      ? farmhouse(stage, {
          at: [home[0], home[1] + unit * 1.4],
          tall: Math.min(unit * 9, (home[1] - top) * 0.96),
          far,
        })
      : ''
  return strip({ top, depth }, () => [
    stage.shade({ top, bottom }, [above, above]),
    firs(stage, row, tone(rgb('#3f6670'), far)),
    range(stage, order, snowAt(stage, far, 0)),
    hut,
    stage.mist({ top: top + tall * 0.5, bottom }, snowAt(stage, far > 0.2 ? 0.3 : 0.05, 0.3)),
  ])
}

function drift(
  stage: SceneStage,
  { top, bottom, depth }: { top: number; bottom: number; depth: number },
): Strip {
  const tall = bottom - top
  const from = snowAt(stage, 0.05, depth === 1 ? 0.35 : 0.3)
  const order = hillsIn(`drift ${depth}`, { top, bottom }, [0.2, 0.8])
  const lit = snowAt(stage, 0, depth === 1 ? 0.5 : 0.05)
  const floor = snowAt(stage, 0, depth === 1 ? 0.8 : 0.35)
  return strip({ top, depth, floor }, () => [
    stage.shade({ top, bottom }, [from, from]),
    range(stage, order, lit),
    stage.mist({ top: top + tall * 0.4, bottom }, floor),
  ])
}

const rock = rgb('#586c8e')
const wood = rgb('#44725a')

/** Ranges of mountains behind each other in mist, over a meadow with firs. */
export function mountains(stage: SceneStage): Setting {
  const { line, height } = stage
  const [first, second, near] = [line(0.5), line(0.63), line(0.88)]
  return {
    strips: [
      strip({ top: 0, depth: 0.04 }, () => [
        sky(stage, first, { clouds: 'few' }),
        peaks(stage, 'far', { top: height * 0.2, bottom: first, far: 0.55 }),
      ]),
      middle(stage, { top: first, bottom: second }),
      slope(stage, { top: second, bottom: near }),
      meadow(stage, { top: near, bottom: height }),
    ],
    air: 'open',
    stand: { foot: line(0.86), tall: height * 0.44 },
  }
}

/** Rock with a lit and a dark side, fading into mist at its foot. */
function peaks(stage: SceneStage, name: string, { top, bottom, far }: SceneRows & { far: number }): string {
  const tall = bottom - top
  const order = { name, shape: 'peaks', top, saddle: bottom - tall * 0.22, bottom } as const
  const tops = profileOf(stage, order)
  const colour = stage.tone(rock, far)
  const isSnowy = stage.materials.snow
  return (
    path(
      outline(stage, tops, bottom),
      fill(isSnowy ? mix(colour, stage.tone(white, far * 0.5), 0.6) : colour),
    ) +
    path(shadows(tops, bottom), fill(mix(colour, mix(stage.light.sky[0], black, 0.2), 0.2), 0.75)) +
    stage.mist({ top: top + tall * 0.22, bottom }, mistOf(stage))
  )
}

function middle(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const mist = mistOf(stage)
  return strip({ top, depth: 0.14 }, () => [
    stage.shade({ top, bottom }, [mist, mist]),
    peaks(stage, 'middle', { top: top + 4, bottom, far: 0.3 }),
  ])
}

/** A slope with firs along its top, its lower part grass. */
function slope(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { tone, materials } = stage
  const tall = bottom - top
  const hill = hillsIn('slope', { top, bottom }, [0.3, 0.5])
  const tops = profileOf(stage, hill)
  const row = firsAlong(stage, tops, { name: 'firs', top, share: 0.7, room: [0.62, 0.38], size: [6, 8] })
  const wooded = materials.snow ? mix(wood, white, 0.55) : wood
  return strip({ top, depth: 0.4 }, () => [
    stage.shade({ top, bottom }, [mistOf(stage), mistOf(stage)]),
    firs(stage, row, tone(materials.fir, 0.22)),
    range(stage, hill, tone(wooded, 0.14)),
    stage.mist({ top: top + tall * 0.3, bottom }, tone(materials.grass)),
  ])
}

const deep = rgb('#3a6f96')

/** Mountains over a lake, a wooded bank in front. */
export function lake(stage: SceneStage): Setting {
  const { line, height } = stage
  const [first, shore, open, bank, near] = [line(0.44), line(0.55), line(0.66), line(0.74), line(0.92)]
  return {
    strips: [
      strip({ top: 0, depth: 0.04 }, () => [
        sky(stage, first, { clouds: 'few' }),
        peaks(stage, 'far', { top: height * 0.17, bottom: first, far: 0.55 }),
      ]),
      middle(stage, { top: first, bottom: shore }),
      water(stage, { top: shore, bottom: open, depth: 0.26 }),
      water(stage, { top: open, bottom: bank, depth: 0.42 }),
      wooded(stage, { top: bank, bottom: near }),
      ground(stage, { top: near, bottom: height }),
    ],
    afloat: { foot: bank - 4, tall: bank - first - 8 },
    air: 'open',
    stand: { foot: line(0.9), tall: height * 0.44 },
  }
}

/** The colour of the lake at a row: the sky's, darker to the front. */
function waterAt(stage: SceneStage, part: number) {
  const { light, tone } = stage
  return mix(mix(light.sky[2], light.haze, 0.4), mix(light.sky[1], tone(deep), 0.6), part)
}

function water(stage: SceneStage, { top, bottom, depth }: SceneRows & { depth: number }): Strip {
  const at = (row: number) => waterAt(stage, (row / stage.height - 0.5) / 0.45)
  return strip({ top, depth }, () => [
    stage.shade({ top, bottom }, [at(top), at(bottom)]),
    glints(stage, { name: `glints ${top}`, top, bottom, x: sunAt(stage, top)[0] }),
  ])
}

/** The ground beside the lake: dark, white in winter. */
function bankAt({ tone, materials, light }: SceneStage): Rgb {
  return materials.snow
    ? mix(tone(materials.meadow), light.sky[0], 0.08)
    : mix(tone(materials.fir), light.sky[0], 0.3)
}

/** A dark bank with firs; the lake is seen between them. */
function wooded(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { tone, materials, light } = stage
  const tall = bottom - top
  const hill = hillsIn('bank', { top, bottom }, [0.42, 0.86])
  const tops = profileOf(stage, hill).filter(([, y]) => y < top + tall * 0.72)
  const row = firsAlong(stage, tops, {
    name: 'bank firs',
    top,
    share: 0.75,
    room: [0.6, 0.4],
    sunk: 1,
    size: [6, 9],
  })
  const dark = bankAt(stage)
  const at = (y: number) => waterAt(stage, (y / stage.height - 0.5) / 0.45)
  return strip({ top, depth: 0.68 }, () => [
    stage.shade({ top, bottom }, [at(top), at(bottom)]),
    firs(stage, row, mix(tone(materials.fir), light.sky[0], 0.38)),
    range(stage, hill, dark),
  ])
}

function ground(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const { light, unit } = stage
  const dark = bankAt(stage)
  const hill = {
    name: 'ground',
    shape: 'hills',
    top: top + Math.min(unit, (bottom - top) * 0.2),
    saddle: bottom - 2,
    bottom,
  } as const
  const floor = mix(dark, light.sky[0], stage.materials.snow ? 0.2 : 0.45)
  return strip({ top, depth: 1, floor }, () => [
    stage.shade({ top, bottom }, [dark, dark]),
    range(stage, hill, floor),
  ])
}
