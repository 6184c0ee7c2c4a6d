import { globPattern, nearSuggestion, type ScenarioPlan } from '../../emulator/words.ts'
import type { Failure } from './catalogue.ts'

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

export interface CallName {
  operation: string
  nth: number
}

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

/** A value of `--only` or `--skip`: an operation, a failure, or both with a space between; `*` matches any characters. */
interface CasePattern {
  text: string
  isMet(one: Pick<Case, 'operation' | 'nth' | 'failure' | 'isFirstMade'>): boolean
}

/** Reads a pattern such as `a.create`, `file_*`, `a.create *` or `a.create#1 task_expired`. */
export function casePattern(text: string): CasePattern {
  const [first = '', second] = text.trim().split(/\s+/)
  if (second === undefined)
    return { text, isMet: one => isCall(first, one) || globPattern(first).test(one.failure.id) }
  const id = globPattern(second)
  return { text, isMet: one => isCall(first, one) && id.test(one.failure.id) }
}

/** Whether a word such as `a.create`, `*.get` or `a.create#1` matches a call. */
export function isCall(
  glob: string,
  { operation, nth, isFirstMade }: CallName & Pick<Case, 'isFirstMade'>,
): boolean {
  const [name = '', ordinal] = glob.split('#')
  const ordinals = isFirstMade ? [nth, 1] : [nth]
  return (
    globPattern(name).test(operation) &&
    (ordinal === undefined || ordinals.some(number => globPattern(ordinal).test(String(number))))
  )
}

/** The message for a pattern that matches no case, with the nearest word; undefined when it matches one. */
export function unmet(pattern: CasePattern, cases: readonly Case[]): string | undefined {
  if (cases.some(one => pattern.isMet(one))) return undefined
  const words = new Set(cases.flatMap(one => [nameOfCase(one), one.operation, one.failure.id]))
  return `"${pattern.text}" matches no case of this program${near(pattern.text, [...words])}`
}

/** The message for a pattern that matches nothing in the catalogue; undefined when it matches something. It does not need a run. */
export function unknown(pattern: CasePattern, catalogue: readonly Failure[]): string | undefined {
  const isKnown = catalogue.some(failure => {
    const [, ordinal = '1'] = /#(\d+)/.exec(pattern.text) ?? []
    return pattern.isMet({ operation: failure.operation, nth: Number(ordinal), failure })
  })
  if (isKnown) return undefined
  const words = new Set(catalogue.flatMap(({ operation, id }) => [`${operation} ${id}`, operation, id]))
  return `"${pattern.text}" names neither an operation nor a failure${near(pattern.text, [...words])}`
}

function near(text: string, words: readonly string[]): string {
  const question = nearSuggestion(text.replace(/#\d+/, ''), words, word => `"${word}"`)
  return question ? `; ${question}` : ''
}
