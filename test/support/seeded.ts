import { randomFor } from '../../src/emulator/worlds/random.ts'

/** A seeded stream of random values: the same seed gives the same test. */
export function seeded(seed: number) {
  return randomFor(seed, 'trial', 0)
}

/** A number of items of a list, each at most once, in the list's order; the same for the same seed. */
export function sampleOf<T>(list: readonly T[], count: number, seed: number): T[] {
  const random = seeded(seed)
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, list.length)) chosen.add(random.integer(0, list.length - 1))
  return [...chosen].sort((a, b) => a - b).flatMap(index => list[index] ?? [])
}
