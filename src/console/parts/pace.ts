/** Hands over together what comes within this time of the first. Wall ms. */
export function gathered<T>(ms: number, act: (items: readonly T[]) => void): (item: T) => void {
  let items: T[] = []
  return item => {
    if (items.push(item) > 1) return
    setTimeout(() => {
      const all = items
      items = []
      act(all)
    }, ms)
  }
}

/**
 * Acts at the first call of a burst at once, and for the others once in this time, wall ms. It does not act later in a hidden page,
 * which reads everything when it is visible again.
 */
export function spaced(restMs: number, act: () => void): () => void {
  let state: 'quiet' | 'resting' | 'waiting' = 'quiet'
  const call = () => {
    if (state !== 'quiet') {
      state = 'waiting'
      return
    }
    state = 'resting'
    act()
    setTimeout(() => {
      const isMore = state === 'waiting'
      state = 'quiet'
      if (isMore && !document.hidden) call()
    }, restMs)
  }
  return call
}
