import { Button } from '../parts/button.tsx'
import { SearchField } from '../parts/fields.tsx'
import { controlPath } from '../store/api.ts'
import { entries } from '../store/requests.ts'
import { doWithUndo } from '../store/undo.ts'
import { filters, narrow, pausedAt } from './filters.ts'
import { type Kind, kinds } from './narrowed.ts'
import { areOld, rows } from './rows.ts'

/** The filters of the list, and actions on the whole list. */
export function RequestsHead() {
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
