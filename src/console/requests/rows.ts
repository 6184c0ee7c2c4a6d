import { batch, computed, effect, signal } from '@preact/signals'
import type { List, RequestFilter, RequestLine, RequestView } from '../../kits/views.ts'
import { address } from '../store/address.ts'
import { control } from '../store/api.ts'
import { isStale } from '../store/connection.ts'
import { changes } from '../store/live.ts'
import { complaint } from '../store/notices.ts'
import { entries } from '../store/requests.ts'
import { comparing, filters, pausedAt } from './filters.ts'
import { kinds } from './narrowed.ts'

interface Rows {
  /** Newest first. */
  items: readonly RequestLine[]
  /** How many requests match, and in how many lines. */
  total: number
  lines: number
  /** Why older requests are not in the journal any more. */
  incomplete?: string
  /** Why the emulator gave no list, such as a search that it cannot read. */
  fault?: string
}

/** The list as the emulator last answered; undefined until then. */
export const rows = signal<Rows | undefined>(undefined)

const pageSize = 500
const size = signal(pageSize)

/** Reads older ones when the end of those that are read comes near. */
export function seenUntil(last: number): void {
  const read = rows.peek()
  if (read && read.items.length < read.lines && last > read.items.length - pageSize / 5)
    size.value = read.items.length + pageSize
}

/** The newest requests that contain every word, newest last. Rejects with EmulatorError. */
export async function searchRequests(
  search: string,
  { kind, limit }: RequestFilter,
): Promise<readonly RequestView[]> {
  const query = new URLSearchParams({ search, limit: String(limit), ...(kind && { kind }) })
  return (await control<List<RequestView>>('GET', `/requests?${query}`)).items
}

/** Which requests are chosen. */
const chosen = computed(() => {
  const { kind, search, polls } = filters.value
  const query = new URLSearchParams({ detail: 'line', polls })
  const { asked: word } = kinds[kind]
  if (word) query.set('kind', word)
  if (search.trim() !== '') query.set('search', search)
  if (comparing.value) query.set('operation', comparing.value.operation)
  if (pausedAt.value !== undefined) query.set('before', String(pausedAt.value + 1))
  return query.toString()
})
const asked = computed(() => `/requests?${chosen.value}&limit=${Math.min(10_000, size.value)}`)

const answered = signal('')
/** Whether the rows are those of former filters. */
export const areOld = computed(() => answered.value !== chosen.value)

let isReading = false
let isMore = false
/** Until then in ms of the page, the same list is not read again. */
let restsUntil = 0
let next: ReturnType<typeof setTimeout> | undefined

/** Reads the list, and once more when it was to be read meanwhile. A slow answer is followed by a longer rest, but for other filters. */
async function read(): Promise<void> {
  clearTimeout(next)
  isMore = isReading
  if (isReading) return
  const restMs = areOld.peek() ? 0 : restsUntil - performance.now()
  if (restMs > 0) {
    next = setTimeout(read, restMs)
    return
  }
  isReading = true
  const path = asked.peek()
  const startedAt = performance.now()
  try {
    const answer = await control<List<RequestLine> & Omit<Rows, 'items'>>('GET', path)
    show(path, { ...answer, items: answer.items.reverse() })
  } catch (error) {
    show(path, { items: [], total: 0, lines: 0, fault: complaint(error) })
  }
  isReading = false
  restsUntil = performance.now() + Math.max(80, 2 * (performance.now() - startedAt))
  if (isMore) void read()
}

function show(path: string, answer: Rows): void {
  if (path !== asked.peek()) return
  batch(() => {
    rows.value = answer
    answered.value = chosen.peek()
  })
}

effect(() => {
  entries.value
  changes.value
  asked.value
  if (address.value.page !== 'requests' || isStale.value) return
  void read()
})
