import type { RequestView, Trace } from '../../kits/views.ts'
import type { ProcessCall, SystemCalls } from './row.ts'

/** Calls that are kept at either end of a run: a program that never ends polls thousands of times. */
const kept = 100

/** The calls of all processes of a system, in the order in which they came. */
export function systemCallsOf(trace: Trace, requests: readonly RequestView[]): SystemCalls {
  const calls = trace.attempts
    .flatMap(({ operation, calls }) =>
      calls.map(({ nth, service, status, broken, at, wall_ms, ended_at, ended_wall_ms }): ProcessCall => {
        return {
          operation,
          ...(nth !== undefined && { nth }),
          ...(service !== undefined && { service }),
          status,
          ...(broken && { broken }),
          at,
          wall_ms,
          ended_at,
          ended_wall_ms,
        }
      }),
    )
    .sort((one, other) => one.wall_ms - other.wall_ms)
  if (calls.length <= 2 * kept) return { calls }
  return {
    calls: [...calls.slice(0, kept), ...calls.slice(-kept)],
    left_out: Math.max(requests.length, calls.length) - 2 * kept,
  }
}
