import type { FailureRow } from './failure.ts'
import { among, states, tasks } from './sources.ts'

const queryLine = 'Spec, "Errors" 4'

/** The code of a task that failed because of its content, in each family's upstream. */
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
    title: 'the task is accepted and soon fails because of a parameter',
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
    title: 'the task runs and then fails because of its content',
    kind: 'outcome',
    transient: false,
    source: tasks(states),
    effect: ({ family }) => ({
      task: { outcome: 'failed', error: { code: contentCodes[family] ?? 'failed' } },
    }),
  },
  {
    id: 'task_expired',
    title: 'the task is not finished in time and expires',
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
    title: 'the task never ends and does not expire',
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
    title: 'the task becomes unknown: later polls answer UNKNOWN',
    kind: 'outcome',
    transient: false,
    source: among({ b: states }),
    effect: { task: { gone: '1s' } },
  },
  {
    id: 'task_gone',
    title: 'the record of the task is lost: later polls do not find it',
    kind: 'outcome',
    transient: false,
    source: among({ a: queryLine, c: 'C-unknown-task', special: queryLine, k: 'K-not-found' }),
    effect: { task: { gone: '1s' } },
  },
  {
    id: 'no_result_link',
    title: 'the task succeeds, and its reply has no link',
    kind: 'outcome',
    transient: false,
    source: ({ makesFile }) => (makesFile ? 'network' : undefined),
    effect: { media: 'missing_url' },
  },
]
