import type { Section } from '../sections.ts'

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

/**
 * What a recording says of an answer. Operations are those of requests; a refusal is `a.error`, a file `b.file`. Patterns are regular
 * expressions.
 */
export interface Evidences {
  /** Comparisons that confirm and contradict it: operations, place in a record, aspects (all, if absent) and what the emulator has there. */
  claims?: readonly {
    on: RegExp
    at: RegExp
    aspects: readonly string[] | undefined
    emulated: RegExp | undefined
  }[]
  /** Differences that contradict it where no claim fits, in replies (`a.reply`) or refusals (`a.error`), at places that the specification names. */
  completes?: Readonly<Record<string, RegExp>>
  /** Statuses of the emulator that it explains, and what the reply must name for it. */
  statuses?: readonly { on: RegExp; status: RegExp; names: RegExp | undefined }[]
}

/** A row as the files of `fixtures/assumptions/` have it: a key for the kind of its source has the fact, and patterns are strings. */
export interface StoredAnswer extends Pick<Answer, 'question' | 'answer' | 'reason' | 'certainty'> {
  /** The scope, where it is not that of the file. */
  scope?: Answer['scope']
  documented?: string
  client?: string
  measured?: string
  inferred?: string
  guess?: string
  /** The section of the specification that `says` it. */
  section?: Section
  says?: string
  claims?: readonly { on: string; at: string; aspects?: string; emulated?: string }[]
  completes?: Readonly<Record<string, string>>
  statuses?: readonly { on: string; status: string | number; names?: string }[]
}
