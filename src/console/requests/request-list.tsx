import { useRef } from 'preact/hooks'
import type { RequestView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Reading } from '../parts/empty.tsx'
import { counted } from '../parts/format.ts'
import { useWidth, VirtualList } from '../parts/virtual-list.tsx'
import { cameFrom, to } from '../store/address.ts'
import { entries } from '../store/requests.ts'
import { comparing, narrow, pairIn } from './filters.ts'
import { RequestRow } from './request-row.tsx'
import { areOld, rows, seenUntil } from './rows.ts'

const rowHeights = { wide: 30, narrow: 44 }
/** Below this width in px, a row has two lines. */
const narrowBelow = 560

const onSeen = (_: number, last: number) => seenUntil(last)

/** The journal, narrowed and folded, newest first. */
export function RequestList({ item }: { item: string | undefined }) {
  const { items = [], total = 0 } = rows.value ?? {}
  const open = pairIn(item) ?? [item]
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useWidth(box, 1280) < narrowBelow
  return (
    <div class="requests-list" ref={box} aria-busy={areOld.value}>
      {comparing.value && <Choosing entry={comparing.value} />}
      {items.length > 0 ? (
        <VirtualList
          items={items}
          label={`${counted(total, 'request')}, newest first`}
          rowHeight={isNarrow ? rowHeights.narrow : rowHeights.wide}
          place="requests"
          cameFrom={item === undefined ? cameFrom('requests') : undefined}
          keyOf={({ id }) => id}
          row={line => <RequestRow line={line} isOpen={line.ids.some(id => open.includes(String(id)))} />}
          onSeen={onSeen}
        />
      ) : (
        <Nothing />
      )}
    </div>
  )
}

function Choosing({ entry: { id, operation } }: { entry: RequestView }) {
  return (
    <p class="remark tone-running row spread" role="status">
      Choose the request to compare with number {id}: another {operation}.
      <Button look="small" act={() => (comparing.value = undefined)}>
        Do not compare
      </Button>
    </p>
  )
}

function Nothing() {
  if (!rows.value) return <Reading what="the journal" />
  const { fault } = rows.value
  if (fault !== undefined || entries.value.length > 0)
    return (
      <Empty title={fault === undefined ? 'No request matches' : 'The list cannot be shown'}>
        {fault !== undefined && <p role="status">{fault}</p>}
        <Button act={() => narrow({ kind: 'all', search: '' })}>Show all requests</Button>
      </Empty>
    )
  return (
    <Empty title="No requests yet">
      <p>
        Every call of the emulated API appears here as it comes in: what was sent, what was answered, and why.
      </p>
      <a class="button primary" href={to('playground')}>
        Send one from the playground
      </a>
      <a class="button" href={to('connect')}>
        Connect a client
      </a>
    </Empty>
  )
}
