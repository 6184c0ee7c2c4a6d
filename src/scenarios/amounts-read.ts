import type { Random } from '../worlds/random.ts'
import { type Range, readBytesPerSecond, readDuration } from './amounts.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

/** A duration in ms. Throws ScenarioError when it is not a duration or is longer than ten years. */
export function needDuration(spelled: unknown, steps: Steps): number {
  const ms = readDuration(spelled)
  if (ms !== undefined) return ms
  const hint = 'write 250ms, 90s, 5m, 2h, 7d or 1h30m, at most 3650d'
  throw new ScenarioError(`"${spelled}" is not a duration`, { steps, hint })
}

/** Bytes per second. Throws ScenarioError when it is not a speed. */
export function needSpeed(spelled: unknown, steps: Steps): number {
  const speed = readBytesPerSecond(spelled)
  if (speed !== undefined) return speed
  const hint = 'write 64kB/s, 8KiB/s or bytes a second'
  throw new ScenarioError(`"${spelled}" is not a speed`, { steps, hint })
}

/** A duration, or a range `{from, to}` to draw one from. Throws ScenarioError. */
export function needRange(spelled: unknown, steps: Steps): Range {
  if (typeof spelled !== 'object' || spelled === null) {
    const ms = needDuration(spelled, steps)
    return { from: ms, to: ms }
  }
  const { from, to } = spelled as Readonly<Record<string, unknown>>
  const range = { from: needDuration(from, [...steps, 'from']), to: needDuration(to, [...steps, 'to']) }
  if (range.to >= range.from) return range
  const hint = 'write the shorter one first'
  throw new ScenarioError(`"to" (${to}) is less than "from" (${from})`, { steps, hint })
}

/** Draws a length from a range; a fixed length needs no draw. */
export function drawRange({ from, to }: Range, random: () => Random): number {
  return from === to ? from : random().integer(from, to)
}
