import type { WorldClient } from '../client/world.ts'

/** How a run of the program came to its end. */
export type End =
  | { kind: 'ended'; code: number }
  | { kind: 'signal'; signal: string }
  /** An error that ended it: of a command in its output, of a function what it threw. */
  | { kind: 'crashed'; line: string }
  /** It was ended from outside when the limit had passed. */
  | { kind: 'limit'; ms: number }

/** One run: how it ended, and what it wrote. */
export interface Run {
  end: End
  output: string
  /** Wall milliseconds. */
  ms: number
}

/** What is explored: a command or a function. Rejects with UsageError when it cannot be started at all. */
export interface Subject {
  run(world: WorldClient, options: { name: string; limitMs: number; signal: AbortSignal }): Promise<Run>
}
