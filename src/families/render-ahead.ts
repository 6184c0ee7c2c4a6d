import type { Exchange } from '../pipeline/exchange.ts'
import type { Task } from '../worlds/task.ts'
import { nowIn } from '../worlds/world.ts'
import { outputsOf } from './index.ts'

/** The tasks whose files were asked for ahead. */
const asked = new WeakSet<Task>()

/**
 * Renders the main file of a task that a client polls near its end, before it asks for the file. A program that only makes tasks needs no
 * renderer. A task that will fail has no files.
 */
export function renderPolled({ request, trace, world, services }: Exchange<unknown>): void {
  if (request.method !== 'GET') return
  for (const id of trace.taskIds ?? []) {
    const task = world.state.tasks.get(id)
    if (!task || asked.has(task) || !isNearEnd(task, nowIn(world))) continue
    const [main] = Object.values(outputsOf(task))
    if (!main) continue
    asked.add(task)
    services.library.ahead(() => main)
  }
}

function isNearEnd({ plan: { outcome, startsAt, endsAt } }: Task, now: number): boolean {
  return outcome.kind === 'succeeded' && now >= (startsAt + endsAt) / 2
}
