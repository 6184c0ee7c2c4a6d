import { useState } from 'preact/hooks'
import type { AccountView, Ledger, List } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { alignedCredits, preciseTime, shortId } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { useWorld } from '../parts/use-fetched.ts'
import { to } from '../store/address.ts'

/** The number of lines that are read first, and of those that are added when older ones are requested. */
const step = 300
const tones = { reserved: 'queued', settled: 'succeeded', refunded: 'expired' } as const

export function LedgerPanel() {
  const [limit, setLimit] = useState(step)
  const { value } = useWorld<Ledger>(`/ledger?limit=${limit}`)
  const accounts = useWorld<List<AccountView>>('/accounts')
  if (!value) return null
  const unlimited = new Set(accounts.value?.items.flatMap(({ id, balance }) => (balance === null ? id : [])))
  if (value.items.length === 0)
    return (
      <Empty title="Nothing was charged yet">
        <p>A create reserves its price. Success settles it; any other outcome refunds it.</p>
      </Empty>
    )
  const rows = [...value.items].reverse()
  const amounts = rows.flatMap(({ amount, released = 0 }) => [amount, released])
  const totals = Object.values(value.totals)
  const balances = rows.map(({ balance }) => balance)
  return (
    <>
      <dl class="body totals">
        {Object.entries(value.totals).map(([name, amount]) => (
          <div key={name}>
            <dt class="small quiet">{name}</dt>
            <dd class="big">{alignedCredits(amount, totals)}</dd>
          </div>
        ))}
      </dl>
      <Table
        label="Charges, newest first"
        rows={rows}
        keyOf={({ task_id, kind }) => `${task_id} ${kind}`}
        columns={[
          { name: 'Time', cell: ({ at }) => <span class="mono">{preciseTime(Date.parse(at))}</span> },
          { name: 'What', cell: ({ kind }) => <span class={`pill tone-${tones[kind]}`}>{kind}</span> },
          {
            name: 'Task',
            cell: ({ task_id }) => (
              <a class="mono" href={to('tasks', task_id)}>
                {shortId(task_id)}
              </a>
            ),
          },
          { name: 'Model', cell: ({ model }) => model },
          { name: 'Account', cell: ({ account }) => account },
          { name: 'Credits', isNumber: true, cell: ({ amount }) => alignedCredits(amount, amounts) },
          {
            name: 'Given back',
            isNumber: true,
            cell: ({ released }) => (released === undefined ? '–' : alignedCredits(released, amounts)),
          },
          {
            name: 'Balance',
            isNumber: true,
            cell: ({ account, balance }) =>
              unlimited.has(account) ? (
                <span class="quiet">no limit</span>
              ) : (
                alignedCredits(balance, balances)
              ),
          },
        ]}
      />
      {value.next_cursor !== undefined && (
        <p class="body">
          <Button act={() => setLimit(limit + step)}>Show {step} older lines</Button>
        </p>
      )}
    </>
  )
}
