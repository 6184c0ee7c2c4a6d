import type { Rule } from '../rule.ts'
import { aRules } from './a.ts'
import { bRules } from './b.ts'
import { cRules, specialRules } from './c.ts'
import { imageRules } from './image.ts'
import { kRules } from './k.ts'
import { keyRules } from './keys.ts'

/** Every rule of the specification that can be seen from outside, family by family. */
export const rules: readonly Rule[] = (['a', 'b', 'c', 'special', 'k', 'image'] as const).flatMap(family =>
  [...keyRules, ...aRules, ...bRules, ...cRules, ...specialRules, ...kRules, ...imageRules].filter(
    rule => rule.family === family,
  ),
)
