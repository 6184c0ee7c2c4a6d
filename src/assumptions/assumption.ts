import type { Section } from '../contract/sections.ts'

/** A thing that the specification leaves open, and the answer this emulator gives. Code and tests cite the id. */
export interface Answer {
  id: string
  scope: 'all' | 'a' | 'b' | 'c' | 'special' | 'k' | 'image'
  question: string
  answer: string
  /** Why this answer and no other. */
  reason: string
  source: Source
  /** How sure we are that the real gateway answers the same way. */
  certainty: 'high' | 'medium' | 'low'
}

/** A row as `/__emulator/assumptions` serves it. */
export interface Assumption extends Answer {
  /** The last recording of the real gateway that agreed with the answer; null when there has been none. */
  confirmed: Confirmation | null
  /** The same in words: `never` until then. */
  last_confirmed: string
}

/** When a recording of the real gateway last agreed, and which one. */
export interface Confirmation {
  /** ISO 8601. */
  at: string
  /** The name of the recording. */
  recording: string
}

/** What an answer rests on. */
export type Source =
  | { kind: 'specification'; section: Section /** What it says there, in our words. */; says: string }
  | {
      kind: 'upstream'
      evidence: Evidence /** What is known of the provider behind the gateway. */
      fact: string
    }
  | { kind: 'guess' /** What makes the guess a sensible one. */; because: string }

/** How a fact about the upstream is known: its own pages, client code, a live measurement, or a conclusion from these. */
export type Evidence = 'documented' | 'client' | 'measured' | 'inferred'
