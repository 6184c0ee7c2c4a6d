import { computed } from '@preact/signals'
import type { List, RequestFilter, RequestView } from '../../kits/views.ts'
import { searched } from '../parts/searched.ts'
import { address } from '../store/address.ts'
import { control } from '../store/api.ts'
import { changes } from '../store/live.ts'
import { entries } from '../store/requests.ts'
import { byId } from '../store/tasks.ts'
import { filters } from './filters.ts'
import { type Filters, kinds, matching } from './narrowed.ts'

const mostFound = 500

/** Requests that contain every word, newest last: in ids, path, headers or bodies. Rejects with EmulatorError. */
export async function searchRequests(
  search: string,
  { kind, limit }: RequestFilter,
): Promise<readonly RequestView[]> {
  const query = new URLSearchParams({ search, limit: String(limit), ...(kind && { kind }) })
  return (await control<List<RequestView>>('GET', `/requests?${query}`)).items
}

/** What the emulator found for the present filters: it searches bodies and headers, and entries older than the page's. */
const answered = searched<Filters, readonly RequestView[]>(
  () => {
    const { kind, search } = filters.value
    if (address.value.page !== 'requests' || (kind === 'all' && search.trim() === '')) return undefined
    changes.value
    return filters.value
  },
  ({ kind, search }) => {
    const { asked } = kinds[kind]
    return searchRequests(search, { limit: mostFound, ...(asked && { kind: asked }) })
  },
  [],
)

/** The requests that the filters leave, newest first. */
export const foundRequests = computed<readonly RequestView[]>(() => {
  const here = matching(entries.value, filters.value, byId.value)
  const known = new Set(here.map(({ id }) => id))
  const more = answered.value.filter(({ id }) => !known.has(id))
  return more.length === 0 ? here : [...here, ...more].sort((a, b) => b.id - a.id)
})
