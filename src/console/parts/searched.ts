import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { report } from '../store/notices.ts'

const quietMs = 200

/** What the emulator finds for the present query, asked when the query rests: the page has not everything that can be searched. */
export function searched<Q, F>(
  /** Reads signals; undefined when nothing is searched. */
  wanted: () => Q | undefined,
  ask: (query: Q) => Promise<F>,
  nothing: F,
): ReadonlySignal<F> {
  const found = signal(nothing)
  effect(() => {
    const query = wanted()
    found.value = nothing
    if (query === undefined) return
    let isWanted = true
    const search = async () => {
      const answer = await ask(query)
      if (isWanted) found.value = answer
    }
    const timer = setTimeout(() => void report(search), quietMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  })
  return found
}
