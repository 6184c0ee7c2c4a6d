import type { WorldClient } from '../index.ts'

/** What happened to one task of a world, as a log below its id. */
export interface ToldTask {
  id: string
  text: string
}

const mostStories = 5

/** The stories of a world's newest tasks, oldest first: what one wants to read after a failed test. */
export async function storiesOf(world: Pick<WorldClient, 'tasks'>): Promise<ToldTask[]> {
  const tasks = (await world.tasks.list()).slice(0, mostStories).reverse()
  return Promise.all(
    tasks.map(async ({ id }) => ({ id, text: `${id}\n${(await world.tasks.story(id)).text}` })),
  )
}
