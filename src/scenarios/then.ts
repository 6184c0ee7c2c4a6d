import type { MediaFault } from '../tasks/task.ts'
import { type Range, readBytesPerSecond, readFraction } from './amounts.ts'
import type { ProxyStatus } from './proxy-page.ts'
import type { ConnectionFault, Refusal, TaskEffect } from './scenario.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'
import { needDuration } from './when.ts'

/** Latency, fixed or drawn from a log-normal distribution with these percentiles; wall ms. */
export type Latency = number | { p50: number; p99: number }

/** What a rule does, with draws still to be made. */
export interface Then {
  refuse?: Refusal
  task?: Omit<TaskEffect, 'queuedMs' | 'runningMs'> & { queued?: Range; running?: Range }
  media?: MediaFault
  connection?: Omit<ConnectionFault, 'latencyMs'> & { latency?: Latency }
  advanceMs?: number
}

/** The kinds of effect, each of which the first matching rule decides. */
export const effectKinds = ['refuse', 'task', 'media', 'connection', 'advanceMs'] as const

type Source = Readonly<Record<string, unknown>>

/** Reads the effects of a rule whose shape has been checked. Throws ScenarioError. */
export function readThen(source: Source, steps: Steps): Then {
  const then: Then = {}
  if (source.refuse) then.refuse = readRefusal(source.refuse as Source, [...steps, 'refuse'])
  if (source.task) then.task = readTask(source.task as Source, [...steps, 'task'])
  if (source.media) then.media = readMedia(source.media as string | Source, [...steps, 'media'])
  if (source.connection) {
    then.connection = readConnection(source.connection as string | Source, [...steps, 'connection'])
  }
  if (source.clock) {
    then.advanceMs = needDuration((source.clock as Source).advance, [...steps, 'clock', 'advance'])
  }
  return then
}

function readRefusal({ retry_after, proxy_page, ...rest }: Source, steps: Steps): Refusal {
  const refusal: Refusal = {
    ...rest,
    ...(proxy_page !== undefined && { proxyPage: proxy_page as ProxyStatus }),
  }
  if (retry_after === undefined) return refusal
  return { ...refusal, retryAfterMs: needDuration(retry_after, [...steps, 'retry_after']) }
}

/** Reads a task effect whose shape has been checked. Throws ScenarioError. */
export function readTask(
  { queued, running, gone, ...rest }: Source,
  steps: Steps,
): NonNullable<Then['task']> {
  const task = rest as NonNullable<Then['task']>
  if (task.error && task.outcome !== 'failed') {
    throw new ScenarioError('error goes only with outcome: failed', {
      steps: [...steps, 'error'],
      hint: 'write outcome: failed too',
    })
  }
  return {
    ...task,
    ...(queued !== undefined && { queued: readRange(queued, [...steps, 'queued']) }),
    ...(running !== undefined && { running: readRange(running, [...steps, 'running']) }),
    ...(gone !== undefined && { goneMs: needDuration(gone, [...steps, 'gone']) }),
  }
}

function readRange(spelled: unknown, steps: Steps): Range {
  if (typeof spelled !== 'object' || spelled === null) {
    const ms = needDuration(spelled, steps)
    return { from: ms, to: ms }
  }
  const { from, to } = spelled as Source
  const range = { from: needDuration(from, [...steps, 'from']), to: needDuration(to, [...steps, 'to']) }
  if (range.to >= range.from) return range
  throw new ScenarioError(`"to" (${to}) is less than "from" (${from})`, {
    steps,
    hint: 'write the shorter one first',
  })
}

function readMedia(spelled: string | Source, steps: Steps): MediaFault {
  if (typeof spelled === 'string') return { kind: spelled as MediaFault['kind'] }
  if (spelled.link !== undefined) return { kind: `link_${spelled.link as 'expired' | 'exhausted'}` }
  if (spelled.slow !== undefined) return { kind: 'slow', value: needSpeed(spelled.slow, [...steps, 'slow']) }
  const value = readFraction(spelled.stall_after)
  if (value !== undefined) return { kind: 'stall', value }
  const place = { steps: [...steps, 'stall_after'], hint: 'write a part such as 50% or 0.5' }
  throw new ScenarioError(`"${spelled.stall_after}" is no part of a file`, place)
}

function readConnection(spelled: string | Source, steps: Steps): NonNullable<Then['connection']> {
  if (typeof spelled === 'string') return { [spelled]: true }
  const { latency, throttle, ...rest } = spelled
  return {
    ...(rest as ConnectionFault),
    ...(latency !== undefined && { latency: readLatency(latency, [...steps, 'latency']) }),
    ...(throttle !== undefined && { throttleBytesPerSecond: needSpeed(throttle, [...steps, 'throttle']) }),
  }
}

function readLatency(spelled: unknown, steps: Steps): Latency {
  if (typeof spelled !== 'object' || spelled === null) return needDuration(spelled, steps)
  const { p50, p99 } = spelled as Source
  const latency = { p50: needDuration(p50, [...steps, 'p50']), p99: needDuration(p99, [...steps, 'p99']) }
  if (latency.p50 > 0 && latency.p99 >= latency.p50) return latency
  throw new ScenarioError('p50 must be above 0 and p99 not less than p50', {
    steps,
    hint: 'write such as {p50: 40ms, p99: 800ms}',
  })
}

function needSpeed(spelled: unknown, steps: Steps): number {
  const speed = readBytesPerSecond(spelled)
  if (speed !== undefined) return speed
  throw new ScenarioError(`"${spelled}" is no speed`, {
    steps,
    hint: 'write 64kB/s, 8KiB/s or bytes a second',
  })
}
