import { computed } from '@preact/signals'
import { address, narrowTo } from '../store/address.ts'
import { type Filters, queryOf, readFilters } from './narrowed.ts'

/** What the list is narrowed to, as the address has it. */
export const filters = computed<Filters>(() => readFilters(address.value.query))

export function narrow(change: Partial<Filters>): void {
  narrowTo(queryOf({ ...filters.peek(), ...change }))
}
