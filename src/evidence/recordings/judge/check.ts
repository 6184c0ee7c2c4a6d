import type { Facet } from '../../spec/judge.ts'
import type { Step } from '../read/steps.ts'

export type Aspect =
  | 'status'
  | 'absent'
  | 'more'
  | 'null'
  | 'type'
  | 'value'
  | 'format'
  | 'count'
  | 'order'
  | 'header'
  | 'life'
  | 'moment'
  | 'media'

/** One comparison: what the recording has and what the emulator has. */
export interface Check {
  step: Step
  aspect: Aspect
  /** Absent: the body. */
  place?: Facet
  /** Within the place: `usage.total_tokens`, `header.retry-after`, `file.width`. Rows of lists are `items[]`. */
  path: string
  /** A value, or `Words` about it. */
  recorded: unknown
  /** The emulator's value or `Words` about it; with `isRule` what a rule demands. */
  emulated: unknown
  isRule?: boolean
  isAlike: boolean
  /** The rows that it confirms or contradicts, when the table of rules cannot decide. */
  rule?: string
  /** The parts of the row that this shows; of an assumption, the column that claims it. */
  shows?: readonly string[]
  /** What of the request it is about: `seed: null`. */
  about?: string
}

/** Adds a comparison of both sides, which are alike when they are equal, unless it says otherwise. */
export type Add = (
  where: readonly [aspect: Aspect, place: Facet, path: string],
  sides: readonly [recorded: unknown, emulated: unknown],
  isAlike?: boolean,
) => void
