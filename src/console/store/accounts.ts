import { signal } from '@preact/signals'
import { keyOf as keyIn } from '../../worlds/names.ts'
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
