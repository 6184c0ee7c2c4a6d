import type { Predicate } from '../predicates.ts'
import type { Section } from '../sections.ts'
import type { SpecFamily } from '../sight.ts'

/** A point that the specification leaves open, and the emulator's answer to it. Code and tests cite the id. */
export interface Answer {
  /** The name that code and tests cite, such as `A-07`. */
  id: string
  /** The family that it is about. */
  scope: 'all' | 'a' | 'b' | 'c' | 'special' | 'k' | 'image'
  /** What the specification leaves open. */
  question: string
  /** What the emulator does. */
  answer: string
  /** Why the emulator gives this answer. */
  reason: string
  /** What the answer rests on. */
  source: Source
  /** How likely it is that the real gateway gives the same answer. */
  certainty: 'high' | 'medium' | 'low'
}

/** A row as `/__emulator/assumptions` serves it. */
export interface Assumption extends Answer {
  /** The last recording of the real gateway that agreed with the answer; null if there is none. */
  confirmed: Confirmation | null
  /** The same as text, or `never`. */
  last_confirmed: string
}

/** The recording of the real gateway that last agreed with an answer, and its date. */
export interface Confirmation {
  /** ISO 8601. */
  at: string
  /** The name of the recording. */
  recording: string
}

/** What an answer is based on. */
export type Source =
  | { kind: 'specification'; section: Section /** The statement in our words. */; says: string }
  | {
      kind: 'upstream'
      evidence: Evidence /** What is known about the provider behind the gateway. */
      fact: string
    }
  | { kind: 'guess' /** Why the guess is sensible. */; because: string }

/**
 * How a fact about the upstream is known: from its own pages, from client code, from a live measurement, or inferred from these.
 */
export type Evidence = 'documented' | 'client' | 'measured' | 'inferred'

/** What a recording says of an answer. Operations are those of requests; a refusal is `a.error`, a file `b.file`. */
export interface Evidences {
  /** How it is seen in requests and replies, by the family that it is seen in. */
  seen?: Readonly<Partial<Record<SpecFamily, readonly Predicate[]>>>
  /** Comparisons that confirm and contradict it: operations, place in a record, aspects (all, if absent) and what the emulator has there. */
  claims?: readonly (readonly [on: RegExp, at: RegExp, aspects?: string, emulated?: RegExp])[]
  /** Differences that contradict it where no claim fits, in replies (`a.reply`) or refusals (`a.error`), at places that the specification names. */
  completes?: Readonly<Record<string, RegExp>>
  /** Statuses of the emulator that it explains, and what the reply must name for it. */
  statuses?: readonly (readonly [on: RegExp, status: RegExp, names?: RegExp])[]
}

/** A row as the tables have it. */
export type AnswerRow = Answer & Evidences

/** What an answer is based on, and how certain it is. */
type Grounds = Pick<Answer, 'source' | 'certainty'>

/** By id: the columns of a row. The scope is that of the table, unless the row has its own. */
type Table = Readonly<
  Record<
    string,
    readonly [
      question: string,
      answer: string,
      reason: string,
      grounds: Grounds,
      more?: Evidences & Partial<Pick<Answer, 'scope'>>,
    ]
  >
>

/** The answers of one table. */
export function answersOf(scope: Answer['scope'], table: Table): readonly AnswerRow[] {
  return Object.entries(table).map(([id, [question, answer, reason, grounds, more]]) => ({
    id,
    scope,
    question,
    answer,
    reason,
    ...grounds,
    ...more,
  }))
}

type Certainty = Answer['certainty']

function upstream(evidence: Evidence): (certainty: Certainty, fact: string) => Grounds {
  return (certainty, fact) => ({ source: { kind: 'upstream', evidence, fact }, certainty })
}

export const documented = upstream('documented')
export const client = upstream('client')
export const measured = upstream('measured')
export const inferred = upstream('inferred')

/** A statement of the specification, in our words. */
export function specification(certainty: Certainty, section: Section, says: string): Grounds {
  return { source: { kind: 'specification', section, says }, certainty }
}

/** A guess, and why it is sensible. */
export function guess(certainty: Certainty, because: string): Grounds {
  return { source: { kind: 'guess', because }, certainty }
}
