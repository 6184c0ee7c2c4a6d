import { type FailureRow, failuresIn } from './failure.ts'
import { downloads } from './sources.ts'

/** The source of what no specification says. */
const everyProgram = 'every program'

/**
 * Points at which a program dies and starts again. The rule holds the request there, so that the program can be killed at
 * exactly that point; `explore --restarts` does so.
 */
// biome-ignore format: a table, one row a line
export const restarts: readonly FailureRow[] = failuresIn([
  ['killed_before', 'restart', 'passes', 'the program is killed before the request is handled, and starts again', () => everyProgram, { connection: { hang: 'before_request' } }],
  ['killed_after', 'restart', 'passes', 'the program is killed after the request was handled and before its reply, and starts again', () => everyProgram, { connection: 'hang' }],
  ['killed_during', 'restart', 'passes', 'the program is killed when it has half of the file, and starts again', downloads(everyProgram), { media: { stall_after: '50%' } }],
])
