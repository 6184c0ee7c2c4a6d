import type { Confirmation } from './assumption.ts'

/** By id of a row: the last recording of the real gateway that agreed with it. A row that is missing was never confirmed. */
export const confirmations: Readonly<Record<string, Confirmation>> = {}
