import { city } from './places/city.ts'
import { clouds } from './places/clouds.ts'
import { desert } from './places/desert.ts'
import { field, village } from './places/field.ts'
import { forest } from './places/forest.ts'
import { interior } from './places/interior.ts'
import { lake } from './places/lake.ts'
import { mountains } from './places/mountains.ts'
import { sea } from './places/sea.ts'
import { snow } from './places/snow.ts'
import { space } from './places/space.ts'
import { studio } from './places/studio.ts'
import { underwater } from './places/underwater.ts'
import type { SceneStage, Setting } from './stage.ts'
import type { ScenePlace } from './words/lexicon.ts'

/** The places that scenes are drawn of. Their words are in `words/`. */
export const settings = {
  mountains,
  lake,
  sea,
  underwater,
  city,
  forest,
  desert,
  field,
  village,
  snow,
  space,
  clouds,
  interior,
  studio,
} satisfies Record<ScenePlace, (stage: SceneStage) => Setting>
