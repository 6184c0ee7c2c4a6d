import type { shippedNames } from '../scenarios/known-scenarios.ts'
import type { familyIds, operations } from '../scenarios/operations.ts'

/** An operation of the emulated API. */
export type OperationId = (typeof operations)[number]

/** A family of the emulated API. */
export type FamilyId = (typeof familyIds)[number]

/** A scenario of the package. */
export type ShippedScenario = (typeof shippedNames)[number]

/** What a task is: its operation without `.create`. */
export type TaskKind =
  | 'a'
  | 'b'
  | 'c'
  | 'c.enhance'
  | 'c.regenerate'
  | 'special'
  | 'special.enhance'
  | 'special.regenerate'
  | 'k'
  | 'k.omni'
  | 'k.motion'
  | 'k.avatar'
  | 'k.voice'
  | 'k.preset'
  | 'image'

/** The family of a kind: `k` for `k.avatar`. */
export type FamilyOf<Kind extends TaskKind> = Kind extends `${infer Family}.${string}` ? Family : Kind

/** A state of a task in the words of the families. */
export type StatusWord =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'PENDING'
  | 'RUNNING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELED'
  | 'submitted'
  | 'processing'
  | 'succeed'

/** The unit of a length of time in text. */
export type TimeUnit = 'ms' | 's' | 'm' | 'h' | 'd'

/** One of these words, which editors offer, or any other text: a pattern, or a name of your own. */
export type OrText<Word extends string> = Word | (string & {})
