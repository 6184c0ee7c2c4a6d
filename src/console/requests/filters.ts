import { computed, signal } from '@preact/signals'
import type { RequestView } from '../../kits/views.ts'
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

/** The number of the newest request that is shown; undefined while new ones appear. */
export const pausedAt = signal<number | undefined>(undefined)

/** The request that another one of its operation is chosen to compare with. */
export const comparing = signal<RequestView | undefined>(undefined)

/** Two requests as the address has them: `12..15`. */
export function pairIn(item: string | undefined): [string, string] | undefined {
  const [, left, right] = /^(\d+)\.\.(\d+)$/.exec(item ?? '') ?? []
  return left !== undefined && right !== undefined ? [left, right] : undefined
}

export function pairOf(left: number, right: number): string {
  return `${left}..${right}`
}
