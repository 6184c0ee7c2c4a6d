import type { Finding } from '../../client/types.ts'
import { Empty } from '../parts/empty.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { changes } from '../store/live.ts'
import { entries } from '../store/requests.ts'
import type { Listed } from '../store/shapes.ts'

export function FindingsPanel() {
  const { value, fault } = useFetched(() => control<Listed<Finding>>('GET', '/findings'), [changes.value])
  if (!value) return <Empty title={fault ?? 'Reading findings …'} />
  if (value.items.length === 0)
    return (
      <Empty title="No findings">
        <p>
          Findings tell what a client does wrong: it polls too fast, ignores Retry-After, sends its key to
          result links, or sends fields that are ignored.
        </p>
      </Empty>
    )
  return (
    <ul class="findings">
      {value.items.map((finding, i) => (
        <li key={i}>
          <span class="pill tone-expired">{finding.kind.replaceAll('_', ' ')}</span>
          <span class="grow">
            {finding.text}{' '}
            {finding.task_id !== undefined && <a href={to('tasks', finding.task_id)}>the task</a>}{' '}
            {entries.value
              .filter(({ request_id }) => request_id === finding.request_ids[0])
              .map(({ id }) => (
                <a key={id} href={to('requests', String(id))}>
                  the request
                </a>
              ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
