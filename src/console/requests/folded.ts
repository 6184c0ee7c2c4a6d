import type { RequestView } from '../../kits/views.ts'

/** A row of the list: the newest of some equal requests, and how many there were. */
export interface Fold {
  entry: RequestView
  /** All of them, newest first. */
  all: readonly RequestView[]
  /** Virtual ms from the first to the last. */
  withinMs: number
}

/** At least this many equal polls in a row become one row, as in a story. */
const manyAlike = 3

/**
 * Polls of one task that follow each other with the same answer become one row, at the place of the newest. Polls of other tasks
 * between them make no difference. Both lists are newest first.
 */
export function folded(newestFirst: readonly RequestView[]): Fold[] {
  const folds: RequestView[][] = []
  const open = new Map<string, { outcome: string; run: RequestView[] }>()
  for (const entry of newestFirst) {
    const place = callOf(entry)
    const outcome = JSON.stringify([
      entry.operation,
      entry.status,
      entry.broken,
      statesIn(entry.response.body),
      entry.rule,
    ])
    const before = open.get(place)
    if (isPoll(entry) && before?.outcome === outcome) {
      before.run.push(entry)
      continue
    }
    const run = [entry]
    open.set(place, { outcome, run })
    folds.push(run)
  }
  return folds.flatMap(run => (run.length < manyAlike ? run.map(one => foldOf([one])) : [foldOf(run)]))
}

/** One row for equal requests, newest first. */
export function foldOf(all: readonly RequestView[]): Fold {
  const [entry] = all as [RequestView, ...RequestView[]]
  return { entry, all, withinMs: entry.at_ms - (all.at(-1) ?? entry).at_ms }
}

function isPoll({ operation, method }: RequestView): boolean {
  return method === 'GET' && operation.endsWith('.get')
}

/** Requests about the same task belong together; without a task, those of the same address. */
function callOf({ task_id, account, path }: RequestView): string {
  return `${account} ${task_id ?? path}`
}

/** The words for states in a reply, wherever its family has them. */
export function statesIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(statesIn)
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) =>
    /^(?:task_)?status$/.test(key) && typeof value === 'string' ? [value] : statesIn(value),
  )
}
