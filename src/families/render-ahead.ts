import type { Call } from '../http/endpoint.ts'
import type { Recipe } from '../media/recipe.ts'
import type { Task } from '../tasks/task.ts'

/** Renders a task's main file before it is asked for. Of a task that is planned to fail no file will ever be asked for. */
export function renderAhead({ services }: Pick<Call, 'services'>, task: Task, recipe: () => Recipe): void {
  if (task.plan.outcome.kind === 'succeeded') services.library.ahead(recipe)
}
