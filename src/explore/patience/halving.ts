/** What one run showed: it survived, it did not, or neither, such as when it had not ended at the limit. */
export type Shown = 'survived' | 'failed' | 'nothing'

/** One length that was tried, in the unit of its figure. */
export interface Tried {
  /** Milliseconds; of a rate, requests a minute. */
  length: number
  /** What its run showed. */
  shown: Shown
  /** How the run ended, in words. */
  why: string
}

/** A figure found by halving. Both ends say only what was shown. */
export interface Halved {
  /** The longest length that was survived; null when none was. */
  survived: number | null
  /** The shortest length above it at which the program failed; null when none was found. */
  failed: number | null
  /** True when a shorter length failed than one that was survived: then both ends are of single runs. */
  is_uneven: boolean
  /** In the order of the runs. */
  tried: Tried[]
}

interface Search {
  /** Lengths from the shortest to the longest, far apart. */
  ladder: readonly number[]
  /** A length that is easy to say, near this one. */
  round(length: number): number
  probe(length: number): Promise<Omit<Tried, 'length'>>
}

const mostHalvings = 4
const nearEnough = 1.2

/**
 * The longest length that is survived: up the ladder to the first that is not, then by halving the ratio between both, and at last one
 * length on each side. Lengths of which a run shows nothing take long, so only one more is tried below such a one.
 */
export async function halve({ ladder, round, probe }: Search): Promise<Halved> {
  const tried: Tried[] = []
  const shownAt = async (length: number): Promise<Shown> => {
    const known = tried.find(one => one.length === length)
    if (known) return known.shown
    const one = { length, ...(await probe(length)) }
    tried.push(one)
    return one.shown
  }
  let low: number | undefined
  let high: number | undefined
  for (const step of ladder) {
    if ((await shownAt(step)) === 'survived') low = step
    else {
      high = step
      break
    }
  }
  if (low === undefined || high === undefined) return halvedOf(tried)
  const isUnknown = () => tried.filter(({ shown }) => shown === 'nothing').length > 1
  for (let turn = 0; turn < mostHalvings && high / low > nearEnough && !isUnknown(); turn++) {
    const middle = round(Math.sqrt(low * high))
    if (middle <= low || middle >= high) break
    if ((await shownAt(middle)) === 'survived') low = middle
    else high = middle
  }
  // A program that survives a longer one, or fails at a shorter one, has no single figure.
  if (!tried.some(({ shown }) => shown === 'nothing')) {
    await shownAt(Math.max(ladder[0] ?? low, round(low / 2)))
    await shownAt(Math.min(ladder.at(-1) ?? high, round(high * 2)))
  }
  return halvedOf(tried)
}

function halvedOf(tried: readonly Tried[]): Halved {
  const lengths = (shown: Shown) => tried.filter(one => one.shown === shown).map(one => one.length)
  const survived = lengths('survived').length > 0 ? Math.max(...lengths('survived')) : null
  const above = lengths('failed').filter(length => length > (survived ?? 0))
  return {
    survived,
    failed: above.length > 0 ? Math.min(...above) : null,
    is_uneven: lengths('failed').some(length => length < (survived ?? 0)),
    tried: [...tried],
  }
}
