import { keep, kept } from '../store/kept.ts'
import type { Operation } from '../store/operations.ts'

/** A request that is being written. Its text is sent as it is, whether it is JSON or not. */
export interface Draft {
  text: string
  /** The model in the path, where the path has one. */
  model: string
  account: string
}

/** The stored draft for an operation. */
export function draftOf({ id }: Operation): Draft | undefined {
  return kept<Draft>(`draft:${id}`)
}

/** Stores the draft for an operation; undefined removes it. */
export function keepDraft({ id }: Operation, draft: Draft | undefined): void {
  keep(`draft:${id}`, draft)
}

/** A body as text, in the form of the editor and of examples. */
export function textOf(body: unknown): string {
  return JSON.stringify(body, null, 2)
}

/** The body in a text, or the reason why the text is not JSON. */
export type ReadText = { kind: 'json'; body: unknown } | { kind: 'broken'; fault: string }

export function readText(text: string): ReadText {
  try {
    return { kind: 'json', body: JSON.parse(text) }
  } catch (error) {
    return { kind: 'broken', fault: error instanceof Error ? error.message : String(error) }
  }
}
