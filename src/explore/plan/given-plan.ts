import type { TaskView } from '../../client/types.ts'
import type { ScenarioPlan, ScenarioThen } from '../../scenarios/scenario.ts'

/** The plan that a rule gave a task, as rules write it; undefined for a task that no rule has shaped. */
export function planGivenTo(task: TaskView | undefined): ScenarioPlan | undefined {
  if (task?.rule === undefined) return undefined
  const { created_at, label, plan } = task
  const { starts_at, ends_at, expires_at, outcome } = plan
  const queued = between(created_at, starts_at)
  const named = label === undefined ? {} : { label }
  const running = ends_at === null ? {} : { running: between(starts_at, ends_at) }
  switch (outcome.kind) {
    case 'succeeded':
      return { ...named, queued, ...running }
    case 'cancelled':
      return { ...named, queued, ...running, outcome: 'cancelled' }
    case 'never':
      return { ...named, queued, outcome: expires_at === null ? 'stuck' : 'never' }
    case 'failed':
      return {
        queued,
        ...running,
        outcome: 'failed',
        error: { code: outcome.code, message: outcome.message },
      }
  }
}

function between(from: string, to: string): string {
  return `${Date.parse(to) - Date.parse(from)}ms`
}

/** A plan in which a failure changes what it names. An error belongs to its outcome. */
export function withFailure(then: ScenarioThen, plan: ScenarioPlan = {}): ScenarioThen {
  if (!then.task) return then
  const { error, ...rest } = plan
  return { ...then, task: { ...(then.task.outcome === undefined ? plan : rest), ...then.task } }
}
