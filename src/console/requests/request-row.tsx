import type { RequestLine } from '../../kits/views.ts'
import { preciseTime, shortId, span } from '../parts/format.ts'
import { publishedName } from '../store/models.ts'
import { comparing, pairOf, toRequests } from './filters.ts'
import { StatusPill } from './status-pill.tsx'

/** One request, or some equal polls: its time, status and facts. */
export function RequestRow({ line, isOpen }: { line: RequestLine; isOpen: boolean }) {
  const { id, at_ms, status, broken, operation, prompt, model, state } = line
  const task = line.task_id ?? line.task_ids?.[0]
  const first = comparing.value
  const item = first === undefined || first.id === id ? String(id) : pairOf(first.id, id)
  return (
    <a class="request-row" href={toRequests(item)} aria-current={isOpen ? 'true' : undefined}>
      <StatusPill {...line} />{' '}
      <span class="request-what">
        <strong class="cut">{operation}</strong>{' '}
        <span class="cut">
          {state !== undefined && status < 400 && broken === undefined && <span class="quiet">{state} </span>}
          {prompt === '' ? <span class="quiet mono">{line.path.split('?')[0]}</span> : prompt}
          {remarks(line).map(text => (
            <span key={text} class="quiet">
              {' '}
              · {text}
            </span>
          ))}
        </span>{' '}
        <Marks line={line} />
      </span>{' '}
      <span class="request-facts small quiet">
        <time class="mono">{preciseTime(at_ms)}</time>{' '}
        <span class="cut">{publishedName(model) ?? model}</span>{' '}
        <span class="cut mono">{task && shortId(task)}</span>
      </span>
    </a>
  )
}

function Marks({ line: { ids, within_ms, rule, unread } }: { line: RequestLine }) {
  return (
    <span class="request-marks">
      {ids.length > 1 && (
        <span class="pill" title={`${ids.length} equal polls within ${span(within_ms)}`}>
          ×{ids.length}
          {within_ms > 0 && ` in ${span(within_ms)}`}
        </span>
      )}
      {rule !== undefined && <span class="pill tone-running">{rule}</span>}
      {unread !== undefined && <span class="pill tone-expired">{unread.length} unread</span>}
    </span>
  )
}

function remarks({ account, fault, connection, media }: RequestLine): string[] {
  return [
    ...(account !== null && account !== 'default' ? [account] : []),
    ...(fault === undefined ? [] : [fault.replaceAll('_', ' ')]),
    ...(connection === undefined ? [] : [connection]),
    ...(media === undefined ? [] : [media]),
  ]
}
