import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { RequestView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Reading } from '../parts/empty.tsx'
import { counted } from '../parts/format.ts'
import { useWidth, VirtualList } from '../parts/virtual-list.tsx'
import { cameFrom, to } from '../store/address.ts'
import { areEntriesRead, entries } from '../store/requests.ts'
import { comparing, filters, narrow, pairIn } from './filters.ts'
import { folded, foldOf } from './folded.ts'
import { foundRequests } from './found.ts'
import { RequestRow } from './request-row.tsx'

/** The number of the newest request that is shown; undefined while new ones appear. */
export const pausedAt = signal<number | undefined>(undefined)

const rowHeights = { wide: 30, narrow: 44 }
/** Below this width in px, a row has two lines. */
const narrowBelow = 560

/** The journal, narrowed and folded, newest first. */
export function RequestList({ item }: { item: string | undefined }) {
  const until = pausedAt.value
  const first = comparing.value
  const found = foundRequests.value.filter(
    ({ id, operation }) =>
      (until === undefined || id <= until) && (first === undefined || operation === first.operation),
  )
  const folds = filters.value.polls === 'all' ? found.map(entry => foldOf([entry])) : folded(found)
  const open = pairIn(item) ?? [item]
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useWidth(box, 1280) < narrowBelow
  return (
    <div class="requests-list" ref={box}>
      {comparing.value && <Choosing entry={comparing.value} />}
      {folds.length > 0 ? (
        <VirtualList
          items={folds}
          label={`${counted(found.length, 'request')}, newest first`}
          rowHeight={isNarrow ? rowHeights.narrow : rowHeights.wide}
          place="requests"
          cameFrom={item === undefined ? cameFrom('requests') : undefined}
          keyOf={({ entry }) => entry.id}
          row={fold => (
            <RequestRow fold={fold} isOpen={fold.all.some(({ id }) => open.includes(String(id)))} />
          )}
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
  if (!areEntriesRead.value) return <Reading what="the journal" />
  if (entries.value.length > 0)
    return (
      <Empty title="No request matches">
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
