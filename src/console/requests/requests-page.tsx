import './requests.css'
import { useEffect } from 'preact/hooks'
import type { List, RequestView } from '../../kits/views.ts'
import { Empty } from '../parts/empty.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { control } from '../store/api.ts'
import { entries } from '../store/requests.ts'
import { useTitle } from '../store/title.ts'
import { Comparison } from './comparison.tsx'
import { comparing, pairIn, toRequests } from './filters.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'
import { RequestsHead } from './requests-head.tsx'

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
