import type { World } from '../worlds/world.ts'

/**
 * What the journal of a world no longer knows, as the second half of a sentence; undefined when it knows everything since the world
 * opened, was reset or had its journal emptied. `since`: only what was dropped from this virtual moment on matters.
 */
export function incompleteness({ journal }: World, since = Number.NEGATIVE_INFINITY): string | undefined {
  const { dropped } = journal
  if (!dropped || dropped.at < since) return undefined
  return `the journal was full, and its entries up to number ${dropped.lastId} (${new Date(dropped.at).toISOString()}) were dropped`
}
