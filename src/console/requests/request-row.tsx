import { shortId, span, timeOfDay } from '../parts/format.ts'
import { byId } from '../store/tasks.ts'
import { comparing, pairOf } from './comparing.ts'
import { factsOf } from './facts.ts'
import { toRequests } from './filters.ts'
import { type Fold, statesIn } from './folded.ts'
import { StatusPill } from './status-pill.tsx'

/** One request, or some equal polls: when, what came of it, what it was about. */
export function RequestRow({ fold, isOpen }: { fold: Fold; isOpen: boolean }) {
  const { entry, all, withinMs } = fold
  const { id, at_ms, status, operation, rule, unread } = entry
  const { prompt, model, task } = factsOf(entry, byId.value)
  const [state] = statesIn(entry.response.body)
  const first = comparing.value
  const item = first === undefined || first === id ? String(id) : pairOf(first, id)
  return (
    <a class="request-row" href={toRequests(item)} aria-current={isOpen ? 'true' : undefined}>
      <time class="mono quiet">{timeOfDay(at_ms)}</time>
      <StatusPill status={status} />
      <span class="request-what">
        <span class="cut">
          <strong>{operation}</strong>
          {state !== undefined && status < 400 && <span class="quiet"> {state}</span>}{' '}
          {prompt === '' ? <span class="quiet mono">{entry.path.split('?')[0]}</span> : prompt}
        </span>
        <span class="cut small quiet">
          {[model, task && shortId(task), ...remarks(fold)].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span class="request-marks">
        {all.length > 1 && (
          <span class="pill" title={`${all.length} equal polls within ${span(withinMs)}`}>
            ×{all.length}
            {withinMs > 0 && ` in ${span(withinMs)}`}
          </span>
        )}
        {rule !== undefined && <span class="pill tone-running">{rule}</span>}
        {unread !== undefined && <span class="pill tone-expired">{unread.length} unread</span>}
      </span>
    </a>
  )
}

function remarks({ entry: { duration_ms, account, fault, connection } }: Fold): string[] {
  const ms = duration_ms < 10 ? duration_ms.toFixed(1) : String(Math.round(duration_ms))
  return [
    `${ms} ms`,
    ...(account !== null && account !== 'default' ? [account] : []),
    ...(fault === undefined ? [] : [fault.replaceAll('_', ' ')]),
    ...(connection === undefined ? [] : [connection]),
  ]
}
