import { processCaller } from '../client/process-caller.ts'
import { type WorldClient, worldClient } from '../client/world.ts'

/** The same world for what explore itself does there: its trace tells that apart from what the program does. */
export function asExplore({ baseUrl, id }: WorldClient): WorldClient {
  const caller = processCaller(`${baseUrl}/__emulator`, { 'x-emulator-by': 'explore' })
  return worldClient(caller, baseUrl, id)
}
