import { askEmulator } from '../../emulator/gateway.ts'
import type { TaskView } from '../../kits/views.ts'
import type { Settings } from '../play/settings.ts'

/**
 * Resolves when the files of these tasks are rendered, so that later runs with the same files do not wait for them. It waits as long
 * as a run may take, and not at all after an interrupt.
 */
export async function filesReady(
  tasks: readonly TaskView[],
  { signal, limitMs }: Pick<Settings, 'signal' | 'limitMs'>,
): Promise<void> {
  if (signal.aborted) return
  const links = tasks.flatMap(({ media }) => media.flatMap(({ url }) => url ?? []))
  const end = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  await Promise.all(links.map(link => fetched(link, end)))
}

/** Errors are ignored here: the runs open the same link and report them. */
async function fetched(link: string, signal: AbortSignal): Promise<void> {
  const reply = await askEmulator(link, { signal }).catch(() => undefined)
  await reply?.body?.cancel().catch(() => {})
}
