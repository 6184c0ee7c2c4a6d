/** Limits how many jobs run at once, in all and for each party. */
export interface SharedGate {
  /** Runs a job when its party has a place. When the signal aborts earlier, it rejects with the signal's reason and does not run the job. */
  run<T>(party: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export interface Places {
  each: number
  all: number
}

interface Waiting {
  party: string
  start(): void
}

/** A gate whose free places are given to the waiting party with the fewest places, then to the job that has waited longest. */
export function createSharedGate({ each, all }: Places): SharedGate {
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
    async run(party, job, signal) {
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
