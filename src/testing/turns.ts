/** Runs one work when it is its turn. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

/** At most `most` works run at a time; the others wait, and start in the order in which they came. */
export function turns(most: number): Turn {
  let free = most
  const waiting: (() => void)[] = []
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
