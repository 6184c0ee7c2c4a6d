import { Button } from '../parts/button.tsx'
import './tasks.css'
import { useEffect, useRef } from 'preact/hooks'
import { snippets } from '../connect/snippets.ts'
import { Empty, Reading } from '../parts/empty.tsx'
import { counted } from '../parts/format.ts'
import { Json } from '../parts/json.tsx'
import { useWidth, VirtualList } from '../parts/virtual-list.tsx'
import { refusalText } from '../requests/why.ts'
import { keyOf } from '../store/accounts.ts'
import { cameFrom, to } from '../store/address.ts'
import { refusedCreates } from '../store/requests.ts'
import { areTasksRead, tasks } from '../store/tasks.ts'
import { Axis, TimeGrid, tickPx } from './axis.tsx'
import { isNarrowed, showAll, shown } from './filters.ts'
import { turnWheel, useWheel } from './ghost.ts'
import { followFocus, followPointer, HoverCard, hideCard } from './hover-card.tsx'
import { TaskRow } from './task-row.tsx'
import { fitTo } from './time-window.ts'
import { Toolbar } from './toolbar.tsx'

const rowHeights = { wide: 40, narrow: 68 }
/** Below this width in px, a bar is under its name and not beside it. */
const narrowBelow = 760

/** Every task a bar in virtual time. */
export function TasksPage() {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 1280)
  const isNarrow = width < narrowBelow
  // As wide as the stylesheet makes names and states.
  const besidePx = Math.min(520, Math.max(250, width * 0.32)) + 152
  const tickCount = Math.floor((isNarrow ? width : width - besidePx) / tickPx)
  useEffect(() => hideCard, [])
  // With Ctrl or Alt the wheel zooms over the bars too; without, it scrolls the list.
  useWheel(box, event => {
    const track = (event.target as Element).closest('.task-row .track')
    if (track && (event.ctrlKey || event.altKey)) turnWheel(event, track)
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows the pointer and the focus of what is in it.
    <div
      class="page-full tasks"
      ref={box}
      onPointerMove={followPointer}
      onPointerLeave={hideCard}
      onFocusIn={followFocus}
      onKeyDown={hideCard}
    >
      <h1 class="unseen">Tasks</h1>
      <Toolbar />
      {shown.value.length > 0 ? (
        <>
          <Axis tickCount={tickCount} />
          <div class="bars">
            <TimeGrid tickCount={tickCount} />
            <VirtualList
              items={shown.value}
              label={`${counted(shown.value.length, 'task')}, newest first`}
              rowHeight={isNarrow ? rowHeights.narrow : rowHeights.wide}
              keyOf={task => task.id}
              row={task => <TaskRow task={task} />}
              place="tasks"
              cameFrom={cameFrom('tasks')}
              onSeen={fitTo}
            />
          </div>
        </>
      ) : (
        <Nothing />
      )}
      <HoverCard />
    </div>
  )
}

function Nothing() {
  if (!areTasksRead.value) return <Reading what="tasks" />
  if (tasks.value.length > 0)
    return (
      <Empty title="No task matches">
        <p>
          None of the {counted(tasks.value.length, 'task')} in this world matches the search and the filters.
        </p>
        {isNarrowed.value && <Button act={showAll}>Show all tasks</Button>}
      </Empty>
    )
  const example = snippets[0]?.text({ url: location.origin, key: keyOf('default') }) ?? ''
  return (
    <Empty title="No tasks yet">
      <Refused />
      <p>
        Send a create to this world. Its task appears here as a bar, with its states so far and the states to
        come.
      </p>
      <a class="button primary" href={to('playground')}>
        Make one in the playground
      </a>
      <p>or from a terminal:</p>
      <div class="card">
        <Json value={example} label="the command" />
      </div>
    </Empty>
  )
}

const mostRefused = 3

/** Creates that were refused, newest first: the reason why there is no task. */
function Refused() {
  const { value } = refusedCreates
  if (value.length === 0) return null
  return (
    <div class="refused-creates tone-failed" role="status">
      <strong>
        {counted(value.length, 'create')} {value.length === 1 ? 'was' : 'were'} refused
      </strong>
      <ul>
        {value.slice(0, mostRefused).map(entry => (
          <li key={entry.id}>
            <a href={to('requests', String(entry.id))}>
              {entry.status} {entry.operation}
            </a>{' '}
            {refusalText(entry)}
          </li>
        ))}
      </ul>
    </div>
  )
}
