import { firstWhere } from '../parts/lists.ts'
import type { StateChange } from './tasks.ts'

/** The moments at which tasks change or their links end, epoch ms, in order. Their first state does not count as a change. */
export function momentsOf(
  rows: readonly { states: readonly StateChange[]; links_end_ms?: number }[],
): number[] {
  return rows
    .flatMap(({ states, links_end_ms: end }) => [
      ...states.slice(1).map(({ at_ms }) => at_ms),
      ...(end === undefined ? [] : [end]),
    ])
    .sort((a, b) => a - b)
}

/** How many moments lie after `from`, up to and with `to`. */
export function countBetween(moments: readonly number[], from: number, to: number): number {
  return Math.max(0, firstAfter(moments, to) - firstAfter(moments, from))
}

/** The places of moments in a stretch of time, in percent, at most one for each of `places`; moments before `after` are left out. */
export function marksIn(
  moments: readonly number[],
  { from, to, after }: { from: number; to: number; after: number },
  places: number,
): number[] {
  const marks: number[] = []
  const end = firstAfter(moments, to)
  for (let i = firstAfter(moments, Math.max(from, after)); i < end; i++) {
    const mark = Math.floor((((moments[i] ?? from) - from) / (to - from)) * places)
    if (mark !== marks.at(-1)) marks.push(mark)
  }
  return marks.map(mark => (mark / places) * 100)
}

/** The index of the first moment after one; the length when there is none. */
function firstAfter(moments: readonly number[], at: number): number {
  return firstWhere(moments.length, i => (moments[i] ?? 0) > at)
}
