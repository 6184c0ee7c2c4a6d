import { computed, signal } from '@preact/signals'
import type { List, WorldView } from '../../kits/views.ts'
import { world } from './address.ts'
import { about } from './api.ts'

/** Every open world. */
export const worlds = signal<readonly WorldView[]>([])

/** The number of the newest request of each world when the page first saw it. */
const firstSeen = new Map<string, number>()

/** How many requests came to other worlds since the page was opened. */
export const activity = computed<ReadonlyMap<string, number>>(
  () =>
    new Map(
      worlds.value.flatMap(({ id, requests }) => {
        const fresh = requests - (firstSeen.get(id) ?? requests)
        return id !== world && fresh > 0 ? [[id, fresh] as const] : []
      }),
    ),
)

export async function readWorlds(): Promise<void> {
  try {
    const { items } = await about<List<WorldView>>('GET', '/worlds')
    const isFirst = worlds.value.length === 0
    // All requests of a world that opened later are new.
    for (const { id, requests } of items) if (!firstSeen.has(id)) firstSeen.set(id, isFirst ? requests : 0)
    worlds.value = items
  } catch {
    // The live connection shows whether the emulator answers.
  }
}

const restMs = 5000
/** A long list of worlds is read less often. */
const restMsPerWorld = 30

/** Reads the worlds now, and regularly while the page is visible. Returns a function that ends this. */
export function followWorlds(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = true
  const follow = async () => {
    if (!document.hidden) await readWorlds()
    if (isWanted) timer = setTimeout(() => void follow(), restMs + worlds.value.length * restMsPerWorld)
  }
  void follow()
  return () => {
    isWanted = false
    clearTimeout(timer)
  }
}
