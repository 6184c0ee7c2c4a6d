import { lifeOf } from './moments.ts'
import type { Observed, Seen } from './observed.ts'

/** What must happen to a task for it to be seen again as it was: the scenario language's `task`, durations in milliseconds. */
export interface PlannedTask {
  queuedMs: number
  runningMs: number
  outcome: 'succeeded' | 'failed' | 'cancelled' | 'never'
  error?: { code?: string; message?: string }
}

/** Longer than any recording. */
const neverMs = 365 * 86_400_000

/** Plans a task from how it was seen. `createdAt` is the offset of its create; a task that was made before the recording has none. */
export function planOf({ seen, makes, isRemoved }: Observed): PlannedTask {
  const createdAt = makes?.at ?? (seen[0]?.at ?? 0) - 1
  const over = seen.find(isOver)
  const endsBy = over?.at ?? Number.POSITIVE_INFINITY
  const started = seen.find(({ status, at }) => status !== 'queued' && at <= endsBy)
  const lastQueued = Math.max(
    createdAt,
    ...seen.filter(one => one.status === 'queued' && one.at < endsBy).map(one => one.at),
  )
  const lastLive = Math.max(
    lastQueued,
    ...seen.filter(one => !isOver(one) && one.at < endsBy).map(one => one.at),
  )
  // A task that DELETE cancels, or that expires, would never have ended by itself.
  if (over?.status === 'expired' || (over?.status === 'cancelled' && isRemoved)) {
    const startsAt =
      started && started !== over
        ? between(lastQueued, started.at, started, 'startedAt', createdAt)
        : createdAt + neverMs
    return { queuedMs: startsAt - createdAt, runningMs: neverMs, outcome: 'never' }
  }
  if (!started) return { queuedMs: neverMs, runningMs: 0, outcome: 'succeeded' }
  // Between two replies there is room for a start and an end: a record that tells when work began must have both.
  const endsAt = over
    ? Math.max(between(lastLive, over.at, over, 'changedAt', createdAt), Math.min(over.at, lastQueued + 2))
    : createdAt + neverMs
  const hasRun =
    over === undefined || over.status === 'succeeded' || lifeOf(over.record).startedAt !== undefined
  const latestStart = hasRun ? endsAt - 1 : endsAt
  const startsAt = Math.min(latestStart, between(lastQueued, started.at, started, 'startedAt', createdAt))
  const plan = { queuedMs: Math.max(0, startsAt - createdAt), runningMs: Math.max(0, endsAt - startsAt) }
  if (!over) return { ...plan, outcome: 'succeeded' }
  if (over.status === 'failed') {
    const error = errorOf(over)
    return { ...plan, outcome: 'failed', ...(Object.keys(error).length > 0 && { error }) }
  }
  return { ...plan, outcome: over.status === 'cancelled' ? 'cancelled' : 'succeeded' }
}

function isOver({ status }: Seen): boolean {
  return status !== 'queued' && status !== 'running'
}

/** A moment after `from` and not after `to`: the one that the record tells where it lies there, else the middle. */
function between(
  from: number,
  to: number,
  { record }: Seen,
  name: 'startedAt' | 'changedAt',
  createdAt: number,
): number {
  const life = lifeOf(record)
  const told = life[name]
  const at =
    told === undefined || life.createdAt === undefined ? Number.NaN : createdAt + told - life.createdAt
  if (at > from && at <= to) return Math.round(at)
  return Math.min(to, Math.max(from + 1, Math.round((from + to) / 2)))
}

/** Code and message of a failure; K tells the message alone. */
function errorOf({ record }: Seen): { code?: string; message?: string } {
  const error = (record.error ?? record) as { code?: unknown; message?: unknown; task_status_msg?: unknown }
  const message = error.message ?? error.task_status_msg
  return {
    ...(typeof error.code === 'string' && error.code !== '' && { code: error.code }),
    ...(typeof message === 'string' && message !== '' && { message }),
  }
}
