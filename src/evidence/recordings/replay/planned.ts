import { lifeOf } from '../../spec/lives.ts'
import { type Phase, phases, type StateObservation, type TaskObservation } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'

/** The plan under which a task looks again as it was recorded: the scenario language's `task`, with durations in milliseconds. */
export interface PlannedTask {
  queuedMs: number
  runningMs: number
  outcome: 'succeeded' | 'failed' | 'cancelled' | 'never'
  error?: { code?: string; message?: string }
}

/** The plan in the words of a scenario. */
export function inWords({ queuedMs, runningMs, outcome, error }: PlannedTask) {
  return { queued: `${queuedMs}ms`, running: `${runningMs}ms`, outcome, ...(error && { error }) }
}

const neverMs = 365 * 86_400_000

/**
 * Plans a task from its recorded states. A task from before the recording has no create: it counts as made at `olderAt` (an
 * offset, as in the steps), or else just before its first reply.
 */
export function planOf(task: TaskObservation, olderAt?: number): PlannedTask {
  const marks = marksOf(task)
  const createdAt = task.makes?.at ?? olderAt ?? (marks[0]?.at ?? 0) - 1
  const { lastQueued, lastLive, started, over } = livedThrough(marks, createdAt)
  const end = over && task.seen.find(({ status }) => status !== 'queued' && status !== 'running')
  // A task that a DELETE cancels, or that expires, must not end by itself.
  if (end?.status === 'expired' || (end?.status === 'cancelled' && task.isRemoved)) {
    const startsAt =
      started && started !== over ? between(lastQueued, started, 'startedAt', createdAt) : createdAt + neverMs
    return { queuedMs: startsAt - createdAt, runningMs: neverMs, outcome: 'never' }
  }
  if (!started) return { queuedMs: neverMs, runningMs: 0, outcome: 'succeeded' }
  // A task may have started and ended between two replies. A record with the start of the work must have both.
  const endsAt = over
    ? Math.max(between(lastLive, over, 'changedAt', createdAt), Math.min(over.at, lastQueued + 2))
    : createdAt + neverMs
  const hasRun = end === undefined || end.status === 'succeeded' || lifeOf(end.record).startedAt !== undefined
  const latestStart = hasRun ? endsAt - 1 : endsAt
  const startsAt = Math.min(latestStart, between(lastQueued, started, 'startedAt', createdAt))
  const plan = { queuedMs: Math.max(0, startsAt - createdAt), runningMs: Math.max(0, endsAt - startsAt) }
  if (!end) return { ...plan, outcome: 'succeeded' }
  if (end.status === 'failed') {
    const error = errorOf(end)
    return { ...plan, outcome: 'failed', ...(Object.keys(error).length > 0 && { error }) }
  }
  return { ...plan, outcome: end.status === 'cancelled' ? 'cancelled' : 'succeeded' }
}

/** A reply that limits the phases in which a task can have been. */
interface Mark {
  step: Step
  at: number
  phases: readonly Phase[]
  record?: StateObservation['record']
}

/** All replies that show something about the task's state, in order. */
export function marksOf({ seen, hints }: TaskObservation): Mark[] {
  const shown = seen.map(({ step, at, status, record }) => {
    const phase = status === 'queued' || status === 'running' ? status : 'over'
    return { step, at, phases: [phase] as const, record }
  })
  return [...shown, ...hints].sort((one, other) => one.at - other.at)
}

/** The earliest phase that each mark allows after the marks before it. A mark that allows none contradicts the rules and is left out. */
function livedThrough(marks: readonly Mark[], createdAt: number) {
  let [lastQueued, lastLive] = [createdAt, createdAt]
  let started: Mark | undefined
  for (const mark of marks) {
    const phase = mark.phases.find(one => phases.indexOf(one) >= (started ? 1 : 0))
    if (phase === undefined) continue
    if (phase !== 'queued') started ??= mark
    if (phase === 'over') return { lastQueued, lastLive, started, over: mark }
    lastLive = mark.at
    if (phase === 'queued') lastQueued = mark.at
  }
  return { lastQueued, lastLive, started, over: undefined }
}

/** A moment after `from` and not after the mark: the one in its record when it fits, else the middle. */
function between(
  from: number,
  { at: to, record }: Mark,
  name: 'startedAt' | 'changedAt',
  createdAt: number,
): number {
  const life = record ? lifeOf(record) : undefined
  const told = life?.[name]
  const at =
    told === undefined || life?.createdAt === undefined ? Number.NaN : createdAt + told - life.createdAt
  if (at > from && at <= to) return Math.round(at)
  return Math.min(to, Math.max(from + 1, Math.round((from + to) / 2)))
}

/** Code and message of a failure. Family K has only the message. */
function errorOf({ record }: StateObservation): { code?: string; message?: string } {
  const error = (record.error ?? record) as { code?: unknown; message?: unknown; task_status_msg?: unknown }
  const message = error.message ?? error.task_status_msg
  return {
    ...(typeof error.code === 'string' && error.code !== '' && { code: error.code }),
    ...(typeof message === 'string' && message !== '' && { message }),
  }
}
