import { useEffect, useState } from 'preact/hooks'
import { EmulatorError } from '../../kits/views.ts'
import { control, written } from '../store/api.ts'
import { isStale } from '../store/connection.ts'
import { changes } from '../store/live.ts'
import { complaint } from '../store/notices.ts'

export interface Fetched<T> {
  /** The newest value; it stays when a later reading fails. */
  value: T | undefined
  /** Why the last reading failed. */
  fault: string | undefined
  /** True when the last reading failed because the thing does not exist. */
  isMissing: boolean
}

/** Something read from the control API. It is read again when one of `causes` changes and when the connection is lost or back. */
export function useFetched<T>(read: () => Promise<T>, causes: readonly unknown[]): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T>>({ value: undefined, fault: undefined, isMissing: false })
  useEffect(() => {
    let isWanted = true
    read().then(
      value => isWanted && setFetched({ value, fault: undefined, isMissing: false }),
      error =>
        isWanted &&
        setFetched(({ value }) => ({ value, fault: complaint(error), isMissing: isNotFound(error) })),
    )
    return () => {
      isWanted = false
    }
  }, [...causes, isStale.value])
  return fetched
}

/** Something of this world, read again at each change of the world. */
export function useWorld<T>(path: string): Fetched<T> {
  return useFetched(() => control<T>('GET', path), [path, changes.value, written.value])
}

function isNotFound(error: unknown): boolean {
  return error instanceof EmulatorError && error.status === 404
}
