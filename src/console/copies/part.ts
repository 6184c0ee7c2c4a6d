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

/** The run of a task: its create with the refused ones before it, its polls and its downloads; and the same of each call whose reply one of these waits for. */
export function runOfTask(trace: Trace, id: string): Part {
  const { calls } = wholeRun(trace)
  const tasks = new Set([id])
  const others = new Set<number>()
  // A set takes in what is added while it is walked.
  for (const task of tasks)
    for (const call of calls.filter(one => isAbout(one, task))) {
      const other = awaitedBy(trace, call)
      if (!other) continue
      others.add(other.id)
      for (const one of tasksOf(other)) if (trace.tasks.some(known => known.id === one)) tasks.add(one)
    }
  const isMeant = (call: CopiedCall) => others.has(call.id) || [...tasks].some(task => isAbout(call, task))
  return partWith(trace, isMeant, [...tasks])
}

function tasksOf({ task, task_ids: ids = [] }: CopiedCall): readonly string[] {
  return task === undefined ? ids : [task, ...ids]
}

function isAbout(call: CopiedCall, task: string): boolean {
  return tasksOf(call).includes(task)
}

/** The call that the reply to another one waits for, as it is counted in its world; undefined when it waits for none. */
export function afterOf({ effect }: TraceCall) {
  const connection = effect?.connection
  return typeof connection === 'object' ? connection.after : undefined
}

/** The same in its trace; undefined also when the trace does not have it. */
export function awaitedBy(trace: Trace, call: TraceCall): CopiedCall | undefined {
  const after = afterOf(call)
  return wholeRun(trace).calls.findLast(one => one.operation === after?.operation && one.nth === after.call)
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
