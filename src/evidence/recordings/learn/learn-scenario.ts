import { formatDuration, type ScenarioDocument, type ScenarioRule } from '../../../emulator/words.ts'
import { readLeftOut } from '../../spec/json.ts'
import { isSynchronous } from '../operation.ts'
import { jobsOf } from '../read/jobs.ts'
import { observedTasks } from '../read/observed.ts'
import type { ReadRecording, Step } from '../read/steps.ts'
import { planOf } from '../replay/planned.ts'
import { refusalOf } from '../replay/unexplained-replies.ts'

/** A scenario that repeats each create of a recording: its durations, its failures, and refusals that the request does not explain. */
export function learnScenario({ name, steps }: ReadRecording): ScenarioDocument {
  const tasks = new Map(
    jobsOf(steps)
      .flatMap(observedTasks)
      .flatMap(task => (task.makes ? [[task.makes, task] as const] : [])),
  )
  const calls = new Map<string, number>()
  const rules = steps.flatMap(step => {
    if (step.method !== 'POST' || step.operation.endsWith('.cancel')) return []
    const call = (calls.get(step.operation) ?? 0) + 1
    calls.set(step.operation, call)
    const task = tasks.get(step)
    const then = task && !isSynchronous(step.family) ? taskOf(planOf(task)) : refused(step)
    return then ? [{ when: { operation: step.operation, call }, then } as ScenarioRule] : []
  })
  return {
    name: nameOf(name),
    description: `What ${name} showed: ${rules.length} creates, with the waits and ends that were seen.`,
    rules,
  }
}

/** A phase that was never seen to end is planned for a year. */
const unseenMs = 300 * 86_400_000

/** What the recording shows of a task. Where it ends before the task does, the rest is left to the emulator. */
function taskOf({ queuedMs, runningMs, outcome, error }: ReturnType<typeof planOf>) {
  const told = Object.entries(error ?? {}).filter(([, text]) => !readLeftOut(text))
  const isSeen = outcome === 'never' || (queuedMs <= unseenMs && runningMs <= unseenMs)
  const task = {
    ...(queuedMs <= unseenMs && { queued: formatDuration(queuedMs) }),
    ...(queuedMs <= unseenMs && runningMs <= unseenMs && { running: formatDuration(runningMs) }),
    ...(isSeen && { outcome }),
    ...(told.length > 0 && { error: Object.fromEntries(told) }),
  }
  return Object.keys(task).length > 0 ? { task } : undefined
}

/** Refusals that the request does not explain. The emulator makes the others by its own rules. */
function refused(step: Step) {
  if (![403, 413, 429].includes(step.status) && step.status < 500) return undefined
  const refusal = refusalOf(step)
  if (!refusal) return undefined
  const { fault, retryAfter } = refusal
  return { refuse: { fault, ...(retryAfter !== undefined && { retry_after: retryAfter }) } }
}

function nameOf(file: string): string {
  const name = file
    .replace(/\.har$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' ? 'recorded' : name.slice(0, 60)
}
