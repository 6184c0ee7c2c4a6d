import type { Random } from '../../worlds/random.ts'

/** Where upstream's ids start to count, epoch ms; told from published ids whose moment is known. */
const epochMs = 1_568_028_518_784

/** The moment inside such an id, epoch ms. */
export function momentOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epochMs
}

/** An id as upstream makes them: milliseconds since its epoch above 22 drawn bits, so ids sort by time (K-ids). */
export function snowflake(random: Random, nowMs: number): string {
  const low = BigInt(random.integer(0, 2 ** 22 - 1))
  return BigInt.asUintN(63, (BigInt(Math.floor(nowMs) - epochMs) << 22n) | low).toString()
}
