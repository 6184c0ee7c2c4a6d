import { signal } from '@preact/signals'
import { world } from './address.ts'
import { control } from './api.ts'
import type { AccountView, Listed } from './shapes.ts'

export const accounts = signal<readonly AccountView[]>([])

export async function readAccounts(): Promise<void> {
  accounts.value = (await control<Listed<AccountView>>('GET', '/accounts')).items
}

/** The key of an account, as README and control API make them (world and account stand in it). */
export function keyOf(account: string): string {
  const known = accounts.value.find(({ id }) => id === account)
  if (known) return known.api_key
  const base = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
  return account === 'default' ? base : `${base}.${account}`
}
