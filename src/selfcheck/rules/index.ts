import type { Rule } from '../rule.ts'
import { statementsShownBy } from '../shown-statements.ts'
import { aRules } from './a.ts'
import { bRules } from './b.ts'
import { cRules, specialRules } from './c.ts'
import { fieldRules } from './fields.ts'
import { imageRules } from './image.ts'
import { kRules } from './k.ts'
import { keyRules } from './keys.ts'
import { queryRules } from './queries.ts'

const every: readonly Rule[] = [
  ...keyRules,
  ...aRules,
  ...bRules,
  ...cRules,
  ...specialRules,
  ...kRules,
  ...imageRules,
  ...fieldRules,
  ...queryRules,
]

/** Every rule of the specification that can be seen from outside, family by family, with the statements that it shows. */
export const rules: readonly Rule[] = (['a', 'b', 'c', 'special', 'k', 'image'] as const)
  .flatMap(family => every.filter(rule => rule.family === family))
  .map(rule => ({ ...rule, shows: statementsShownBy(rule.id) }))
