import type { TaskLine } from '../../kits/views.ts'

/** The stretch of virtual time that the page shows, epoch ms. */
export interface TimeWindow {
  from: number
  to: number
}

const shortestMs = 20_000
/** The window around some tasks. It moves in steps of a twentieth of its length, so that the axis does not move all the time. */
export function fitted(rows: readonly Pick<TaskLine, 'states'>[], at: number): TimeWindow {
  if (rows.length === 0) return { from: at - 60_000, to: at + 60_000 }
  const starts = rows.map(({ states }) => states[0]?.at_ms ?? at)
  const ends = rows.map(({ states }) => states.at(-1)?.at_ms ?? at)
  const from = Math.min(...starts)
  // A task that may end only after two days must not make the other bars tiny.
  const farthest = at + Math.max(60_000, (at - from) * 0.4)
  const isAnyOpen = rows.some(({ states }) => (states.at(-1)?.at_ms ?? 0) > at || states.length < 2)
  const last = Math.min(Math.max(...ends, isAnyOpen ? at : 0), Math.max(farthest, from))
  const span = Math.max(shortestMs, last - from)
  const step = stepOf(span / 20)
  const start = Math.floor((from - span * 0.03) / step) * step
  return { from: start, to: Math.max(Math.ceil((last + span * 0.05) / step) * step, start + span) }
}

const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800,
]

/** The smallest round number of ms that is not below `ms`. */
function stepOf(ms: number): number {
  return (steps.find(step => step * 1000 >= ms) ?? Math.ceil(ms / 604_800_000) * 604_800) * 1000
}

/** About this many round moments for the axis. */
export function ticks({ from, to }: TimeWindow, count: number): number[] {
  const step = stepOf((to - from) / Math.max(1, count))
  const list: number[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at)
  return list
}

/** The place of a moment in percent of the window; below 0 or above 100 outside of it. */
export function place(at: number, { from, to }: TimeWindow): number {
  return ((at - from) / (to - from)) * 100
}

const shortestShownMs = 5000
const longestShownMs = 30 * 86_400_000

/** The window with `factor` times as much time in it; the moment `at` stays where it is on the page. */
export function zoomed({ from, to }: TimeWindow, at: number, factor: number): TimeWindow {
  const length = Math.min(longestShownMs, Math.max(shortestShownMs, (to - from) * factor))
  const start = at - ((at - from) / (to - from)) * length
  return { from: start, to: start + length }
}

/** The moment at a place of the window; `share` goes from 0 at its left to 1 at its right. */
export function momentAt({ from, to }: TimeWindow, share: number): number {
  return from + Math.min(1, Math.max(0, share)) * (to - from)
}
