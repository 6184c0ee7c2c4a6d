import type { Random } from '../../worlds/random.ts'

/** The epoch of upstream's ids, epoch ms; calculated from published ids whose creation time is known. */
const epochMs = 1_568_028_518_784

/** The creation time inside an id, epoch ms. */
export function momentOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epochMs
}

/** An id as upstream makes them: milliseconds since its epoch, then 22 random bits, so that ids sort by time (K-ids). */
export function snowflake(random: Random, nowMs: number): string {
  const low = BigInt(random.integer(0, 2 ** 22 - 1))
  return BigInt.asUintN(63, (BigInt(Math.floor(nowMs) - epochMs) << 22n) | low).toString()
}
