import { Icon } from '../parts/icons.tsx'
import { controlPath } from '../store/api.ts'
import { entries } from '../store/requests.ts'
import { doWithUndo } from '../store/undo.ts'
import { filters, narrow } from './filters.ts'
import { type Kind, kinds } from './narrowed.ts'
import { pausedAt } from './request-list.tsx'

/** The filters of the list, and actions on the whole list. */
export function RequestsHead() {
  const { kind, search, polls } = filters.value
  return (
    <div class="page-head">
      <label class="search">
        <span class="unseen">Search requests</span>
        <Icon name="search" />
        <input
          class="field"
          type="search"
          id="search"
          placeholder="Request id, prompt, header, body …"
          value={search}
          onInput={event => narrow({ search: event.currentTarget.value })}
        />
      </label>
      <div class="group" role="group" aria-label="Kind">
        {(Object.keys(kinds) as Kind[]).map(name => (
          <button
            key={name}
            type="button"
            class="button"
            aria-pressed={kind === name}
            onClick={() => narrow({ kind: name })}
          >
            {name}
          </button>
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
      <button
        type="button"
        class="button"
        disabled={entries.value.length === 0}
        onClick={() => void doWithUndo({ path: '/requests', words: 'The journal was cleared' })}
      >
        <Icon name="trash" />
        Clear
      </button>
    </div>
  )
}

/** Pauses the list, so that new requests do not move the row that is being read. */
function Pause() {
  const until = pausedAt.value
  const fresh = until === undefined ? 0 : entries.value.filter(({ id }) => id > until).length
  return (
    <button
      type="button"
      class="button"
      aria-pressed={until !== undefined}
      title={until === undefined ? 'Hold the list still' : 'Show new requests again'}
      onClick={() => {
        pausedAt.value = until === undefined ? (entries.value[0]?.id ?? 0) : undefined
      }}
    >
      <Icon name={until === undefined ? 'pause' : 'play'} />
      {until === undefined ? 'Pause' : `Paused, ${fresh} new`}
    </button>
  )
}
