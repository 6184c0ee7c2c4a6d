import type { Random } from '../../worlds/random.ts'
import type { Status } from '../../worlds/task.ts'
import type { Tag } from '../amounts.ts'
import type { Steps } from '../scenario-error.ts'

/** An operation that makes a task, with its usual times when no scenario acts; virtual ms. */
export interface TaskTimes {
  operation: string
  queuedMs: number
  runningMs: number
  /** The word of its tasks for each status that they can have. */
  words: Readonly<Partial<Record<Status, string>>>
}

/**
 * One word of `then`: all parts of its definition in one place. The value that `draw` returns acts on a request.
 */
export interface Effect<Spelled, Read, Drawn = Read> {
  /** The JSON Schema of the value in a scenario file; `Spelled` is its type. */
  schema: object
  /** Reads a value of this shape. Throws ScenarioError for invalid values. */
  read(spelled: Spelled, steps: Steps): Read
  /** Makes the draws, if there are any. */
  draw(read: Read, random: () => Random): Drawn
  /** The value as a rule writes it, with what was drawn. */
  spell(drawn: Drawn): unknown
  /** Whether the effect can act on an operation. */
  reaches(operation: string, read: Read): boolean
  /** The effect in words, for dry runs; `times` for an effect on the task that an operation makes. */
  text(read: Read, times: TaskTimes): string
  /** The prompt tags for this effect, by name. */
  tags: Readonly<Record<string, Tag<Drawn>>>
}

/** For effects without reading and draws: the value acts unchanged. */
export function drawsNothing<T>(read: T): T {
  return read
}

/** For effects that can act on every operation. */
export function everywhere(): boolean {
  return true
}

/** The values of keys, without the undefined ones. */
export function mapped<K extends string>(
  keys: readonly K[],
  value: (key: K) => unknown,
): { [P in K]?: never } {
  const entries = keys.flatMap(key => {
    const found = value(key)
    return found === undefined ? [] : [[key, found]]
  })
  return Object.fromEntries(entries)
}
