import type { Trace } from '../../client/types.ts'

/** Calls that are kept at either end of an attempt. */
const kept = 200

/** A trace in which long attempts have only their first and last calls, since a program that never ends polls thousands of times. It says so. */
export function shortTrace(trace: Trace): Trace {
  const long = trace.attempts.filter(({ calls }) => calls.length > 2 * kept)
  if (long.length === 0) return trace
  const left = long.map(
    ({ operation, calls }) =>
      `of ${calls.length} calls of ${operation}, only the first ${kept} and the last ${kept} are here`,
  )
  return {
    ...trace,
    attempts: trace.attempts.map(attempt =>
      long.includes(attempt)
        ? { ...attempt, calls: [...attempt.calls.slice(0, kept), ...attempt.calls.slice(-kept)] }
        : attempt,
    ),
    incomplete: [trace.incomplete, ...left].filter(Boolean).join('; '),
  }
}
