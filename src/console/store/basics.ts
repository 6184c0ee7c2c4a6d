import { effect } from '@preact/signals'
import { readAccounts } from './accounts.ts'
import { isWorldName } from './address.ts'
import { isLost, isStale } from './connection.ts'
import { readModels } from './models.ts'
import { report } from './notices.ts'
import { readOperations } from './operations.ts'

/** Reads what every page needs and what seldom changes: at the start, and again when the emulator is back. */
export function readBasics(): void {
  effect(() => {
    if (isLost.value) return
    void report(readOperations)
    void report(readModels)
  })
  effect(() => {
    if (isWorldName && !isStale.value) void report(readAccounts)
  })
}
