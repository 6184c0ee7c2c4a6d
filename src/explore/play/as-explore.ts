import { processCaller, type WorldClient, worldClient } from '../../kits/client.ts'

/** The same world for what explore itself does there: its trace tells that apart from what the program does. */
export function asExplore({ baseUrl, id }: WorldClient): WorldClient {
  const caller = processCaller(`${baseUrl}/__emulator`, { 'x-emulator-by': 'explore' })
  return worldClient(caller, baseUrl, id)
}
