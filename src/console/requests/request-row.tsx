import { timeOfDay } from '../parts/format.ts'
import { to } from '../store/address.ts'
import type { Entry } from '../store/shapes.ts'
import { StatusPill } from './status-pill.tsx'

export function RequestRow({ entry, isOpen }: { entry: Entry; isOpen: boolean }) {
  const { id, at_ms, method, path, status, operation, duration_ms, account, rule, unread, fault } = entry
  return (
    <a class="request-row" href={to('requests', String(id))} aria-current={isOpen ? 'true' : undefined}>
      <time class="mono quiet">{timeOfDay(at_ms)}</time>
      <StatusPill status={status} />
      <span class="request-what">
        <span class="cut">
          <strong>{operation}</strong> <span class="quiet mono">{`${method} ${path.split('?')[0]}`}</span>
        </span>
        <span class="cut small quiet">
          {duration_ms < 10 ? duration_ms.toFixed(1) : Math.round(duration_ms)} ms
          {account !== null && ` · ${account}`}
          {fault !== undefined && ` · ${fault.replaceAll('_', ' ')}`}
        </span>
      </span>
      <span class="request-marks">
        {rule !== undefined && <span class="pill tone-running">{rule}</span>}
        {unread !== undefined && <span class="pill tone-expired">{unread.length} unread</span>}
      </span>
    </a>
  )
}
