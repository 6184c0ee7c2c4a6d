import type { Charge, Task } from '../worlds/task.ts'
import { viewAt } from './lifecycle.ts'

/** One line of the console log. Amounts are positive credits; `kind` gives the direction. */
export interface LedgerEntry {
  at: number
  task: Task
  kind: 'reserved' | 'settled' | 'refunded'
  amount: number
  /** The refund when the true price is below the reserved amount. */
  released?: number
}

/** The ledger entries of a task up to `now`: reserved at admission, settled on success, refunded otherwise. A pure function, like `viewAt`. */
export function entriesAt(task: Task, now: number): LedgerEntry[] {
  if (task.charge.reserved === 0 && task.charge.settled === 0) return []
  const entries: LedgerEntry[] = [
    { at: task.createdAt, task, kind: 'reserved', amount: task.charge.reserved },
  ]
  const view = viewAt({ ...task, facts: task.facts.filter(fact => fact.kind !== 'deleted') }, now)
  switch (view.status) {
    case 'queued':
    case 'running':
      return entries
    case 'succeeded': {
      const released = roundCredits(task.charge.reserved - task.charge.settled)
      entries.push({
        at: view.since,
        task,
        kind: 'settled',
        amount: task.charge.settled,
        ...(released > 0 && { released }),
      })
      return entries
    }
    case 'failed':
    case 'cancelled':
    case 'expired':
      entries.push({ at: view.since, task, kind: 'refunded', amount: task.charge.reserved })
      return entries
  }
}

/** How much an entry changes the balance. */
export function movement({ kind, amount, released }: LedgerEntry): number {
  switch (kind) {
    case 'reserved':
      return -amount
    case 'settled':
      return released ?? 0
    case 'refunded':
      return amount
  }
}

/** How much a task reduces its account's balance at `now`, in credits. */
export function costAt(task: Task, now: number): number {
  return -entriesAt(task, now).reduce((sum, entry) => sum + movement(entry), 0)
}

/** Credits to six decimals, so that sums of prices stay readable. */
export function roundCredits(credits: number): number {
  return Math.round(credits * 1e6) / 1e6
}

/** A charge whose true price is known from the start. */
export function fixedCharge(credits: number): Charge {
  return { reserved: roundCredits(credits), settled: roundCredits(credits) }
}
