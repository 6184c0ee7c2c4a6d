import { keep, kept } from '../store/kept.ts'
import type { Operation } from '../store/operations.ts'

/** A request as it was last written. The text is what is sent, whether it is JSON or not. */
export interface Draft {
  text: string
  /** The model in the path, where the path has one. */
  model: string
  account: string
}

/** What was written for an operation before the page was left or loaded again. */
export function draftOf({ id }: Operation): Draft | undefined {
  return kept<Draft>(`draft:${id}`)
}

/** Keeps what is written for an operation; undefined forgets it. */
export function keepDraft({ id }: Operation, draft: Draft | undefined): void {
  keep(`draft:${id}`, draft)
}

/** A body as text: what the form makes and what an example is shown as. */
export function textOf(body: unknown): string {
  return JSON.stringify(body, null, 2)
}

/** A text as a body, or why it is none. */
export type ReadText = { kind: 'json'; body: unknown } | { kind: 'broken'; fault: string }

export function readText(text: string): ReadText {
  try {
    return { kind: 'json', body: JSON.parse(text) }
  } catch (error) {
    return { kind: 'broken', fault: error instanceof Error ? error.message : String(error) }
  }
}
