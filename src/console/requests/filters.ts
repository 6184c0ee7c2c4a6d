import { computed } from '@preact/signals'
import { address, narrowTo, to } from '../store/address.ts'
import { type Filters, queryOf, readFilters } from './narrowed.ts'

/** What the list is narrowed to, as the address has it. */
export const filters = computed<Filters>(() => readFilters(address.value.query))

/** The address of the list, or of something open beside it; the list stays narrowed as it is. */
export function toRequests(item?: string): string {
  return to('requests', item, queryOf(filters.value))
}

export function narrow(change: Partial<Filters>): void {
  narrowTo(queryOf({ ...filters.peek(), ...change }))
}
