import type { RequestView } from '../client/types.ts'

/** A smaller difference is noise of the machine, wall ms. */
const noticeableMs = 20

/** Whether the median time between two polls was less than half of that in the undisturbed run, in wall time. */
export function isFasterThan(requests: readonly RequestView[], undisturbed: readonly RequestView[]): boolean {
  const [now, before] = [medianGap(requests), medianGap(undisturbed)]
  return now !== undefined && before !== undefined && now < before / 2 && before - now >= noticeableMs
}

function medianGap(requests: readonly RequestView[]): number | undefined {
  const lastOf = new Map<string, number>()
  const gaps: number[] = []
  for (const { operation, path, started_ms } of requests) {
    if (!operation.endsWith('.get')) continue
    const last = lastOf.get(path)
    if (last !== undefined) gaps.push(started_ms - last)
    lastOf.set(path, started_ms)
  }
  return gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)]
}
