import './requests.css'
import type { RequestView } from '../../kits/views.ts'
import { preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Scroll } from '../parts/table.tsx'
import { absent, type Difference, differences } from './difference.ts'
import { toRequests } from './filters.ts'
import { StatusPill } from './status-pill.tsx'

/** Two requests side by side: only the differences. */
export function Comparison({ left, right }: { left: RequestView; right: RequestView }) {
  const parts: [string, Difference[]][] = [
    ['Address', differences(addressOf(left), addressOf(right))],
    ['Request', differences(left.request.body, right.request.body)],
    ['Reply', differences(left.response.body, right.response.body)],
    ['Request headers', differences(left.request.headers, right.request.headers)],
  ]
  return (
    <div class="stack body-text">
      <div class="row spread">
        <h2>What differs</h2>
        <a class="button plain icon" href={toRequests()} aria-label="Close the comparison">
          <Icon name="cross" />
        </a>
      </div>
      <div class="compared">
        <Side entry={left} />
        <Side entry={right} />
      </div>
      {parts.map(([title, list]) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          {list.length === 0 ? (
            <p class="small quiet">No difference.</p>
          ) : (
            <DifferenceTable
              label={`Differences: ${title}`}
              list={list}
              heads={[`number ${left.id}`, `number ${right.id}`]}
            />
          )}
        </section>
      ))}
    </div>
  )
}

function addressOf({ method, path, operation, account, status }: RequestView) {
  return { operation, method, path, account, status }
}

function Side({ entry }: { entry: RequestView }) {
  return (
    <a class="card compared-side" href={toRequests(String(entry.id))}>
      <span class="row">
        <StatusPill {...entry} /> <strong>{entry.operation}</strong>
      </span>
      <span class="small quiet">
        number {entry.id}, {preciseTime(entry.at_ms)}
      </span>
    </a>
  )
}

/** The places where two documents differ, and both values. */
export function DifferenceTable({
  label = 'Differences',
  list,
  heads,
}: {
  label?: string
  list: readonly Difference[]
  heads: readonly [string, string]
}) {
  return (
    <Scroll label={label}>
      <table class="table differences">
        <thead>
          <tr>
            <th scope="col">Where</th>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.map(({ path, left, right }) => (
            <tr key={path}>
              <th scope="row" class="mono">
                {path}
              </th>
              <td class="mono was-left">{shown(left)}</td>
              <td class="mono was-right">{shown(right)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function shown(value: unknown): string {
  if (value === absent) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
