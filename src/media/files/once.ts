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
