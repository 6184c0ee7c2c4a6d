import { useEffect, useState } from 'preact/hooks'
import { EmulatorError } from '../../client/call.ts'
import { isStale } from '../store/connection.ts'
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

function isNotFound(error: unknown): boolean {
  return error instanceof EmulatorError && error.status === 404
}
