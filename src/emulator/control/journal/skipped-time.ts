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
  let ms = 0
  let counted = Number.NEGATIVE_INFINITY
  for (const { id, at, cameAt = at } of entries) {
    if (id <= after || id > to) continue
    // A reply that was held back may have waited through the skip of another poll.
    ms += Math.max(0, at - Math.max(cameAt, counted))
    counted = at
  }
  return ms
}
