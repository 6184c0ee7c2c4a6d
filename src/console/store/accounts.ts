import { signal } from '@preact/signals'
import { world } from './address.ts'
import { control } from './api.ts'
import type { AccountView, Listed } from './shapes.ts'

export const accounts = signal<readonly AccountView[]>([])

export async function readAccounts(): Promise<void> {
  accounts.value = (await control<Listed<AccountView>>('GET', '/accounts')).items
}

/** The key of an account of this world. */
export function keyOf(account: string): string {
  return accounts.value.find(({ id }) => id === account)?.api_key ?? keyIn(world, account)
}

/** The key of an account in a world, as README and control API make them. */
export function keyIn(world: string, account: string): string {
  const key = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
  return account === 'default' ? key : `${key}.${account}`
}
