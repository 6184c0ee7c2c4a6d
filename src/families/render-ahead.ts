import type { Call } from '../http/endpoint.ts'
import type { Recipe } from '../media/recipe.ts'
import type { Task } from '../tasks/task.ts'

/** Renders a task's main file before a client asks for it. Skips a task that will fail, since it has no files. */
export function renderAhead({ services }: Pick<Call, 'services'>, task: Task, recipe: () => Recipe): void {
  if (task.plan.outcome.kind === 'succeeded') services.library.ahead(recipe)
}
