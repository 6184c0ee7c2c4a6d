import type { RequestView } from '../client/types.ts'

/** A smaller difference is noise of the machine, wall ms. */
const noticeableMs = 20

/** Whether the median time between two polls is less than half of `undisturbedMs`, the pace of an undisturbed run, in wall time. */
export function isFasterThan(requests: readonly RequestView[], undisturbedMs: number | undefined): boolean {
  const gaps = gapsOf(requests)
  const nowMs = gaps[Math.floor(gaps.length / 2)]
  return (
    nowMs !== undefined &&
    undisturbedMs !== undefined &&
    nowMs < undisturbedMs / 2 &&
    undisturbedMs - nowMs >= noticeableMs
  )
}

/** The median time between two polls of the same task, wall ms, the lower one of two. Undefined when no task was polled twice. */
export function paceOf(requests: readonly RequestView[]): number | undefined {
  const gaps = gapsOf(requests)
  return gaps[Math.floor((gaps.length - 1) / 2)]
}

/** The times between two polls of the same task, the shortest first. */
function gapsOf(requests: readonly RequestView[]): number[] {
  const lastOf = new Map<string, number>()
  const gaps: number[] = []
  for (const { operation, path, started_ms } of requests) {
    if (!operation.endsWith('.get')) continue
    const last = lastOf.get(path)
    if (last !== undefined) gaps.push(started_ms - last)
    lastOf.set(path, started_ms)
  }
  return gaps.sort((one, other) => one - other)
}
