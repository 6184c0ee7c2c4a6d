import type { shippedNames } from '../scenarios/known-scenarios.ts'
import type { familyIds, operations } from '../scenarios/operations.ts'
import type { TaskStatus } from './task-views.ts'

/** An operation of the emulated API. */
export type OperationId = (typeof operations)[number]

/** A family of the emulated API. */
export type FamilyId = (typeof familyIds)[number]

/** A scenario of the package. */
export type ShippedScenario = (typeof shippedNames)[number]

/** What a task is: the operation that makes it, without `.create`. */
export type TaskKind = KindOf<OperationId> | 'k.preset'

/** The kind of task that an operation makes; never for others. */
export type KindOf<Id extends OperationId> = Id extends `${infer Kind}.${'create' | 'generate'}`
  ? Kind
  : Extract<Id, `${string}.${'enhance' | 'regenerate'}`>

/** The family of a kind: `k` for `k.avatar`. */
export type FamilyOf<Kind extends TaskKind> = Kind extends `${infer Family}.${string}` ? Family : Kind

/** A state of a task in the words of the families. */
export type StatusWord =
  | TaskStatus
  | Uppercase<Exclude<TaskStatus, 'queued' | 'cancelled' | 'expired'>>
  | OwnWord

/** States that only one family names so: B, and K. */
export type OwnWord = 'PENDING' | 'CANCELED' | 'submitted' | 'processing' | 'succeed'

/** One of these words, which editors offer, or any other text: a pattern, or a name of your own. */
export type OrText<Word extends string> = Word | (string & {})
