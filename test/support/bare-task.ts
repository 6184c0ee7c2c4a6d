import type { Fact, Plan, Task } from '../../src/emulator/worlds/task.ts'

/** A task made at moment 0 that starts at 100 and succeeds at 200, with changes to its plan. */
export function taskWith(plan: Partial<Plan> = {}, facts: readonly Fact[] = []): Task {
  return {
    id: 'task-1',
    family: 'a',
    kind: 'a',
    account: 'default',
    model: 'model_a_25',
    createdAt: 0,
    requestId: 'request-1',
    request: '{}',
    job: {},
    seed: 1,
    plan: { startsAt: 100, endsAt: 200, outcome: { kind: 'succeeded' }, ...plan },
    facts,
    charge: { reserved: 0, settled: 0 },
  }
}
