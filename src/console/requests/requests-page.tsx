import './requests.css'
import { signal } from '@preact/signals'
import { Empty } from '../parts/empty.tsx'
import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { to } from '../store/address.ts'
import { areEntriesRead, entries } from '../store/requests.ts'
import type { Entry } from '../store/shapes.ts'
import { takeAway } from '../store/undo.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestRow } from './request-row.tsx'
import { Verify } from './verify.tsx'

type Kind = 'all' | 'refused' | 'by a rule' | 'unread fields'

const kinds: Readonly<Record<Kind, (entry: Entry) => boolean>> = {
  all: () => true,
  refused: ({ status }) => status >= 400 || status === 0,
  'by a rule': ({ rule }) => rule !== undefined,
  'unread fields': ({ unread }) => unread !== undefined,
}

const kind = signal<Kind>('all')
const search = signal('')

/** What came in and what went out, newest first, and what is known of one of them. */
export function RequestsPage({ item }: { item: string | undefined }) {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const list = entries.value.filter(
    entry => kinds[kind.value](entry) && words.every(word => textOf(entry).includes(word)),
  )
  const open =
    item === undefined || item === 'verify' ? undefined : entries.value.find(({ id }) => String(id) === item)
  return (
    <div class={`page-full requests${item === undefined ? '' : ' has-open'}`}>
      <h1 class="unseen">Requests</h1>
      <div class="page-head">
        <label class="search">
          <span class="unseen">Search requests</span>
          <Icon name="search" />
          <input
            class="field"
            type="search"
            id="search"
            placeholder="Path, operation, task or account"
            value={search.value}
            onInput={event => {
              search.value = event.currentTarget.value
            }}
          />
        </label>
        <div class="group" role="group" aria-label="Kind">
          {(Object.keys(kinds) as Kind[]).map(name => (
            <button
              key={name}
              type="button"
              class="button"
              aria-pressed={kind.value === name}
              onClick={() => {
                kind.value = name
              }}
            >
              {name}
            </button>
          ))}
        </div>
        <span class="grow" />
        <a class="button" href={to('requests', 'verify')}>
          Verify
        </a>
        <button
          type="button"
          class="button"
          disabled={entries.value.length === 0}
          onClick={() => void takeAway({ path: '/requests', words: 'The journal is empty' })}
        >
          <Icon name="trash" />
          Clear
        </button>
      </div>
      <div class="requests-columns">
        <div class="requests-list">
          {list.length > 0 ? (
            <VirtualList
              items={list}
              label={`${counted(list.length, 'request')}, newest first`}
              rowHeight={46}
              place="requests"
              keyOf={({ id }) => id}
              row={entry => <RequestRow entry={entry} isOpen={String(entry.id) === item} />}
            />
          ) : (
            <Nothing />
          )}
        </div>
        {item !== undefined && (
          <section class="requests-detail" aria-label="Details">
            {item === 'verify' ? <Verify /> : open ? <RequestDetail key={open.id} entry={open} /> : <Gone />}
          </section>
        )}
      </div>
    </div>
  )
}

function textOf({
  method,
  path,
  operation,
  task_id = '',
  account,
  status,
  fault = '',
  rule = '',
}: Entry): string {
  return `${method} ${path} ${operation} ${task_id} ${account ?? ''} ${status} ${fault} ${rule}`.toLowerCase()
}

function Nothing() {
  if (!areEntriesRead.value) return <Empty title="Reading the journal …" />
  if (entries.value.length > 0)
    return (
      <Empty title="No request matches">
        <button
          type="button"
          class="button"
          onClick={() => {
            kind.value = 'all'
            search.value = ''
          }}
        >
          Show all requests
        </button>
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
    </Empty>
  )
}

function Gone() {
  return (
    <Empty title="This request is no longer in the journal">
      <a class="button" href={to('requests')}>
        All requests
      </a>
    </Empty>
  )
}
