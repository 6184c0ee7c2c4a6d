import { shortId, span, timeOfDay } from '../parts/format.ts'
import { byId } from '../store/tasks.ts'
import { comparing, pairOf, toRequests } from './filters.ts'
import { type Fold, statesIn } from './folded.ts'
import { factsOf } from './narrowed.ts'
import { StatusPill } from './status-pill.tsx'

/** One request, or some equal polls: its time, status and facts. */
export function RequestRow({ fold, isOpen }: { fold: Fold; isOpen: boolean }) {
  const { entry } = fold
  const { id, at_ms, duration_ms, status, broken, operation } = entry
  const { prompt, model, task } = factsOf(entry, byId.value)
  const [state] = statesIn(entry.response.body)
  const first = comparing.value
  const item = first === undefined || first.id === id ? String(id) : pairOf(first.id, id)
  return (
    <a class="request-row" href={toRequests(item)} aria-current={isOpen ? 'true' : undefined}>
      <StatusPill {...entry} />{' '}
      <span class="request-what">
        <strong class="cut">{operation}</strong>{' '}
        <span class="cut">
          {state !== undefined && status < 400 && broken === undefined && <span class="quiet">{state} </span>}
          {prompt === '' ? <span class="quiet mono">{entry.path.split('?')[0]}</span> : prompt}
          {remarks(fold).map(text => (
            <span key={text} class="quiet">
              {' '}
              · {text}
            </span>
          ))}
        </span>{' '}
        <Marks fold={fold} />
      </span>{' '}
      <span class="request-facts small quiet">
        <time class="mono">{timeOfDay(at_ms)}</time> <span class="cut">{model}</span>{' '}
        <span class="cut mono">{task && shortId(task)}</span>{' '}
        <span class="took">{duration_ms.toFixed(1)} ms</span>
      </span>
    </a>
  )
}

function Marks({ fold: { entry, all, withinMs } }: { fold: Fold }) {
  const { rule, unread } = entry
  return (
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
  )
}

function remarks({ entry: { account, fault, connection, media } }: Fold): string[] {
  return [
    ...(account !== null && account !== 'default' ? [account] : []),
    ...(fault === undefined ? [] : [fault.replaceAll('_', ' ')]),
    ...(connection === undefined ? [] : [connection]),
    ...(media === undefined ? [] : [media]),
  ]
}
