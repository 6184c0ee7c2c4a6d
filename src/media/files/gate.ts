interface Waiting {
  party: string
  start(): void
}

/** Limits how many jobs run at once, in all and for each party. Its free places are given to the waiting party with the fewest places, then to the job that has waited longest. */
export function createSharedGate({ each, all }: { each: number; all: number }) {
  const waiting: Waiting[] = []
  const held = new Map<string, number>()
  let running = 0
  const heldBy = (party: string) => held.get(party) ?? 0

  const startNext = () => {
    if (running >= all) return
    const free = waiting.filter(({ party }) => heldBy(party) < each)
    const next = free.reduce<Waiting | undefined>(
      (best, one) => (best && heldBy(best.party) <= heldBy(one.party) ? best : one),
      undefined,
    )
    if (!next) return
    waiting.splice(waiting.indexOf(next), 1)
    next.start()
  }
  const take = (party: string) => {
    running++
    held.set(party, heldBy(party) + 1)
  }
  const giveBack = (party: string) => {
    running--
    const left = heldBy(party) - 1
    if (left > 0) held.set(party, left)
    else held.delete(party)
    startNext()
  }
  const place = (party: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        take(party)
        resolve()
      }
      const one = { party, start }
      const leave = () => {
        waiting.splice(waiting.indexOf(one), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.push(one)
      startNext()
    })

  return {
    /** Runs a job when its party has a place. When the signal aborts earlier, it rejects with the signal's reason and does not run the job. */
    async run<T>(party: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted()
      await place(party, signal)
      try {
        return await job()
      } finally {
        giveBack(party)
      }
    },
  }
}

/** Limits how many jobs run at once; the others wait and run in the order in which they came. A job that fails frees its place like any other. */
export function createGate(limit: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return {
    async run<T>(job: () => Promise<T>): Promise<T> {
      if (running >= limit) await new Promise<void>(resolve => waiting.push(resolve))
      else running += 1
      try {
        return await job()
      } finally {
        // The place is passed directly to the next job, so that no other caller can take it first.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** How many inputs are read at once, in all and for each world: a world with slow hosts must not make others wait. */
export function createInputPlaces() {
  return {
    /** At most four inputs are in memory at once, so that ten large ones do not need too much memory. */
    inMemory: createSharedGate({ each: 4, all: 4 }),
    /** Downloads have places of their own: inputs that need no download must not wait for slow hosts. */
    downloads: createSharedGate({ each: 8, all: 64 }),
  }
}

/** Loads at the first call and returns the same value to all callers. After a failed load, the next call tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch(error => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
