import './breaking.css'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { address } from '../store/address.ts'
import { closeDialog } from '../store/dialogs.ts'
import { breakNext, failures, readFailures } from '../store/failures.ts'
import { makerOf } from '../store/operations.ts'
import { entries } from '../store/requests.ts'
import { byId } from '../store/tasks.ts'
import type { Breakage } from './breakage.ts'
import { byKind, lastCreate, operationsIn } from './catalogue.ts'

/** The catalogue of failures: one click makes the next call of an operation fail, once. */
export function BreakDialog({ operation: given }: { operation?: string | undefined }) {
  const { page, item = '' } = address.value
  const kind = page === 'tasks' ? byId.value.get(item)?.kind : undefined
  const [operation, setOperation] = useState(
    given ?? (kind && makerOf(kind)?.id) ?? lastCreate(entries.value),
  )
  const [search, setSearch] = useState('')
  useEffect(() => void readFailures(), [])
  const groups = byKind(failures.value, { operation, search })
  const [times, setTimes] = useState(1)
  const [retryAfter, setRetryAfter] = useState('')
  const act = (failure: Breakage) => {
    closeDialog()
    void breakNext(failure, { times, ...(retryAfter !== '' && { retryAfter: Number(retryAfter) }) })
  }
  return (
    <Dialog title="Break the next one" close={closeDialog}>
      <div class="break-head">
        <label class="row">
          the next
          <input
            class="field count"
            type="number"
            min={1}
            max={20}
            aria-label="How many calls"
            value={times}
            onInput={event => setTimes(Math.min(20, Math.max(1, Number(event.currentTarget.value) || 1)))}
          />
          <select
            class="field"
            aria-label="Operation"
            value={operation}
            onChange={event => setOperation(event.currentTarget.value)}
          >
            {operationsIn(failures.value, operation).map(id => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <label class="row small quiet">
          Retry-After
          <input
            class="field count"
            type="number"
            min={0}
            aria-label="Retry-After of refusals, in seconds"
            placeholder="–"
            value={retryAfter}
            onInput={event => setRetryAfter(event.currentTarget.value)}
          />
          s
        </label>
        <input
          class="field"
          type="text"
          aria-label="Search failures"
          placeholder="429, a code or words"
          value={search}
          autofocus
          onInput={event => setSearch(event.currentTarget.value)}
        />
      </div>
      <div class="break-list">
        {groups.length === 0 && (
          <p class="quiet body">
            {failures.value.length === 0 ? 'Reading the catalogue …' : 'No failure matches.'}
          </p>
        )}
        {groups.map(([name, list]) => (
          <section key={name} aria-label={name}>
            <h3 class="small quiet">{name}</h3>
            <ul>
              {list.map(failure => (
                <li key={failure.id}>
                  <button type="button" class="break-one" title={failure.source} onClick={() => act(failure)}>
                    <span>
                      {failure.status && <strong>{failure.status} </strong>}
                      {failure.title}
                    </span>
                    <span class="mono quiet">{failure.code ?? failure.id}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p class="break-foot small quiet">
        Until it has happened, a chip at the top shows it and can remove it.
      </p>
    </Dialog>
  )
}
