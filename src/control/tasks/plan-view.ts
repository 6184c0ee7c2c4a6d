import type { TaskPlan } from '../../client/types.ts'
import type { Plan } from '../../worlds/task.ts'

/** A plan with its moments as ISO 8601. */
export function planView({ startsAt, endsAt, expiresAt, goneAt, outcome }: Plan): TaskPlan {
  return {
    starts_at: iso(startsAt),
    ends_at: outcome.kind === 'never' ? null : iso(endsAt),
    expires_at: expiresAt === undefined ? null : iso(expiresAt),
    ...(goneAt !== undefined && { gone_at: iso(goneAt) }),
    outcome,
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
