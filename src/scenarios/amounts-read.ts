import type { Random } from '../worlds/random.ts'
import { type Range, readBytesPerSecond, readDuration } from './amounts.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

/** A duration in ms. Throws ScenarioError when it is none or longer than ten years. */
export function needDuration(spelled: unknown, steps: Steps): number {
  const ms = readDuration(spelled)
  if (ms !== undefined) return ms
  const hint = 'write 250ms, 90s, 5m, 2h, 7d or 1h30m, at most 3650d'
  throw new ScenarioError(`"${spelled}" is no duration`, { steps, hint })
}

/** Bytes a second. Throws ScenarioError when it is no speed. */
export function needSpeed(spelled: unknown, steps: Steps): number {
  const speed = readBytesPerSecond(spelled)
  if (speed !== undefined) return speed
  const hint = 'write 64kB/s, 8KiB/s or bytes a second'
  throw new ScenarioError(`"${spelled}" is no speed`, { steps, hint })
}

/** A duration, or one to be drawn from `{from, to}`. Throws ScenarioError. */
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

/** A length from a range; a fixed one draws nothing. */
export function drawRange({ from, to }: Range, random: () => Random): number {
  return from === to ? from : random().integer(from, to)
}
