import type { WorldClient } from '../../kits/client.ts'
import type { TaskView } from '../../kits/views.ts'

/** The story of one task of a world, as a log below its id. */
export interface TaskStory {
  id: string
  text: string
}

const mostStories = 5

/** The stories of the newest tasks, oldest first. `tasks` are oldest first, too. */
export async function storiesOf(
  { tasks }: Pick<WorldClient, 'tasks'>,
  known: readonly Pick<TaskView, 'id'>[],
): Promise<TaskStory[]> {
  return Promise.all(
    known.slice(-mostStories).map(async ({ id }) => ({ id, text: `${id}\n${(await tasks.story(id)).text}` })),
  )
}
