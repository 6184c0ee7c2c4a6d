import { proxyHint } from '../../emulator/gateway.ts'
import { requestLines, storiesOf, type TaskStory } from '../../explore/explore.ts'
import type { WorldClient } from '../../index.ts'

/** The stories of a world's newest tasks, oldest first, to print after a failed test. */
export async function storiesAfterTest(world: Pick<WorldClient, 'tasks'>): Promise<TaskStory[]> {
  return storiesOf(world, (await world.tasks.list()).reverse())
}

const lastRequests = 10

/** The last requests of a world. Without any, the number of requests of `default`, since a wrong key uses that world. */
export async function lastRequestsOf(
  world: Pick<WorldClient, 'id' | 'requests' | 'baseUrl'>,
  standard: Pick<WorldClient, 'requests'>,
): Promise<string> {
  const own = await world.requests.list({ limit: lastRequests })
  if (own.length > 0) return `Last requests of world ${world.id}:\n${requestLines(own).join('\n')}`
  const strangers = await standard.requests.list()
  const lines = requestLines(strangers.slice(-lastRequests))
  const absence = `no request reached this world (${world.id}); ${strangers.length} reached default`
  return [absence, proxyHint(world.baseUrl) ?? [], lines].flat().join('\n')
}
