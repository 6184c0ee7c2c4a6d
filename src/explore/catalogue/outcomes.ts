import type { FailureRow } from './failure.ts'
import { among, states, tasks } from './sources.ts'

const queryLine = 'Spec, "Errors" 4'

/** Codes of a task that failed for its content, in the words of each family's upstream. */
const contentCodes: Readonly<Record<string, string>> = {
  a: 'OutputVideoSensitiveContentDetected',
  b: 'DataInspectionFailed',
  c: '1027',
  special: '1027',
  k: '1301',
}

/** Ways in which a task ends, or does not end. */
export const outcomes: readonly FailureRow[] = [
  {
    id: 'late_refusal',
    title: 'accepted, and failed a moment later for a parameter',
    kind: 'outcome',
    transient: false,
    source: among({ b: 'B-late' }),
    effect: {
      task: { queued: '1s', running: '1s', outcome: 'failed', error: { code: 'InvalidParameter' } },
    },
  },
  {
    id: 'task_failed',
    title: 'the task fails',
    kind: 'outcome',
    transient: false,
    source: tasks(states),
    effect: { task: { outcome: 'failed' } },
  },
  {
    id: 'task_moderated',
    title: 'the task fails for its content, after it ran',
    kind: 'outcome',
    transient: false,
    source: tasks(states),
    effect: ({ family }) => ({
      task: { outcome: 'failed', error: { code: contentCodes[family] ?? 'failed' } },
    }),
  },
  {
    id: 'task_expired',
    title: 'the task is not done in time and expires',
    kind: 'outcome',
    transient: false,
    source: among({ a: states }),
    effect: { task: { outcome: 'expired' } },
  },
  {
    id: 'task_cancelled',
    title: 'the task is cancelled',
    kind: 'outcome',
    transient: false,
    source: among({ a: states, b: states, c: states, special: states }),
    effect: { task: { outcome: 'cancelled' } },
  },
  {
    id: 'task_stuck',
    title: 'the task never ends, nor expires',
    kind: 'timing',
    transient: false,
    source: tasks('network'),
    effect: { task: { outcome: 'stuck' } },
  },
  {
    id: 'task_slow',
    title: 'the task waits ten minutes in the queue',
    kind: 'timing',
    transient: true,
    source: tasks('A-run-times'),
    effect: { task: { queued: '10m' } },
  },
  {
    id: 'task_unknown',
    title: 'the task is no longer known: a poll that had worked answers UNKNOWN',
    kind: 'outcome',
    transient: false,
    source: among({ b: states }),
    effect: { task: { gone: '1s' } },
  },
  {
    id: 'task_gone',
    title: 'the record of the task is gone: a poll that had worked finds nothing',
    kind: 'outcome',
    transient: false,
    source: among({ a: queryLine, c: 'C-unknown-task', special: queryLine, k: 'K-not-found' }),
    effect: { task: { gone: '1s' } },
  },
  {
    id: 'no_result_link',
    title: 'the task succeeded, and its answer has no link',
    kind: 'outcome',
    transient: false,
    source: ({ makesFile }) => (makesFile ? 'network' : undefined),
    effect: { media: 'missing_url' },
  },
]
