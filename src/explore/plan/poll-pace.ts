import type { RequestView } from '../../kits/views.ts'
import type { WorldObservation } from './observe.ts'

/** The requests of a run, and whether the program's own sleeps moved its clock. */
type Polled = Pick<WorldObservation, 'requests' | 'isDriven'>

/** A busy machine delays a request by less; programs that rest between polls mostly rest for a second or more. Wall ms. */
export const noticeableMs = 250

/** Whether the median time between two polls is less than half of `undisturbedMs`, the pace of an undisturbed run. */
export function isFasterThan(polled: Polled, undisturbedMs: number | undefined): boolean {
  const gaps = gapsOf(polled)
  const nowMs = gaps[Math.floor(gaps.length / 2)]
  return (
    nowMs !== undefined &&
    undisturbedMs !== undefined &&
    nowMs < undisturbedMs / 2 &&
    undisturbedMs - nowMs >= noticeableMs
  )
}

/** A pause before a poll that is no work of the program, wall ms. */
const sleepMs = 1000

/** The share of a run of `ms` wall milliseconds, 0 to 1, in which the program slept before its polls. */
export function sleepShareOf({ requests }: Pick<WorldObservation, 'requests'>, ms: number): number {
  const pauses = requests.slice(1).map(({ operation, started_ms }, index) => {
    const { started_ms: before = started_ms, duration_ms = 0 } = requests[index] ?? {}
    return /\.(?:get|list)$/.test(operation) ? started_ms - before - duration_ms : 0
  })
  const sleptMs = pauses.filter(pause => pause >= sleepMs).reduce((sum, pause) => sum + pause, 0)
  return Math.min(1, sleptMs / ms)
}

/** The median time between two polls of the same task, ms, the lower one of two. Undefined when no task was polled twice. */
export function paceOf(polled: Polled): number | undefined {
  const gaps = gapsOf(polled)
  return gaps[Math.floor((gaps.length - 1) / 2)]
}

/**
 * The times between two polls of the same task, the shortest first: wall time, or virtual time where the program's own sleeps
 * make it and it is longer. The clock `auto` moves at polls, so that its time says nothing about them.
 */
function gapsOf({ requests, isDriven }: Polled): number[] {
  const lastOf = new Map<string, RequestView>()
  const gaps: number[] = []
  for (const request of requests) {
    const { operation, path, started_ms, at_ms } = request
    if (!operation.endsWith('.get')) continue
    const last = lastOf.get(path)
    if (last) gaps.push(Math.max(started_ms - last.started_ms, isDriven ? at_ms - last.at_ms : 0))
    lastOf.set(path, request)
  }
  return gaps.sort((one, other) => one - other)
}
