import { randomFor } from '../../src/worlds/random.ts'

/** A seeded stream of draws for trials: the same seed gives the same trial. */
export function seeded(seed: number) {
  return randomFor(seed, 'trial', 0)
}

/** So many of a list, each at most once, the same for the same seed; in the list's order. */
export function sampleOf<T>(list: readonly T[], count: number, seed: number): T[] {
  const random = seeded(seed)
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, list.length)) chosen.add(random.integer(0, list.length - 1))
  return [...chosen].sort((a, b) => a - b).flatMap(index => list[index] ?? [])
}
