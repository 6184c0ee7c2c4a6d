import { formatDuration } from '../../worlds/clock.ts'
import type { Random } from '../../worlds/random.ts'
import { needDuration } from '../amounts.ts'
import { ScenarioError, type Steps } from '../scenario-error.ts'
import { duration } from '../value-schemas.ts'

/** Interface, "Scenario files": latency is wall time, capped at 30 s. */
export const maxLatencyMs = 30_000

/** Latency, fixed or drawn from a log-normal distribution with these percentiles; wall ms. */
export type Latency = number | { p50: number; p99: number }

/** A latency as files write it. */
export const latencySchema = {
  type: ['string', 'integer', 'object'],
  minimum: 0,
  pattern: duration.pattern,
  properties: { p50: duration, p99: duration },
  required: ['p50', 'p99'],
  additionalProperties: false,
  description: 'wall time before the reply: a duration, or {p50, p99} to draw one; at most 30 s',
} as const

/** Reads a latency of the right shape. Throws ScenarioError. */
export function readLatency(spelled: unknown, steps: Steps): Latency {
  if (typeof spelled !== 'object' || spelled === null) return needDuration(spelled, steps)
  const { p50, p99 } = spelled as Readonly<Record<string, unknown>>
  const latency = { p50: needDuration(p50, [...steps, 'p50']), p99: needDuration(p99, [...steps, 'p99']) }
  if (latency.p50 > 0 && latency.p99 >= latency.p50) return latency
  const hint = 'write such as {p50: 40ms, p99: 800ms}'
  throw new ScenarioError('p50 must be above 0 and p99 not less than p50', { steps, hint })
}

/** A latency in wall ms. Latencies of services have a long tail, so the distribution is log-normal, with these two percentiles. */
export function drawLatency(latency: Latency, random: () => Random): number {
  if (typeof latency === 'number') return latency
  const { p50, p99 } = latency
  // 2.3263 standard deviations above the median lie 99 % of a normal distribution.
  const sigma = Math.log(p99 / p50) / 2.3263
  return Math.round(p50 * Math.exp(sigma * drawNormal(random())))
}

/** A standard normal number (Box and Muller). */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  return radius * Math.cos(2 * Math.PI * random.next())
}

/** A latency in words. */
export function latencyText(latency: Latency): string {
  if (typeof latency === 'number') return formatDuration(latency)
  return `p50 ${formatDuration(latency.p50)} p99 ${formatDuration(latency.p99)}`
}
