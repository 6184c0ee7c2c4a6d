import { computed, effect, signal } from '@preact/signals'
import type { RequestFilter } from '../../client/types.ts'
import { address } from '../store/address.ts'
import { control } from '../store/api.ts'
import { changes } from '../store/live.ts'
import { report } from '../store/notices.ts'
import { entries } from '../store/requests.ts'
import type { Entry, Listed } from '../store/shapes.ts'
import { byId } from '../store/tasks.ts'
import { filters } from './filters.ts'
import { kinds, matching } from './narrowed.ts'

const quietMs = 200
const mostFound = 500

/** What the emulator found for the present filters: it searches bodies and headers, and entries older than the page's. */
const answered = signal<readonly Entry[]>([])

/** Requests that contain every word, newest last: in ids, path, headers or bodies. Rejects with EmulatorError. */
export async function searchRequests(
  search: string,
  { kind, limit }: RequestFilter,
): Promise<readonly Entry[]> {
  const query = new URLSearchParams({ search, limit: String(limit), ...(kind && { kind }) })
  return (await control<Listed<Entry>>('GET', `/requests?${query}`)).items
}

effect(() => {
  const { kind, search } = filters.value
  answered.value = []
  if (address.value.page !== 'requests' || (kind === 'all' && search.trim() === '')) return
  changes.value
  const { asked } = kinds[kind]
  const ask = () =>
    report(async () => {
      const found = await searchRequests(search, { limit: mostFound, ...(asked && { kind: asked }) })
      if (filters.value.kind === kind && filters.value.search === search) answered.value = found
    })
  const timer = setTimeout(() => void ask(), quietMs)
  return () => clearTimeout(timer)
})

/** The requests that the filters leave, newest first. */
export const foundRequests = computed<readonly Entry[]>(() => {
  const here = matching(entries.value, filters.value, byId.value)
  const known = new Set(here.map(({ id }) => id))
  const more = answered.value.filter(({ id }) => !known.has(id))
  return more.length === 0 ? here : [...here, ...more].sort((a, b) => b.id - a.id)
})
