import type { LedgerLine, LedgerTotals } from '../../../kits/views.ts'
import { entriesAt, type LedgerEntry, movement, roundCredits } from '../../tasks/ledger.ts'
import { iso } from '../../worlds/clock.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { endpoints, listed } from '../control-endpoint.ts'
import { unknownCursor } from '../control-error.ts'
import { operationOfKind } from '../tasks/make-task.ts'

interface LedgerQuery {
  account?: string
  limit?: number
  cursor?: string
}

/** The console log of charges (Spec, "What the service does" 7). */
export const ledgerEndpoints = endpoints({
  'GET /ledger': {
    summary: 'Charges: reserved, settled, refunded',
    query: {
      account: { type: 'string' },
      limit: {
        type: 'integer',
        minimum: 1,
        description: 'How many lines, the newest ones; all without it. The totals are of all lines.',
      },
      cursor: {
        type: 'string',
        description: 'next_cursor of the page before: the lines before its first one.',
      },
    },
    handle({ world, query }) {
      const asked = query as LedgerQuery
      const charges = chargesOf(world, asked.account)
      const { page, next } = pageOf(charges, asked)
      return listed(page.map(lineOf), {
        totals: totalsOf(charges),
        ...(next !== undefined && { next_cursor: next }),
      })
    },
  },
})

/** An entry of the ledger, and the balance of its account after it. */
interface Booked extends LedgerEntry {
  balance: number
}

/** Oldest first. `balance` starts at the account's; an account without a limit starts at 0 and becomes negative. */
function chargesOf(world: World, account: string | undefined): Booked[] {
  const now = nowIn(world)
  const entries: LedgerEntry[] = []
  for (const task of world.state.tasks.values()) {
    if (account === undefined || task.account === account) entries.push(...entriesAt(task, now))
  }
  entries.sort((a, b) => a.at - b.at)
  const balances = new Map<string, number>()
  return entries.map(entry => {
    const owner = entry.task.account
    const before = balances.get(owner) ?? world.state.accounts.get(owner)?.balance ?? 0
    const balance = roundCredits(before + movement(entry))
    balances.set(owner, balance)
    return { ...entry, balance }
  })
}

/** The newest lines, or those before the line of the cursor. `next` is the cursor of the lines before them. Throws 400 for an unknown cursor. */
function pageOf(
  charges: readonly Booked[],
  { limit = charges.length, cursor }: LedgerQuery,
): { page: Booked[]; next: string | undefined } {
  const end = cursor === undefined ? charges.length : charges.findIndex(charge => cursorOf(charge) === cursor)
  if (end < 0) throw unknownCursor(cursor)
  const start = Math.max(0, end - limit)
  const page = charges.slice(start, end)
  const [oldest] = page
  return { page, next: start > 0 && oldest ? cursorOf(oldest) : undefined }
}

/** A task has one line of each kind. */
function cursorOf({ kind, task }: LedgerEntry): string {
  return `${kind}:${task.id}`
}

function lineOf({ at, task, kind, amount, released, balance }: Booked): LedgerLine {
  return {
    at: iso(at),
    account: task.account,
    task_id: task.id,
    operation: operationOfKind(task.family, task.kind),
    model: task.model,
    kind,
    amount,
    ...(released !== undefined && { released }),
    balance,
  }
}

function totalsOf(charges: readonly LedgerEntry[]): LedgerTotals {
  const sum = (kind: LedgerEntry['kind']) =>
    roundCredits(
      charges.filter(charge => charge.kind === kind).reduce((total, { amount }) => total + amount, 0),
    )
  const released = roundCredits(charges.reduce((total, charge) => total + (charge.released ?? 0), 0))
  const [reserved, settled, refunded] = [sum('reserved'), sum('settled'), sum('refunded')]
  return {
    reserved,
    settled,
    refunded,
    released,
    held: roundCredits(reserved - settled - released - refunded),
  }
}
