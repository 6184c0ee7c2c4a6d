import type { TaskLine, TaskView } from '../store/shapes.ts'

/** A scenario with which the next task with this prompt ends like this one. */
export function scenarioOf(task: TaskView, line: Pick<TaskLine, 'prompt' | 'states'>, operation: string) {
  const [queued, ...rest] = line.states
  const running = rest.find(({ state }) => state === 'running')
  const end = rest.findLast(({ state }) => state !== 'running')
  const startsAt = running?.at_ms ?? end?.at_ms
  return {
    name: `like-${task.id.replace(/[^A-Za-z0-9_-]/g, '-')}`.slice(0, 64),
    description: `What became of the task ${task.id}.`,
    rules: [
      {
        when: { operation, ...(line.prompt !== '' && { prompt: { contains: line.prompt } }) },
        // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
        then: {
          task: {
            ...(queued && startsAt !== undefined && { queued: duration(startsAt - queued.at_ms) }),
            ...(running && end && { running: duration(end.at_ms - running.at_ms) }),
            outcome: end?.state ?? 'never',
            ...(end?.state === 'failed' && task.view.error && { error: errorOf(task.view.error) }),
            ...(end?.state === 'failed' &&
              !task.view.error &&
              task.plan.outcome.kind === 'failed' && { error: errorOf(task.plan.outcome) }),
          },
          ...(task.media_rule !== undefined && { media: task.media_rule }),
        },
      },
    ],
  }
}

function errorOf({ code, message }: { code?: string; message?: string }) {
  return { ...(code !== undefined && { code }), ...(message !== undefined && { message }) }
}

/** A length in the words of the scenario language: `1m31s`, `250ms`. */
export function duration(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  const [hours, minutes, seconds, rest] = [
    Math.floor(whole / 3_600_000),
    Math.floor(whole / 60_000) % 60,
    Math.floor(whole / 1000) % 60,
    whole % 1000,
  ]
  const text = `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes}m` : ''}${seconds > 0 ? `${seconds}s` : ''}${rest > 0 ? `${rest}ms` : ''}`
  return text === '' ? '0s' : text
}
