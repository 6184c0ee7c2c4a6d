import { useEffect, useState } from 'preact/hooks'
import { complaint } from '../store/notices.ts'

export interface Fetched<T> {
  value: T | undefined
  fault: string | undefined
}

/** Something read from the control API, and read again whenever one of `causes` changes; the old value stays until then. */
export function useFetched<T>(read: () => Promise<T>, causes: readonly unknown[]): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T>>({ value: undefined, fault: undefined })
  useEffect(() => {
    let isWanted = true
    read().then(
      value => isWanted && setFetched({ value, fault: undefined }),
      error => isWanted && setFetched(before => ({ value: before.value, fault: complaint(error) })),
    )
    return () => {
      isWanted = false
    }
  }, causes)
  return fetched
}
