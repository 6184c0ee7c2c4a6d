import type { Finding } from '../../../kits/views.ts'
import { iso } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'

/** A finding of one task or request, and when it became true. */
export interface Found extends Omit<Finding, 'at' | 'count'> {
  /** Virtual, epoch ms. */
  at: number
  /** The journal entry that made it true; undefined when time did. */
  entryId: number | undefined
  /** Findings with the same one are one finding for a reader. */
  likeness: string
}

interface Evidence {
  task?: string | undefined
  requests: readonly Entry[]
  /** The request that made it true, or the virtual moment that did, epoch ms. */
  since: Entry | number | undefined
  /** What tells findings of one kind and operation apart, such as the names of ignored fields. */
  manner?: string | undefined
}

/** A finding with the requests that show it. */
export function found(
  kind: Found['kind'],
  text: string,
  { task, requests, since, manner = '' }: Evidence,
): Found {
  const [at, entryId] = typeof since === 'number' ? [since, undefined] : [since?.at ?? 0, since?.id]
  return {
    kind,
    text,
    ...(task && { task_id: task }),
    request_ids: requests.map(({ requestId }) => requestId),
    at,
    entryId,
    likeness: [kind, requests[0]?.operation, manner].join('\n'),
  }
}

const shownRequests = 100

/** Findings that are alike as one: the first of them, in order of time, with their number. */
export function countedFindings(founds: readonly Found[]): (Found & { count: number })[] {
  const inTime = [...founds].sort((a, b) => a.at - b.at || (a.entryId ?? 0) - (b.entryId ?? 0))
  const groups = groupedBy(inTime, ({ likeness }) => [likeness])
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const requests = new Set(group.flatMap(({ request_ids }) => request_ids))
    const text = group.length === 1 ? first.text : `${first.text} (the first of ${group.length} alike)`
    return [{ ...first, text, count: group.length, request_ids: [...requests].slice(0, shownRequests) }]
  })
}

/** Findings as the control API gives them. */
export function findingViews(founds: readonly Found[]): Finding[] {
  return countedFindings(founds).map(({ at, entryId: _, likeness: __, ...finding }) => ({
    ...finding,
    at: iso(at),
  }))
}

/** The items of each key, in their order. An item with several keys is in several groups. */
export function groupedBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items)
    for (const key of keysOf(item)) {
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  return groups
}

/** Who sent a request: the service, else the key. Programs that differ here do not know what each other has seen. */
export function senderOf({ service, keyLabel = '' }: Pick<Entry, 'service' | 'keyLabel'>): string {
  return service ?? keyLabel
}

/** The entries about each task, by its id. */
export function byTask(entries: readonly Entry[]): Map<string, Entry[]> {
  return groupedBy(entries, ({ taskIds = [] }) => taskIds)
}
