import type { Rgb } from '../../video/yuv.ts'
import { mix, white } from '../colour.ts'
import type { SceneRows, SceneStage, Strip } from '../stage.ts'
import { nearGrass } from './flora.ts'

/** The air at the foot of a range. */
export function mistOf({ light }: SceneStage): Rgb {
  return mix(light.haze, white, light.time === 'night' ? 0 : 0.1)
}

/** The nearest strip of a place with grass. */
export function meadow(stage: SceneStage, { top, bottom }: SceneRows): Strip {
  const grass = stage.tone(stage.materials.grass)
  const floor = mix(grass, stage.light.sky[0], 0.35)
  return {
    top,
    depth: 1,
    floor,
    content: () => stage.shade({ top, bottom }, [grass, floor]) + nearGrass(stage, { top, bottom }),
  }
}
