import type { ScenarioPlan, ScenarioThen } from '../../emulator/words.ts'
import type { TaskView } from '../../kits/views.ts'

/** The plan that a rule gave a task, as rules write it; undefined for a task that no rule has shaped. */
export function planGivenTo(task: TaskView | undefined): ScenarioPlan | undefined {
  if (task?.rule === undefined) return undefined
  const { created_at, label, plan } = task
  const { starts_at, ends_at, expires_at, gone_at, outcome } = plan
  const given = {
    ...(label !== undefined && { label }),
    queued: between(created_at, starts_at),
    ...(ends_at !== null && { running: between(starts_at, ends_at) }),
    ...(gone_at !== undefined && { gone: between(starts_at, gone_at) }),
  }
  switch (outcome.kind) {
    case 'succeeded':
      return given
    case 'cancelled':
      return { ...given, outcome: 'cancelled' }
    case 'never':
      return { ...given, ...neverEnding(starts_at, expires_at) }
    case 'failed':
      return { ...given, outcome: 'failed', error: { code: outcome.code, message: outcome.message } }
  }
}

/** A task that never ends by itself may expire, and that may be before it runs: then it does so when every task does. */
function neverEnding(startsAt: string, expiresAt: string | null): ScenarioPlan {
  if (expiresAt === null) return { outcome: 'stuck' }
  if (Date.parse(expiresAt) <= Date.parse(startsAt)) return { outcome: 'never' }
  return { running: between(startsAt, expiresAt), outcome: 'expired' }
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
