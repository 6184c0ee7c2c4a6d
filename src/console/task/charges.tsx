import { alignedCredits, preciseTime } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import type { TaskView } from '../store/shapes.ts'

export function Charges({ task: { charges } }: { task: TaskView }) {
  if (charges.length === 0) return <p class="quiet json">This task costs nothing.</p>
  const amounts = charges.flatMap(({ amount, released = 0 }) => [amount, released])
  const credits = (amount: number | undefined) =>
    amount === undefined ? '–' : alignedCredits(amount, amounts)
  return (
    <Table
      label="Charges"
      rows={charges}
      keyOf={({ at, kind }) => `${at}${kind}`}
      columns={[
        { name: 'Time', cell: ({ at }) => <span class="mono">{preciseTime(Date.parse(at))}</span> },
        { name: 'What', cell: ({ kind }) => kind },
        { name: 'Credits', isNumber: true, cell: ({ amount }) => credits(amount) },
        { name: 'Given back', isNumber: true, cell: ({ released }) => credits(released) },
      ]}
    />
  )
}
