import { firstWhere } from '../parts/lists.ts'

/** Places on a line for times, 0 to 1. */
export interface Scale {
  at(time: number): number
  /** Times to write under the line, with their places. */
  ticks: { time: number; place: number }[]
}

/** A pause of this length takes one unit of the line; one ten times as long takes three and a half. Ms. */
const unitMs = 100
const mostTicks = 8
/** A later tick would be written beyond the edge. */
const lastTick = 0.88

/**
 * A line on which long rests are shortened: the space between two neighbouring times grows with the logarithm of their distance, so that
 * a burst of calls and a wait of hours can be seen on one line.
 */
export function scaleOf(times: readonly number[]): Scale {
  const sorted = [...new Set(times)].sort((a, b) => a - b)
  const places = [0]
  for (let i = 1; i < sorted.length; i++)
    places.push((places[i - 1] ?? 0) + Math.log2(1 + ((sorted[i] ?? 0) - (sorted[i - 1] ?? 0)) / unitMs))
  const whole = places.at(-1) || 1
  const at = (time: number) => {
    if (time <= (sorted[0] ?? time)) return 0
    if (time >= (sorted.at(-1) ?? time)) return 1
    const next = firstWhere(sorted.length, i => (sorted[i] ?? 0) > time)
    const [from = 0, to = 0] = sorted.slice(next - 1)
    const [start = 0, end = 0] = places.slice(next - 1)
    return (start + ((end - start) * (time - from)) / (to - from || 1)) / whole
  }
  const ticks: Scale['ticks'] = []
  for (const time of sorted) {
    const place = at(time)
    const last = ticks.at(-1)
    if (place <= lastTick && (!last || place - last.place >= 1 / mostTicks)) ticks.push({ time, place })
  }
  return { at, ticks }
}
