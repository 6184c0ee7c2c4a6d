import { iso } from '../../worlds/clock.ts'
import type { World } from '../../worlds/world.ts'

/**
 * Which journal entries of a world were dropped, as the second half of a sentence; undefined when all entries since the world
 * opened, was reset or had its journal emptied are kept. `since`: only entries dropped from this virtual moment on count.
 */
export function droppedEntries({ journal }: World, since = Number.NEGATIVE_INFINITY): string | undefined {
  const { dropped } = journal
  if (!dropped || dropped.at < since) return undefined
  return `the journal was full, and its entries up to number ${dropped.lastId} (${iso(dropped.at)}) were dropped`
}
