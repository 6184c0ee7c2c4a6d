import type { WorldClient } from '../client/world.ts'

/** How a run of the program ended. */
export type End =
  | { kind: 'ended'; code: number }
  | { kind: 'signal'; signal: string }
  /** An error ended it: `line` is from the output of a command, or the message of a thrown error. */
  | { kind: 'crashed'; line: string }
  /** Explore ended it at the limit. */
  | { kind: 'limit'; ms: number }

/** Whether the program ended by itself, with or without an error. */
export function endedByItself({ kind }: End): boolean {
  return kind === 'ended' || kind === 'crashed'
}

/** One run: its end and its output. */
export interface Run {
  end: End
  output: string
  /** Wall milliseconds. */
  ms: number
}

/** The explored program: a command or a function. Rejects with UsageError when it cannot be started at all. */
export interface Subject {
  run(world: WorldClient, options: { name: string; limitMs: number; signal: AbortSignal }): Promise<Run>
}
