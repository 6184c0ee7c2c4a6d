import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'

/**
 * How much virtual time the polls of some entries, by their ids, have skipped, ms: under the clock `auto`, one that sees nothing new moves the
 * time of all clients, and none of them has waited.
 */
export function skippedMs(
  world: World,
  entries: readonly Entry[],
  { after, to }: { after: number; to: number },
): number {
  if (world.state.head.clock.mode !== 'auto') return 0
  const meant = entries.filter(({ id }) => id > after && id <= to)
  return meant.reduce((ms, { at, cameAt = at }) => ms + at - cameAt, 0)
}
