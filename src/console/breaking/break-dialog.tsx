import './breaking.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { NumberField, Select, submits } from '../parts/fields.tsx'
import { address } from '../store/address.ts'
import { closeDialog } from '../store/dialogs.ts'
import { breakNext, failures, readFailures } from '../store/failures.ts'
import { makerOf } from '../store/operations.ts'
import { entries } from '../store/requests.ts'
import { byId } from '../store/tasks.ts'
import { type Breakage, byKind, lastCreate, operationsIn } from './breakage.ts'

interface Props {
  operation?: string | undefined
  /** Which call from now is broken at first; the next one when absent. */
  nth?: number | undefined
}

/** The catalogue of failures: one click makes calls of an operation fail, each once. */
export function BreakDialog({ operation: given, nth = 1 }: Props) {
  const { page, item = '' } = address.value
  const kind = page === 'tasks' ? byId.value.get(item)?.kind : undefined
  const [operation, setOperation] = useState(
    given ?? (kind && makerOf(kind)?.id) ?? lastCreate(entries.value),
  )
  const head = useRef<HTMLFormElement>(null)
  const found = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  useEffect(() => void readFailures(), [])
  const [skip, setSkip] = useState<number | undefined>(nth - 1)
  const [times, setTimes] = useState<number | undefined>(1)
  const [retryAfter, setRetryAfter] = useState<number | undefined>()
  // With a Retry-After, the refusal without one is the same.
  const offered = failures.value.filter(({ id }) => retryAfter === undefined || !id.endsWith('_bare'))
  const groups = byKind(offered, { operation, search })
  const first = () => found.current?.querySelector('button')
  const act = (failure: Breakage) => {
    // The reason stands beside the field.
    const wrong = head.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) return wrong.focus()
    closeDialog()
    void breakNext(failure, { skip: skip ?? 0, times: times ?? 1, retryAfter })
  }
  return (
    <Dialog title="Break the next one" close={closeDialog}>
      <form class="break-head" ref={head} noValidate onSubmit={submits(() => first()?.click())}>
        <span class="row">
          skip
          <NumberField label="Calls that go well before" value={skip} least={0} set={setSkip} />
          then break
          <NumberField label="How many calls" value={times} least={1} most={20} set={setTimes} />
          <Select
            label="Operation"
            look="choice"
            value={operation}
            options={operationsIn(failures.value, operation)}
            choose={setOperation}
          />
        </span>
        <span class="row">
          Retry-After
          <NumberField
            label="Retry-After of refusals, in seconds"
            value={retryAfter}
            least={0}
            set={setRetryAfter}
          />
          s
        </span>
        <input
          class="field"
          type="text"
          aria-label="Search failures"
          placeholder="429, a code or words"
          value={search}
          autofocus
          onInput={event => setSearch(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            first()?.focus()
          }}
        />
        <button type="submit" hidden />
      </form>
      <div class="break-list" ref={found}>
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
