import { signal } from '@preact/signals'
import { control } from './api.ts'
import { headerOf, type PublicReply } from './public-reply.ts'
import type { Entry, Listed } from './shapes.ts'

/** The journal, newest first. */
export const entries = signal<readonly Entry[]>([])
export const areEntriesRead = signal(false)

const most = 5000
const firstPage = 500

export async function readEntries(): Promise<void> {
  const { items } = await control<Listed<Entry>>('GET', `/requests?limit=${firstPage}`)
  entries.value = items.reverse()
  areEntriesRead.value = true
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
