import type { FromSchema } from 'json-schema-to-ts'
import { formatDuration } from '../../worlds/clock.ts'
import type { TaskError } from '../../worlds/task.ts'
import {
  bareTag,
  drawRange,
  duration,
  durationTag,
  needDuration,
  needRange,
  type Range,
  range,
  type Tag,
} from '../amounts.ts'
import { answersAtOnce, makesTask } from '../operations.ts'
import { ScenarioError } from '../scenario-error.ts'
import { drawsNothing, type Effect, everywhere, type TaskTimes } from './effect.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['advance'],
  properties: { advance: duration },
  description: 'Moves virtual time forward before the request is handled.',
} as const

/** `clock` as files write it. */
export type SpelledClock = FromSchema<typeof schema>

/** Moves virtual time forward before the request is handled. */
export interface ClockMove {
  advanceMs: number
}

export const clock = {
  schema,
  read: ({ advance }, steps) => ({ advanceMs: needDuration(advance, [...steps, 'advance']) }),
  draw: drawsNothing<ClockMove>,
  spell: ({ advanceMs }) => ({ advance: formatDuration(advanceMs) }),
  reaches: everywhere,
  text: ({ advanceMs }) => `the clock moves on by ${formatDuration(advanceMs)}`,
  tags: {},
} as const satisfies Effect<SpelledClock, ClockMove>

/** In families without expiry, a task that a scenario lets expire fails this long after its creation (A-expire). Virtual ms. */
export const timeoutMs = 3 * 3_600_000

const outcomes = ['succeeded', 'failed', 'cancelled', 'expired', 'never', 'stuck'] as const

/** The schema of a task effect; also the plan of `POST /__emulator/tasks`. */
export const taskSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  description: 'The plan of the task that this request makes.',
  properties: {
    queued: { ...range, description: 'How long it waits: a duration, or {from, to}.' },
    running: { ...range, description: 'How long it runs: a duration, or {from, to}.' },
    outcome: {
      enum: outcomes,
      description:
        'How it ends. A `never` task can still expire where tasks expire; a `stuck` one cannot. An `expired` one does so at its expiry, or earlier when it has run as long as `running` says.',
    },
    error: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        code: { type: 'string', minLength: 1, description: 'Such as InternalServiceError.' },
        message: { type: 'string', description: 'A sentence.' },
      },
      description: "The error of a failed task, instead of the family's own.",
    },
    gone: {
      ...duration,
      description:
        'How long after its start the record is lost: after that, polls answer as for an unknown task, and lists leave it out. A duration such as 30s.',
    },
    label: {
      type: 'string',
      minLength: 1,
      description: 'A name for later rules: when: {task: {of: label}}.',
    },
  },
} as const

/** `task` as files write it. */
export type SpelledTask = FromSchema<typeof taskSchema>

interface Common {
  outcome?: (typeof outcomes)[number]
  error?: Partial<TaskError>
  label?: string
  /** The record is lost this long after the start; virtual ms. */
  goneMs?: number
}

/** The effect before its durations are drawn; virtual ms. */
export interface PlannedTask extends Common {
  queued?: Range
  running?: Range
}

/** The changes of a rule or tag to the new task. */
export interface TaskEffect extends Common {
  queuedMs?: number
  runningMs?: number
}

const tags = {
  fail: {
    wants: 'an error code',
    read: code => (/^[\w.-]{1,128}$/.test(code) ? { outcome: 'failed', error: { code } } : undefined),
    examples: [{ value: 'InternalServiceError', does: 'The task fails with this code' }],
  },
  queue: durationTag(queuedMs => ({ queuedMs }), [{ value: '30s', does: 'It waits 30 s' }]),
  run: durationTag(runningMs => ({ runningMs }), [{ value: '2m', does: 'It runs 2 min' }]),
  gone: durationTag(goneMs => ({ goneMs }), [{ value: '5s', does: 'Its record is lost while it runs' }]),
  never: bareTag({ outcome: 'never' }, 'It never ends by itself'),
  expire: bareTag({ outcome: 'expired' }, 'It expires'),
  cancel: bareTag({ outcome: 'cancelled' }, 'It is cancelled'),
} satisfies Record<string, Tag<TaskEffect>>

export const task = {
  schema: taskSchema,
  read({ queued, running, gone, ...rest }, steps) {
    if (rest.error && rest.outcome !== 'failed') {
      throw new ScenarioError('error goes only with outcome: failed', {
        steps: [...steps, 'error'],
        hint: 'write outcome: failed too',
      })
    }
    return {
      ...rest,
      ...(queued !== undefined && { queued: needRange(queued, [...steps, 'queued']) }),
      ...(running !== undefined && { running: needRange(running, [...steps, 'running']) }),
      ...(gone !== undefined && { goneMs: needDuration(gone, [...steps, 'gone']) }),
    }
  },
  draw({ queued, running, ...rest }, random) {
    return {
      ...rest,
      ...(queued && { queuedMs: drawRange(queued, random) }),
      ...(running && { runningMs: drawRange(running, random) }),
    }
  },
  spell: ({ queuedMs, runningMs, goneMs, ...rest }) => ({
    ...rest,
    ...(queuedMs !== undefined && { queued: formatDuration(queuedMs) }),
    ...(runningMs !== undefined && { running: formatDuration(runningMs) }),
    ...(goneMs !== undefined && { gone: formatDuration(goneMs) }),
  }),
  reaches: (operation, { outcome }) => makesTask(operation) && canEnd(operation, outcome),
  text: taskText,
  tags,
} as const satisfies Effect<SpelledTask, PlannedTask, TaskEffect>

function taskText(
  { queued, running, outcome = 'succeeded', error, goneMs }: PlannedTask,
  { operation, queuedMs, runningMs, words }: TaskTimes,
): string {
  const code = error?.code ? ` ${error.code}` : ''
  if (answersAtOnce(operation))
    return `answers at once with ${outcome === 'failed' ? `an error${code}` : 'the result'}`
  const waits = queued ?? exactly(queuedMs)
  const runs = running ?? exactly(runningMs)
  const ends = rangeText({ from: waits.from + runs.from, to: waits.to + runs.to })
  const end = {
    succeeded: `${ends} ${words.succeeded}`,
    failed: `${ends} ${words.failed}${code}`,
    cancelled: `${ends} ${words.cancelled ?? 'cancelled'}`,
    // In families without expiry, a task fails when its time is over (A-expire).
    expired: words.expired
      ? `${running ? `${ends}, or at its expiry when that is earlier,` : 'at its expiry'} ${words.expired}`
      : `${running ? ends : `after ${formatDuration(timeoutMs)}`} ${words.failed}`,
    never: 'never ends',
    stuck: 'never ends, and never expires',
  }[outcome]
  const gone = goneMs === undefined ? '' : `, record gone ${formatDuration(goneMs)} after its start`
  return `${words.queued} -> ${rangeText(waits)} ${words.running} -> ${end}${gone}`
}

/** Whether a task of an operation can end so: where the reply has the result, it succeeds or fails (I-outcome). */
export function canEnd(operation: string, outcome: TaskEffect['outcome'] = 'succeeded'): boolean {
  return !answersAtOnce(operation) || outcome === 'succeeded' || outcome === 'failed'
}

function exactly(ms: number): Range {
  return { from: ms, to: ms }
}

function rangeText({ from, to }: Range): string {
  return from === to ? formatDuration(from) : `${formatDuration(from)}..${formatDuration(to)}`
}
