import { familyA } from './a.ts'
import { allFamilies } from './all.ts'
import type { Answer, Assumption, Confirmation } from './assumption.ts'
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
].map(row => withConfirmation(row, confirmations[row.id]))

function withConfirmation(row: Answer, confirmed: Confirmation | undefined): Assumption {
  const told = confirmed ? `${confirmed.at} by ${confirmed.recording}` : 'never'
  return { ...row, confirmed: confirmed ?? null, last_confirmed: told }
}

export type { Assumption, Source } from './assumption.ts'
