import { useRef } from 'preact/hooks'
import type { RequestLine, RequestView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Reading } from '../parts/empty.tsx'
import { counted, preciseTime, shortId, span } from '../parts/format.ts'
import { useWidth, VirtualList } from '../parts/virtual-list.tsx'
import { cameFrom, to } from '../store/address.ts'
import { publishedName } from '../store/models.ts'
import { entries } from '../store/requests.ts'
import { comparing, narrow, pairIn, pairOf, toRequests } from './filters.ts'
import { areOld, rows, seenUntil } from './rows.ts'
import { StatusPill } from './status-pill.tsx'

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

/** One request, or some equal polls: its time, status and facts. */
function RequestRow({ line, isOpen }: { line: RequestLine; isOpen: boolean }) {
  const { id, at_ms, status, broken, operation, prompt, model, state } = line
  const task = line.task_id ?? line.task_ids?.[0]
  const first = comparing.value
  const item = first === undefined || first.id === id ? String(id) : pairOf(first.id, id)
  return (
    <a class="request-row" href={toRequests(item)} aria-current={isOpen ? 'true' : undefined}>
      <StatusPill {...line} />{' '}
      <span class="request-what">
        <strong class="cut">{operation}</strong>{' '}
        <span class="cut" dir="auto">
          {state !== undefined && status < 400 && broken === undefined && (
            <>
              <span class="quiet" dir="ltr">
                {state}
              </span>{' '}
            </>
          )}
          {prompt.trim() === '' ? <span class="quiet mono">{line.path.split('?')[0]}</span> : prompt}
          {remarks(line).map(text => (
            <span key={text} class="quiet" dir="ltr">
              {' '}
              · {text}
            </span>
          ))}
        </span>{' '}
        <Marks line={line} />
      </span>{' '}
      <span class="request-facts small quiet">
        <time class="mono">{preciseTime(at_ms)}</time>{' '}
        <span class="cut">{publishedName(model) ?? model}</span>{' '}
        <span class="cut mono">{task && shortId(task)}</span>
      </span>
    </a>
  )
}

function Marks({ line: { ids, within_ms, rule, unread } }: { line: RequestLine }) {
  return (
    <span class="request-marks">
      {ids.length > 1 && (
        <span class="pill" title={`${ids.length} equal polls within ${span(within_ms)}`}>
          ×{ids.length}
          {within_ms > 0 && ` in ${span(within_ms)}`}
        </span>
      )}
      {rule !== undefined && <span class="pill tone-running">{rule}</span>}
      {unread !== undefined && <span class="pill tone-expired">{unread.length} unread</span>}
    </span>
  )
}

function remarks({ account, fault, connection, media }: RequestLine): string[] {
  return [
    ...(account !== null && account !== 'default' ? [account] : []),
    ...(fault === undefined ? [] : [fault.replaceAll('_', ' ')]),
    ...(connection === undefined ? [] : [connection]),
    ...(media === undefined ? [] : [media]),
  ]
}
