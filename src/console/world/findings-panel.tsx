import type { Finding, List } from '../../kits/views.ts'
import { Empty } from '../parts/empty.tsx'
import { counted } from '../parts/format.ts'
import { groupsOf, timesOf } from '../parts/lists.ts'
import { useWorld } from '../parts/use-fetched.ts'
import { to } from '../store/address.ts'
import { entries } from '../store/requests.ts'

/** Kinds that cost money come first, whatever their number. */
const costly: readonly Finding['kind'][] = [
  'create_repeated',
  'created_again_while_running',
  'idempotency_ignored',
  'made_twice',
  'abandoned_task',
  'result_not_fetched',
]

export function FindingsPanel() {
  const { value, fault } = useWorld<List<Finding>>('/findings')
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
    <div class="findings">
      {grouped(value.items).map(([kind, list]) => (
        <details key={kind} class="case" open={list.length <= 5}>
          <summary>
            <span class={`pill tone-${costly.includes(kind) ? 'failed' : 'expired'}`}>
              {kind.replaceAll('_', ' ')}
            </span>
            <strong>{counted(timesOf(list), 'time')}</strong>
            {list.length > 5 && <span class="quiet grow cut">{list[0]?.text}</span>}
          </summary>
          <ul>
            {list.map((finding, i) => (
              <li key={i}>
                {finding.text} <Links finding={finding} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  )
}

/** The findings of each kind: costly kinds first, then by number. */
function grouped(findings: readonly Finding[]): [Finding['kind'], Finding[]][] {
  const groups = [...groupsOf(findings, ({ kind }) => kind)]
  const rank = (kind: Finding['kind']) => (costly.includes(kind) ? 0 : 1)
  return groups.sort((a, b) => rank(a[0]) - rank(b[0]) || timesOf(b[1]) - timesOf(a[1]))
}

function Links({ finding: { task_id, request_ids } }: { finding: Finding }) {
  const entry = entries.value.find(({ request_id }) => request_id === request_ids[0])
  return (
    <>
      {task_id !== undefined && <a href={to('tasks', task_id)}>the task</a>}{' '}
      {entry && <a href={to('requests', String(entry.id))}>the request</a>}
    </>
  )
}
