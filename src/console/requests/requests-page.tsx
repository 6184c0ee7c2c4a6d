import './requests.css'
import { useEffect, useRef } from 'preact/hooks'
import type { List, RequestLine, RequestView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Reading } from '../parts/empty.tsx'
import { SearchField } from '../parts/fields.tsx'
import { counted, preciseTime, shortId, span } from '../parts/format.ts'
import { useFetched } from '../parts/use-fetched.ts'
import { useWidth, VirtualList } from '../parts/virtual-list.tsx'
import { cameFrom, to } from '../store/address.ts'
import { control, controlPath } from '../store/api.ts'
import { publishedName } from '../store/models.ts'
import { entries } from '../store/requests.ts'
import { useTitle } from '../store/title.ts'
import { doWithUndo } from '../store/undo.ts'
import { Comparison } from './comparison.tsx'
import { comparing, filters, narrow, pairIn, pairOf, pausedAt, toRequests } from './filters.ts'
import { type Kind, kinds } from './narrowed.ts'
import { RequestDetail } from './request-detail.tsx'
import { areOld, rows, seenUntil } from './rows.ts'
import { StatusPill } from './status-pill.tsx'

/** The journal, newest first, and beside it one request, or two of one operation compared. */
export function RequestsPage({ item }: { item: string | undefined }) {
  return (
    <div class={`page-full requests${item === undefined ? '' : ' has-open'}`}>
      <h1 class="unseen">Requests</h1>
      <RequestsHead />
      <div class="requests-columns">
        <RequestList item={item} />
        {item !== undefined && (
          <section class="requests-detail" aria-label="Details">
            <Open item={item} />
          </section>
        )}
      </div>
    </div>
  )
}

function Open({ item }: { item: string }) {
  const pair = pairIn(item)
  return pair ? <Two key={item} pair={pair} /> : <One key={item} id={item} />
}

function One({ id }: { id: string }) {
  const { entry, fault, isGone } = useEntry(id)
  useTitle(entry && `${entry.status} ${entry.operation}`)
  if (entry) return <RequestDetail key={entry.id} entry={entry} />
  return <Without isGone={isGone} fault={fault} />
}

function Two({ pair: [left, right] }: { pair: [string, string] }) {
  const one = useEntry(left)
  const other = useEntry(right)
  useEffect(() => {
    comparing.value = undefined
  }, [])
  if (one.entry && other.entry && one.entry.operation === other.entry.operation)
    return <Comparison left={one.entry} right={other.entry} />
  if (one.entry && other.entry) return <Without fault="These are requests of two operations" />
  return <Without isGone={one.isGone || other.isGone} fault={one.fault ?? other.fault} />
}

/** A request of the journal; the page fetches one that is older than the entries it has read. */
function useEntry(id: string): {
  entry: RequestView | undefined
  isGone: boolean
  fault: string | undefined
} {
  const known = entries.value.find(one => String(one.id) === id)
  const isNumber = /^\d{1,9}$/.test(id)
  const { value, fault } = useFetched(async () => {
    if (known || !isNumber || id === '0') return []
    const { items } = await control<List<RequestView>>('GET', `/requests?before=${Number(id) + 1}&limit=1`)
    return items
  }, [id])
  const entry = known ?? value?.find(one => String(one.id) === id)
  return { entry, fault, isGone: !entry && value !== undefined }
}

/** Shown instead of a request that is no longer in the journal or cannot be shown now. */
function Without({ isGone = false, fault }: { isGone?: boolean; fault: string | undefined }) {
  const title = isGone ? 'This request is no longer in the journal' : fault
  if (title === undefined) return null
  return (
    <Empty title={title}>
      <a class="button" href={toRequests()}>
        All requests
      </a>
    </Empty>
  )
}

/** The filters of the list, and actions on the whole list. */
function RequestsHead() {
  const { kind, search, polls } = filters.value
  return (
    <div class="page-head">
      <SearchField
        label="Search requests"
        placeholder="Words, status:400 op:a.create after:08:01 …"
        value={search}
        search={words => narrow({ search: words })}
      />
      <div class="group" role="group" aria-label="Kind">
        {(Object.keys(kinds) as Kind[]).map(name => (
          <Button key={name} aria-pressed={kind === name} act={() => narrow({ kind: name })}>
            {name}
          </Button>
        ))}
      </div>
      <label class="row">
        <input
          type="checkbox"
          checked={polls === 'folded'}
          onChange={event => narrow({ polls: event.currentTarget.checked ? 'folded' : 'all' })}
        />
        fold polls
      </label>
      <Shown />
      <span class="grow" />
      <Pause />
      <a
        class="button"
        href={controlPath('/requests?format=har&limit=10000')}
        download="requests.har"
        title="Download the journal as HAR 1.2, without secrets and prompts"
      >
        HAR
      </a>
      <Button
        icon="trash"
        disabled={entries.value.length === 0}
        act={() => doWithUndo({ path: '/requests', words: 'The journal was cleared' })}
      >
        Clear
      </Button>
    </div>
  )
}

/** How many requests the list has read, and how many there are. */
function Shown() {
  if (!rows.value) return null
  const { items, total, incomplete, fault } = rows.value
  if (areOld.value)
    return (
      <span class="small quiet" role="status">
        reading …
      </span>
    )
  if (fault !== undefined) return null
  const read = items.reduce((sum, { ids }) => sum + ids.length, 0)
  return (
    <span class="small quiet" role="status" title={incomplete}>
      {read < total && `${read.toLocaleString('en')} of `}
      {total.toLocaleString('en')}
      {incomplete !== undefined && ', older ones were dropped'}
    </span>
  )
}

/** Pauses the list, so that new requests do not move the row that is being read. */
function Pause() {
  const until = pausedAt.value
  const fresh = until === undefined ? 0 : entries.value.filter(({ id }) => id > until).length
  return (
    <Button
      icon={until === undefined ? 'pause' : 'play'}
      aria-pressed={until !== undefined}
      title={until === undefined ? 'Hold the list still' : 'Show new requests again'}
      act={() => (pausedAt.value = until === undefined ? (entries.value[0]?.id ?? 0) : undefined)}
    >
      {until === undefined ? 'Pause' : `Paused, ${fresh} new`}
    </Button>
  )
}

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
