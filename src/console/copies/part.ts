import type { Trace, TraceCall, TraceTask } from '../../kits/views.ts'

/** The kits that a run can be copied for, by the words of the buttons. */
export const testForms = { vitest: 'vitest', playwright: 'Playwright', pytest: 'pytest' } as const
export type TestForm = keyof typeof testForms

/** A call with the operation and the task of its attempt. */
export type CopiedCall = TraceCall & { operation: string; task: string | undefined }

/** What a copy is made of: calls in the order in which they came, and their tasks. */
export interface Part {
  trace: Trace
  calls: CopiedCall[]
  tasks: TraceTask[]
}

/** The whole run. */
export function wholeRun(trace: Trace): Part {
  return partWith(trace, () => true)
}

/** The run of a task: its create with the refused ones before it, its polls and its downloads. */
export function runOfTask(trace: Trace, id: string): Part {
  return partWith(trace, call => call.task === id || (call.task_ids?.includes(id) ?? false), [id])
}

/** The run of a call's task; for a call without a task, the attempt of the call. */
export function runOfCall(trace: Trace, id: number): Part {
  const attempt = trace.attempts.find(({ calls }) => calls.some(call => call.id === id))
  const call = attempt?.calls.find(one => one.id === id)
  const task = attempt?.task_id ?? call?.task_ids?.[0]
  if (task !== undefined && trace.tasks.some(one => one.id === task)) return runOfTask(trace, task)
  const own = new Set(attempt?.calls.map(one => one.id))
  return partWith(trace, one => own.has(one.id), [])
}

function partWith(trace: Trace, isMeant: (call: CopiedCall) => boolean, only?: readonly string[]): Part {
  const calls = trace.attempts
    .flatMap(({ operation, task_id, calls }) => calls.map(call => ({ ...call, operation, task: task_id })))
    .filter(isMeant)
    .sort((a, b) => a.wall_ms - b.wall_ms || a.id - b.id)
  return { trace, calls, tasks: trace.tasks.filter(({ id }) => only === undefined || only.includes(id)) }
}
