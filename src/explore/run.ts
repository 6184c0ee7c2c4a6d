import type { WorldClient } from '../client/world.ts'

/** How a run of the program ended. */
export type End =
  | { kind: 'ended'; code: number }
  | { kind: 'signal'; signal: string }
  /** An error ended it: a line of the output of a command, or what a function threw. */
  | { kind: 'crashed'; line: string }
  /** The limit passed, and explore ended it. */
  | { kind: 'limit'; ms: number }

/** Whether the program ended by itself, well or with an error. */
export function endedByItself({ kind }: End): boolean {
  return kind === 'ended' || kind === 'crashed'
}

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
