import { type FailureRow, failuresIn } from './failure.ts'
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

const forContent: FailureRow['effect'] = ({ family }) => ({
  task: { outcome: 'failed', error: { code: contentCodes[family] ?? 'failed' } },
})
const refusedLate = { queued: '1s', running: '1s', outcome: 'failed', error: { code: 'InvalidParameter' } }
const goneFrom = { a: queryLine, c: 'C-unknown-task', special: queryLine, k: 'K-not-found' }

/** Ways in which a task ends, or does not end. */
// biome-ignore format: a table, one row a line
export const outcomes: readonly FailureRow[] = failuresIn([
  ['late_refusal', 'outcome', 'stays', 'the task is accepted and soon fails because of a parameter', among({ b: 'B-late' }), { task: refusedLate }],
  ['task_failed', 'outcome', 'stays', 'the task fails', tasks(states), { task: { outcome: 'failed' } }],
  ['task_moderated', 'outcome', 'stays', 'the task runs and then fails because of its content', tasks(states), forContent],
  ['task_expired', 'outcome', 'stays', 'the task is not finished in time and expires', among({ a: states }), { task: { outcome: 'expired' } }],
  ['task_cancelled', 'outcome', 'stays', 'the task is cancelled', among({ a: states, b: states, c: states, special: states }), { task: { outcome: 'cancelled' } }],
  ['task_stuck', 'timing', 'stays', 'the task never ends and does not expire', tasks('network'), { task: { outcome: 'stuck' } }],
  ['task_slow', 'timing', 'passes', 'the task waits ten minutes in the queue', tasks('A-run-times'), { task: { queued: '10m' } }],
  ['task_unknown', 'outcome', 'stays', 'the task becomes unknown: later polls answer UNKNOWN', among({ b: states }), { task: { gone: '1s' } }],
  ['task_gone', 'outcome', 'stays', 'the record of the task is lost: later polls do not find it', among(goneFrom), { task: { gone: '1s' } }],
  ['no_result_link', 'outcome', 'stays', 'the task succeeds, and its reply has no link', ({ makesFile }) => (makesFile ? 'network' : undefined), { media: 'missing_url' }],
])
