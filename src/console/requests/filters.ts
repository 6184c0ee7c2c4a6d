import { computed } from '@preact/signals'
import { address, narrowTo, to } from '../store/address.ts'
import { type Filters, queryOf, readFilters } from './narrowed.ts'

/** The filters of the list, from the address. */
export const filters = computed<Filters>(() => readFilters(address.value.query))

/** The address of the list, or of an item that is open beside it, with the present filters. */
export function toRequests(item?: string): string {
  return to('requests', item, queryOf(filters.value))
}

export function narrow(change: Partial<Filters>): void {
  narrowTo(queryOf({ ...filters.peek(), ...change }))
}
