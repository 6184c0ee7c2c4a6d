import { signal } from '@preact/signals'
import { keyOf as keyIn } from '../../emulator/words.ts'
import type { AccountView, List } from '../../kits/views.ts'
import { world } from './address.ts'
import { control } from './api.ts'

export const accounts = signal<readonly AccountView[]>([])

export async function readAccounts(): Promise<void> {
  accounts.value = (await control<List<AccountView>>('GET', '/accounts')).items
}

/** The key of an account of this world, or another key of it by its label. */
export function keyOf(account: string, label?: string): string {
  const first = accounts.value.find(({ id }) => id === account)?.api_key ?? keyIn(world, account)
  return label === undefined ? first : `${first}:${label}`
}
