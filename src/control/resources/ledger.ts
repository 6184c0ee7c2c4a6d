import type { LedgerLine, LedgerTotals } from '../../client/types.ts'
import { entriesAt, type LedgerEntry, movement, round } from '../../tasks/ledger.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { type ControlEndpoint, listed } from '../control-endpoint.ts'
import { operationOfKind } from '../tasks/kind-endpoint.ts'

/** The console log of charges (Spec, "What the service does" 7). */
export const ledgerEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/ledger'],
    summary: 'Charges: reserved, settled, refunded',
    query: { type: 'object', properties: { account: { type: 'string' } } },
    handle({ world, query }) {
      const { account } = query as { account?: string }
      const entries = ledgerOf(world, account)
      return listed(entries, { totals: totalsOf(entries) })
    },
  },
]

function ledgerOf(world: World, account: string | undefined): LedgerLine[] {
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
    const balance = round(before + movement(entry))
    balances.set(owner, balance)
    return lineOf(entry, balance)
  })
}

/** `balance` starts at the account's; an account without a limit starts at 0 and becomes negative. */
function lineOf({ at, task, kind, amount, released }: LedgerEntry, balance: number): LedgerLine {
  return {
    at: new Date(at).toISOString(),
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

function totalsOf(lines: readonly LedgerLine[]): LedgerTotals {
  const sum = (kind: LedgerLine['kind']) =>
    round(lines.filter(line => line.kind === kind).reduce((total, line) => total + line.amount, 0))
  const released = round(lines.reduce((total, line) => total + (line.released ?? 0), 0))
  const [reserved, settled, refunded] = [sum('reserved'), sum('settled'), sum('refunded')]
  return { reserved, settled, refunded, released, held: round(reserved - settled - released - refunded) }
}
