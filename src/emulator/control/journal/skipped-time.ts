import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'

/**
 * How much virtual time has passed between two entries, ms, without what polls between them have skipped: under the clock `auto`, one that
 * sees nothing new moves the time of all clients.
 */
export function virtualMsBetween(
  world: World,
  { entries, before, next }: { entries: readonly Entry[]; before: { id: number; at: number }; next: Entry },
): number {
  const passed = cameAt(next) - before.at
  if (world.state.head.clock.mode !== 'auto') return passed
  const between = entries.filter(({ id }) => id > before.id && id < next.id)
  return between.reduce((ms, entry) => ms - (entry.at - cameAt(entry)), passed)
}

function cameAt(entry: Entry): number {
  return entry.cameAt ?? entry.at
}
