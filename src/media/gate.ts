/** Limits how many jobs run at once; the others wait and run in the order in which they came. */
export interface Gate {
  run<T>(job: () => Promise<T>): Promise<T>
}

/** A gate for `limit` jobs at once. A job that fails frees its place like any other. */
export function createGate(limit: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0

  async function run<T>(job: () => Promise<T>): Promise<T> {
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
  }

  return { run }
}
