import { signal } from '@preact/signals'
import { control } from './api.ts'
import { headerOf, type PublicReply } from './public-reply.ts'
import type { Entry, Listed } from './shapes.ts'

/** The journal, newest first. */
export const entries = signal<readonly Entry[]>([])
export const areEntriesRead = signal(false)

const most = 5000
const firstPage = 500

/** The entries that arrived during each unfinished reading, whose content may be older. */
const arrivedDuring = new Set<Entry[]>()

export async function readEntries(): Promise<void> {
  const meanwhile: Entry[] = []
  arrivedDuring.add(meanwhile)
  try {
    const { items } = await control<Listed<Entry>>('GET', `/requests?limit=${firstPage}`)
    const newest = items.at(-1)?.id ?? 0
    entries.value = [...items, ...meanwhile.filter(({ id }) => id > newest)].reverse()
    areEntriesRead.value = true
  } finally {
    arrivedDuring.delete(meanwhile)
  }
}

/** The journal entry of a reply, by its `X-Request-Id`; undefined until it is read. */
export function entryOf({ headers }: Pick<PublicReply, 'headers'>): Entry | undefined {
  const id = headerOf({ headers }, 'x-request-id')
  return id === undefined ? undefined : entries.value.find(({ request_id }) => request_id === id)
}

let arrived: Entry[] = []
let isGathering = false

/** Puts a new entry on top, together with others that come at the same time. */
export function entryArrived(entry: Entry): void {
  arrived.push(entry)
  for (const meanwhile of arrivedDuring) meanwhile.push(entry)
  if (isGathering) return
  isGathering = true
  setTimeout(() => {
    isGathering = false
    const newest = entries.value[0]?.id ?? 0
    const fresh = arrived.filter(({ id }) => id > newest).reverse()
    arrived = []
    entries.value = [...fresh, ...entries.value].slice(0, most)
  }, 80)
}
