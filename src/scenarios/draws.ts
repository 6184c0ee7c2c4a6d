import type { Random } from '../worlds/random.ts'
import type { Range } from './amounts.ts'
import type { ConnectionFault, TaskEffect } from './scenario.ts'
import type { Latency, Then } from './then.ts'

/** A task effect with its durations drawn; a fixed one draws nothing. */
export function drawTask(task: NonNullable<Then['task']>, random: () => Random): TaskEffect {
  const { queued, running, ...rest } = task
  return {
    ...rest,
    ...(queued && { queuedMs: drawRange(queued, random) }),
    ...(running && { runningMs: drawRange(running, random) }),
  }
}

/** A connection effect with its latency drawn. */
export function drawConnection(
  connection: NonNullable<Then['connection']>,
  random: () => Random,
): ConnectionFault {
  const { latency, ...rest } = connection
  return latency === undefined ? rest : { ...rest, latencyMs: drawLatency(latency, random) }
}

function drawRange({ from, to }: Range, random: () => Random): number {
  return from === to ? from : random().integer(from, to)
}

/** Waiting times of services have long tails: log-normal, through the two percentiles. */
function drawLatency(latency: Latency, random: () => Random): number {
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
