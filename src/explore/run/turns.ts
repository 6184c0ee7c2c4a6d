/** Lets runs go beside each other, but for those that go alone. */
export interface Turns {
  /** Runs at once, or after those that go alone and were asked for before. */
  beside<T>(work: () => Promise<T>): Promise<T>
  /** Runs when all that were asked for before are over; later ones wait for it. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** Nobody's turn has come. */
export function inTurns(): Turns {
  let lastAlone: Promise<unknown> = Promise.resolve()
  const running = new Set<Promise<unknown>>()
  const over = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      () => undefined,
    )
  return {
    beside(work) {
      const done = lastAlone.then(work)
      const ended = over(done)
      running.add(ended)
      void ended.then(() => running.delete(ended))
      return done
    },
    alone(work) {
      const done = Promise.all([lastAlone, ...running]).then(work)
      lastAlone = over(done)
      return done
    },
  }
}
