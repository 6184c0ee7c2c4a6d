/** Whether somebody waits for a file. It begins without, for work ahead of requests, and stays once it is there. */
export interface Demand {
  isThere(): boolean
  come(): void
  /** Calls `tell` when somebody waits, at once when that is so already. */
  whenThere(tell: () => void): void
}

export function createDemand(): Demand {
  const waiting: (() => void)[] = []
  let isThere = false
  return {
    isThere: () => isThere,
    come() {
      isThere = true
      for (const tell of waiting.splice(0)) tell()
    },
    whenThere(tell) {
      if (isThere) tell()
      else waiting.push(tell)
    },
  }
}

/** The demand of a request that waits from the beginning. */
export const demanded: Demand = {
  isThere: () => true,
  come: () => undefined,
  whenThere: tell => tell(),
}
