import { familyA } from './a.ts'
import type { AnswerRow, Assumption } from './assumption.ts'
import { familyB } from './b.ts'
import { familyC } from './c.ts'
import { confirmations } from './confirmations.ts'
import { imageOperation } from './image.ts'
import { inputs } from './inputs.ts'
import { familyK } from './k.ts'
import { requests } from './requests.ts'
import { tasks } from './tasks.ts'

/** Every point that the specification leaves open, with the emulator's answer and what a recording says of it. */
export const answers: readonly AnswerRow[] = [
  ...requests,
  ...inputs,
  ...tasks,
  ...familyA,
  ...familyB,
  ...familyC,
  ...familyK,
  ...imageOperation,
]

/** The answers as `/__emulator/assumptions` serves them. */
export const assumptions: readonly Assumption[] = answers.map(
  ({ seen: _seen, claims: _claims, completes: _completes, statuses: _statuses, ...answer }) => {
    const confirmed = confirmations[answer.id] ?? null
    const last = confirmed ? `${confirmed.at} by ${confirmed.recording}` : 'never'
    return { ...answer, confirmed, last_confirmed: last }
  },
)

export type { Assumption, Source } from './assumption.ts'
