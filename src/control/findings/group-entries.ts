import type { Entry } from '../../worlds/journal.ts'

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
