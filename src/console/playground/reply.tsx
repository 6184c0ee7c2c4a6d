import { Empty } from '../parts/empty.tsx'
import { Json } from '../parts/json.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { StatusPill } from '../requests/status-pill.tsx'
import { to } from '../store/address.ts'
import type { PublicReply } from '../store/api.ts'
import { now } from '../store/clock.ts'
import { entryOf } from '../store/requests.ts'
import { byId, stateAt } from '../store/tasks.ts'
import { OwnLine } from '../tasks/bar.tsx'

/** The reply to a request, and the task that it made. */
export function Reply({ reply }: { reply: PublicReply | undefined }) {
  if (!reply)
    return (
      <Empty title="The reply appears here">
        <p>Fill in the form, or start from an example, and send it. It costs emulated credits only.</p>
      </Empty>
    )
  const entry = entryOf(reply)
  const rule = reply.headers.get('x-emulator-rule')
  return (
    <>
      <header>
        <div class="row" role="status">
          <StatusPill status={reply.status} />
          <span>{Math.round(reply.ms)} ms</span>
          {rule && <span class="pill tone-running">{rule}</span>}
        </div>
        {entry && (
          <a class="small" href={to('requests', String(entry.id))}>
            {reply.status >= 400 ? 'Why was it refused?' : 'See the request'}
          </a>
        )}
      </header>
      {entry?.task_id !== undefined && <Task id={entry.task_id} />}
      <Json value={reply.body} label="Reply body" />
      <details class="headers">
        <summary>Headers</summary>
        <dl class="facts small">
          {[...reply.headers].map(([name, value]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name}=`}>{value}</dd>,
          ])}
        </dl>
      </details>
    </>
  )
}

function Task({ id }: { id: string }) {
  const line = byId.value.get(id)
  const current = line && stateAt(line, now.value)
  if (!line || !current) return null
  return (
    <a class="reply-task" href={to('tasks', id)}>
      <StatePill state={current.state} word={current.word} />
      <OwnLine line={line} now={now.value} />
      <span>Open the task</span>
    </a>
  )
}
