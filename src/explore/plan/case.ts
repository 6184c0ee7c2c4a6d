import type { ScenarioPlan } from '../../emulator/words.ts'
import type { Failure } from './catalogue/failure.ts'

/** One failure at one call of the program: the nth call of its operation, counted from 1. */
export interface Case {
  operation: string
  nth: number
  failure: Failure
  /** The create that made the task of the call, if it is known. */
  create?: CallName
  /** What a scenario of the user's made of that task in the undisturbed run: a failure changes only what it names. */
  plan?: ScenarioPlan
  /** The label that it gave that task and no other. */
  label?: string
  /** The first call of its operation that was not refused undisturbed: patterns may name it `#1`, too. */
  isFirstMade?: true
  /** The model that the undisturbed call names. */
  model?: string
  /** The call is to cancel a task that has not ended as far as the program knows. */
  cancels?: true
  /** The call whose reply comes first, where replies come in the other order. */
  first?: CallName
  /** A second failure in the same run. */
  and?: Omit<Case, 'and'>
}

/** A call by operation and ordinal. */
export interface CallName {
  operation: string
  nth: number
}

/** Whether two names are of the same call. */
export function isSameCall(one: CallName, other: CallName): boolean {
  return one.operation === other.operation && one.nth === other.nth
}

/** `a.create#1`. */
export function nameOfCall({ operation, nth }: CallName): string {
  return `${operation}#${nth}`
}

/** `a.create#1 task_expired`, with a call whose reply comes first its name, and with ` + ` the second failure of a pair. */
export function nameOfCase(one: Case): string {
  const own = `${nameOfCall(one)} ${one.failure.id}${one.first ? ` ${nameOfCall(one.first)}` : ''}`
  return one.and ? `${own} + ${nameOfCase(one.and)}` : own
}
