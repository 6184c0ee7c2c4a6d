import { useState } from 'preact/hooks'
import type { RequestView, TaskView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { preciseTime } from '../parts/format.ts'
import { Json } from '../parts/json.tsx'
import { StatusPill } from '../requests/status-pill.tsx'
import { keyOf } from '../store/accounts.ts'
import { to } from '../store/address.ts'
import { callPublic } from '../store/api.ts'
import { report } from '../store/notices.ts'
import { operationNamed } from '../store/operations.ts'

/** The replies about the task that clients got: the first and the latest. */
export function Replies({ task, entries }: { task: TaskView; entries: readonly RequestView[] }) {
  const [isAsking, setAsking] = useState(false)
  const poll = pollOf(task)
  const api = entries.filter(({ operation }) => operation !== 'media.download')
  const [first] = api
  const last = api.length > 1 ? api.at(-1) : undefined
  const ask = async () => {
    setAsking(true)
    if (poll) await report(() => callPublic({ method: 'GET', path: poll, key: keyOf(task.account) }))
    setAsking(false)
  }
  return (
    <>
      <div class="replies-head">
        <span class="small quiet">
          {poll ? `GET ${poll}` : 'This operation has no poll: its reply is the result.'}
        </span>
        {poll && (
          <Button look="small" disabled={isAsking} act={ask}>
            Poll as its client
          </Button>
        )}
      </div>
      {api.length === 0 && (
        <Empty title="No request about it in the journal">
          <p>Poll it, or see the Request tab for what it was made from.</p>
        </Empty>
      )}
      {last && <Reply entry={last} title="Latest reply" />}
      {first && <Reply entry={first} title="First reply" />}
    </>
  )
}

function Reply({ entry, title }: { entry: RequestView; title: string }) {
  return (
    <section aria-label={title}>
      <h3 class="reply-title">
        {title} <StatusPill {...entry} />
        <a class="small" href={to('requests', String(entry.id))}>
          {entry.operation} at {preciseTime(entry.at_ms)}
        </a>
      </h3>
      <Json value={entry.response.body} label={title} />
    </section>
  )
}

/** The address that a client polls; undefined when the reply to the create is the result. */
function pollOf({ id, kind, family }: TaskView): string | undefined {
  const names = [`${kind}.get`, `${family}.get`, `${family}.tasks.get`]
  const operation = names.map(operationNamed).find(found => found !== undefined)
  if (!operation) return undefined
  const own = encodeURIComponent(id)
  return operation.path.includes('{')
    ? operation.path.replace(/\{[^}]+\}/, own)
    : `${operation.path}?task_ids=${own}`
}
