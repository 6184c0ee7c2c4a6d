import type { Random } from '../../worlds/random.ts'
import type { Steps } from '../scenario-error.ts'
import type { Tag } from '../tag.ts'

/** An operation that makes a task, with the times that it takes when no scenario acts; virtual ms. */
export interface Maker {
  operation: string
  queuedMs: number
  runningMs: number
}

/**
 * One word of `then`: everything that the language needs to know of it, in one place. What acts on a request is the value that
 * `draw` gives.
 */
export interface Effect<Spelled, Read, Drawn = Read> {
  /** The JSON Schema of what a scenario file writes; `Spelled` is the type that it describes. */
  schema: object
  /** Reads a value of that shape. Throws ScenarioError for values that mean nothing. */
  read(spelled: Spelled, steps: Steps): Read
  /** Makes the draws, where there are any. */
  draw(read: Read, random: () => Random): Drawn
  /** Whether there is something to act on in an operation. */
  reaches(operation: string, read: Read): boolean
  /** What it does, for dry runs. `maker` is there for operations that make a task. */
  text(read: Read, maker?: Maker): string
  /** The prompt tags that ask for it, by their names. */
  tags: Readonly<Record<string, Tag<Drawn>>>
}

/** Reads and draws nothing: the value acts as it is. */
export function asItIs<T>(read: T): T {
  return read
}

/** Whatever the operation, there is something to act on. */
export function everywhere(): boolean {
  return true
}
