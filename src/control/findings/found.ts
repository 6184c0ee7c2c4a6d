import type { Finding } from '../../client/types.ts'
import { iso } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'

/** A finding, and when it became true. */
export interface Found extends Omit<Finding, 'at'> {
  /** Virtual, epoch ms. */
  at: number
  /** The journal entry that made it true; undefined when time did. */
  entryId: number | undefined
}

interface Evidence {
  task?: string | undefined
  requests: readonly Entry[]
  /** The request that made it true, or the virtual moment that did, epoch ms. */
  since: Entry | number | undefined
}

/** A finding with the requests that show it. */
export function found(kind: Found['kind'], text: string, { task, requests, since }: Evidence): Found {
  const [at, entryId] = typeof since === 'number' ? [since, undefined] : [since?.at ?? 0, since?.id]
  return {
    kind,
    text,
    ...(task && { task_id: task }),
    request_ids: requests.map(({ requestId }) => requestId),
    at,
    entryId,
  }
}

/** A finding as the control API gives it. */
export function findingView({ at, entryId: _, ...finding }: Found): Finding {
  return { ...finding, at: iso(at) }
}

/** The entries of each key, in their order. An entry with several keys is in several groups. */
export function groupedBy(
  entries: readonly Entry[],
  keysOf: (entry: Entry) => readonly string[],
): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries)
    for (const key of keysOf(entry)) {
      const group = groups.get(key)
      if (group) group.push(entry)
      else groups.set(key, [entry])
    }
  return groups
}

/** The entries about each task, by its id. */
export function byTask(entries: readonly Entry[]): Map<string, Entry[]> {
  return groupedBy(entries, ({ taskIds = [] }) => taskIds)
}
