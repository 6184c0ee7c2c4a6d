import { black, mix, rgb, white } from '../../drawing/colour.ts'
import { meadow, mistOf } from '../parts/ground.ts'
import { sky } from '../parts/sky.ts'
import { hillsIn, outline, profileOf, range, shadows } from '../parts/terrain.ts'
import { firs, firsAlong } from '../parts/trees.ts'
import { fill, path } from '../shapes.ts'
import { type SceneRows, type SceneStage, type Setting, type Strip, strip } from '../stage.ts'

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
export function peaks(
  stage: SceneStage,
  name: string,
  { top, bottom, far }: SceneRows & { far: number },
): string {
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

export function middle(stage: SceneStage, { top, bottom }: SceneRows): Strip {
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
