import type { TaskView } from '../client/types.ts'

/** Resolves when the files of these tasks are rendered, so that later runs with the same files do not wait for them. */
export async function filesReady(tasks: readonly TaskView[]): Promise<void> {
  const links = tasks.flatMap(({ media }) => media.flatMap(({ url }) => url ?? []))
  await Promise.all(links.map(fetched))
}

/** A link that cannot be opened concerns the runs, which meet it too. */
async function fetched(link: string): Promise<void> {
  const reply = await fetch(link).catch(() => undefined)
  await reply?.body?.cancel()
}
