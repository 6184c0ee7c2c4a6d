import { computed, signal } from '@preact/signals'
import { makesTask } from '../../emulator/words.ts'
import type { List, RequestView } from '../../kits/views.ts'
import { gathered } from '../parts/pace.ts'
import { control, type PublicReply } from './api.ts'

/** The journal, newest first. */
export const entries = signal<readonly RequestView[]>([])
export const areEntriesRead = signal(false)

const most = 5000
export const firstPage = 500

const olderRefused = signal<readonly RequestView[]>([])

/** Creates that were refused, newest first. */
export const refusedCreates = computed(() => {
  const oldest = entries.value.at(-1)?.id ?? 0
  const older = olderRefused.value.filter(({ id }) => id < oldest).reverse()
  return [...entries.value, ...older].filter(({ operation, status }) => status >= 400 && makesTask(operation))
})

/** The entries that arrived during the newest reading, whose content may be older; undefined when none is under way. */
let arrivedDuring: RequestView[] | undefined

export async function readEntries(): Promise<void> {
  const meanwhile: RequestView[] = []
  arrivedDuring = meanwhile
  try {
    const { items } = await control<List<RequestView>>('GET', `/requests?limit=${firstPage}`)
    if (arrivedDuring !== meanwhile) return
    const newest = items.at(-1)?.id ?? 0
    entries.value = [...items, ...meanwhile.filter(({ id }) => id > newest)].reverse()
    // What was refused before the entries that are read must not go unnoticed.
    const isAll = items.length < firstPage
    olderRefused.value = isAll
      ? []
      : (await control<List<RequestView>>('GET', '/requests?kind=refused')).items
    areEntriesRead.value = true
  } finally {
    if (arrivedDuring === meanwhile) arrivedDuring = undefined
  }
}

/** The journal entry of a reply, by its `X-Request-Id`; undefined until it is read. */
export function entryOf({ headers }: PublicReply): RequestView | undefined {
  const id = headers.get('x-request-id')
  return entries.value.find(({ request_id }) => request_id === id)
}

const putOnTop = gathered<RequestView>(80, arrived => {
  const newest = entries.value[0]?.id ?? 0
  const fresh = arrived.filter(({ id }) => id > newest).reverse()
  entries.value = [...fresh, ...entries.value].slice(0, most)
})

/** Puts a new entry on top, together with others that come at the same time. */
export function entryArrived(entry: RequestView): void {
  arrivedDuring?.push(entry)
  putOnTop(entry)
}
