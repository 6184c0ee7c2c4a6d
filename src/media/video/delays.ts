import type { Sample } from './mp4.ts'

/**
 * Samples in the order of decoding, with the time from there to showing. `order` holds the number of each one in the order of showing,
 * and `unit` is the length of one. The delays are the shortest with which no sample is shown before it is decoded.
 */
export function delayed(samples: readonly Sample[], order: readonly number[], unit: number): Sample[] {
  const early = Math.max(0, ...order.map((shown, i) => i - shown))
  if (early === 0) return [...samples]
  return samples.map((each, i) => ({ ...each, delay: ((order[i] ?? i) + early - i) * unit }))
}
