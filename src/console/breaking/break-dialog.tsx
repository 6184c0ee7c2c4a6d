import './breaking.css'
import { useEffect, useState } from 'preact/hooks'
import type { Failure } from '../../explore/catalogue/failure.ts'
import { Dialog } from '../parts/dialog.tsx'
import { address } from '../store/address.ts'
import { closeDialog } from '../store/dialogs.ts'
import { breakNext, failures, readFailures } from '../store/failures.ts'
import { makerOf } from '../store/operations.ts'
import { entries } from '../store/requests.ts'
import { byId } from '../store/tasks.ts'
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
  const act = (failure: Failure) => {
    closeDialog()
    void breakNext(failure)
  }
  return (
    <Dialog title="Break the next one" close={closeDialog}>
      <div class="break-head">
        <label class="row">
          the next
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
        <input
          class="field"
          type="text"
          aria-label="Search failures"
          placeholder="Search failures"
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
                    <span>{failure.title}</span>
                    <span class="mono quiet">{failure.id}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p class="break-foot small quiet">
        The failure happens once, on the next call. Until then a chip at the top shows it and can remove it.
      </p>
    </Dialog>
  )
}
