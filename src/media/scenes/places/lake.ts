import { mix, type Rgb, rgb } from '../../drawing/colour.ts'
import { glints } from '../parts/ground.ts'
import { sky, sunAt } from '../parts/sky.ts'
import { hillsIn, profileOf, range } from '../parts/terrain.ts'
import { firs, firsAlong } from '../parts/trees.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'
import { middle, peaks } from './mountains.ts'

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
