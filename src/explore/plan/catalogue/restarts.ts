import type { FailureRow } from './failure.ts'
import { downloads } from './sources.ts'

/** The source of what no specification says. */
const everyProgram = 'every program'

/**
 * Points at which a program dies and starts again. The rule holds the request there, so that the program can be killed at
 * exactly that point; `explore --restarts` does so.
 */
export const restarts: readonly FailureRow[] = [
  {
    id: 'killed_before',
    title: 'the program is killed before the request is handled, and starts again',
    kind: 'restart',
    transient: true,
    source: () => everyProgram,
    effect: { connection: { hang: 'before_request' } },
  },
  {
    id: 'killed_after',
    title: 'the program is killed after the request was handled and before its reply, and starts again',
    kind: 'restart',
    transient: true,
    source: () => everyProgram,
    effect: { connection: 'hang' },
  },
  {
    id: 'killed_during',
    title: 'the program is killed when it has half of the file, and starts again',
    kind: 'restart',
    transient: true,
    source: downloads(everyProgram),
    effect: { media: { stall_after: '50%' } },
  },
]
