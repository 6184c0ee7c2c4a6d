import type { Statement } from '../statement.ts'
import { familyA } from './a.ts'
import { allFamilies } from './all.ts'
import { familyB } from './b.ts'
import { familyC } from './c.ts'
import { imageOperation } from './image.ts'
import { familyK } from './k.ts'
import { special } from './special.ts'

export const statements: readonly Statement[] = [
  ...allFamilies,
  ...familyA,
  ...familyB,
  ...familyC,
  ...special,
  ...familyK,
  ...imageOperation,
]

export type { Statement } from '../statement.ts'
