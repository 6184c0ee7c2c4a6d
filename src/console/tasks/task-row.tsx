import type { TaskLine } from '../../kits/views.ts'
import { shortId, span } from '../parts/format.ts'
import { StatePill } from '../parts/state-pill.tsx'
import { to } from '../store/address.ts'
import { now } from '../store/clock.ts'
import { publishedName } from '../store/models.ts'
import { stateAt } from '../store/tasks.ts'
import { Bar } from './bar.tsx'
import { Poster } from './poster.tsx'
import { timeWindow } from './time-window.ts'

/** One task: its prompt and id, its bar, and its state. */
export function TaskRow({ task }: { task: TaskLine }) {
  const at = now.value
  const current = stateAt(task, at)
  const isRemoved = task.deleted_at_ms !== null && task.deleted_at_ms <= at
  return (
    <a class={`task-row${isRemoved ? ' removed' : ''}`} href={to('tasks', task.id)} data-task={task.id}>
      <span class="task-name">
        <Poster key={current?.state} id={task.id} state={current?.state} />
        <span class="task-words">
          <span class="tag">{task.kind}</span>
          <span class="cut">{task.prompt === '' ? <span class="quiet">no prompt</span> : task.prompt}</span>
        </span>
        <span class="task-under small quiet">
          <span class="mono" title={task.id}>
            {shortId(task.id)}
          </span>
          <span class="cut" title={task.model}>
            {publishedName(task.model) ?? task.model}
            {task.account !== 'default' && ` · ${task.account}`}
          </span>
        </span>
      </span>
      <span class="track" aria-hidden="true">
        <Bar states={task.states} linksEnd={task.links_end_ms} window={timeWindow.value} now={at} />
      </span>
      <span class="task-state">
        {current && <StatePill state={current.state} word={current.word} isGone={isRemoved} />}
        <span class="small quiet">{isRemoved ? 'record gone' : remark(task, at)}</span>
      </span>
    </a>
  )
}

/** The next state, or how long the task took. */
function remark({ states, rule, links_end_ms: linksEnd }: TaskLine, at: number): string {
  const next = states.find(({ at_ms }) => at_ms > at)
  if (next) return `→ ${next.word} in ${span(next.at_ms - at)}`
  const [first, last] = [states[0], states.at(-1)]
  if (!first || !last) return ''
  if (linksEnd !== undefined && linksEnd <= at) return 'links expired'
  if (states.length < 3 && rule !== undefined && last.state !== 'succeeded' && last === first)
    return 'does not change'
  return last.at_ms === first.at_ms ? 'at once' : `after ${span(last.at_ms - first.at_ms)}`
}
