import { familyA } from './a.ts'
import type { Answer, Assumption, Confirmation } from './assumption.ts'
import { familyB } from './b.ts'
import { familyC } from './c.ts'
import { confirmations } from './confirmations.ts'
import { imageOperation } from './image.ts'
import { inputs } from './inputs.ts'
import { familyK } from './k.ts'
import { requests } from './requests.ts'
import { tasks } from './tasks.ts'

/** Every point that the specification leaves open, with the emulator's answer. Served at `/__emulator/assumptions`. */
export const assumptions: readonly Assumption[] = [
  ...requests,
  ...inputs,
  ...tasks,
  ...familyA,
  ...familyB,
  ...familyC,
  ...familyK,
  ...imageOperation,
].map(row => withConfirmation(row, confirmations[row.id]))

function withConfirmation(row: Answer, confirmed: Confirmation | undefined): Assumption {
  const lastConfirmed = confirmed ? `${confirmed.at} by ${confirmed.recording}` : 'never'
  return { ...row, confirmed: confirmed ?? null, last_confirmed: lastConfirmed }
}

export type { Assumption, Source } from './assumption.ts'
