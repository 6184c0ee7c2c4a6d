import { familyA } from './a.ts'
import { allFamilies } from './all.ts'
import type { Assumption } from './assumption.ts'
import { familyB } from './b.ts'
import { familyC } from './c.ts'
import { confirmations } from './confirmations.ts'
import { imageOperation } from './image.ts'
import { familyK } from './k.ts'

/** Everything that the specification leaves open, with the answer given here. Served at `/__emulator/assumptions`. */
export const assumptions: readonly Assumption[] = [
  ...allFamilies,
  ...familyA,
  ...familyB,
  ...familyC,
  ...familyK,
  ...imageOperation,
].map(row => ({ ...row, confirmed: confirmations[row.id] ?? null }))

export type { Assumption, Source } from './assumption.ts'
