import { signal } from '@preact/signals'
import type { Verdict } from '../../client/types.ts'
import { Icon } from '../parts/icons.tsx'
import { control } from '../store/api.ts'
import { complaint } from '../store/notices.ts'
import type { Entry } from '../store/shapes.ts'
import { DifferenceTable } from './comparison.tsx'
import { toRequests } from './filters.ts'
import { missDifferences } from './near-miss.ts'

const match = signal('{\n  "operation": "*.create"\n}')
const least = signal(1)
const verdict = signal<Verdict | undefined>(undefined)
const fault = signal('')

/** Fills the form with the operation and the model of a request. */
export function expectLike({ operation, request }: Entry): void {
  const { model } = (request.body ?? {}) as { model?: unknown }
  match.value = JSON.stringify({ operation, ...(typeof model === 'string' && { model }) }, null, 2)
  verdict.value = undefined
}

/** Checks whether the expected requests came, and shows near misses when they did not. */
export function Verify() {
  const ask = async () => {
    fault.value = ''
    try {
      verdict.value = await control<Verdict>('POST', '/requests/verify', {
        match: JSON.parse(match.value),
        count: { at_least: least.value },
      })
    } catch (error) {
      verdict.value = undefined
      fault.value = complaint(error)
    }
  }
  return (
    <div class="verify">
      <div class="row spread">
        <h2>Did the right requests come?</h2>
        <a class="button plain icon" href={toRequests()} aria-label="Close">
          <Icon name="cross" />
        </a>
      </div>
      <p class="quiet">
        Conditions as in the “when” of a scenario. A test can check the same with POST
        /__emulator/requests/verify.
      </p>
      <form
        class="stack"
        onSubmit={event => {
          event.preventDefault()
          void ask()
        }}
      >
        <label>
          <span class="small quiet">Match (JSON)</span>
          <textarea
            class="field mono"
            rows={6}
            spellcheck={false}
            value={match.value}
            onInput={event => {
              match.value = event.currentTarget.value
            }}
          />
        </label>
        <div class="row">
          <label class="row">
            at least
            <input
              class="field count"
              type="number"
              min={1}
              value={least.value}
              onInput={event => {
                least.value = Number(event.currentTarget.value)
              }}
            />
            times
          </label>
          <button type="submit" class="button primary">
            Check
          </button>
        </div>
      </form>
      <div role="status" class="stack">
        {fault.value !== '' && <p class="remark tone-failed">{fault.value}</p>}
        {verdict.value && <Result verdict={verdict.value} />}
      </div>
    </div>
  )
}

function Result({ verdict: { ok, found, message, incomplete, near_misses } }: { verdict: Verdict }) {
  return (
    <>
      <p class={`remark ${ok ? 'tone-succeeded' : 'tone-failed'}`}>
        {ok ? `Yes: ${found} found.` : (message ?? `No: ${found} found.`)}
      </p>
      {incomplete !== undefined && <p class="remark tone-expired">{incomplete}</p>}
      {near_misses.length > 0 && <h3>Near misses</h3>}
      {near_misses.map(({ request, reasons }) => (
        <Miss key={request.id} request={request} reasons={reasons} />
      ))}
    </>
  )
}

/** A request that almost matches, with the wanted values beside its own. */
function Miss({ request, reasons }: Verdict['near_misses'][number]) {
  const { list, rest } = missDifferences(reasons)
  return (
    <div class="card miss">
      <a href={toRequests(String(request.id))}>
        {request.operation}, {request.status}
      </a>
      {rest.length > 0 && (
        <ul>
          {rest.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {list.length > 0 && <DifferenceTable list={list} heads={['wanted', 'was']} />}
    </div>
  )
}
