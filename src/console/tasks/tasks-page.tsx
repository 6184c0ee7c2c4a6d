import './tasks.css'
import { useEffect, useRef } from 'preact/hooks'
import type { Status } from '../../emulator/words.ts'
import { refusalText, type TaskLine } from '../../kits/views.ts'
import { snippets } from '../connect/snippets.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Reading } from '../parts/empty.tsx'
import { SearchField, Select } from '../parts/fields.tsx'
import { counted, shortId, span } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { StatePill, stateIcons, states } from '../parts/state-pill.tsx'
import { useWidth, VirtualList } from '../parts/virtual-list.tsx'
import { keyOf } from '../store/accounts.ts'
import { cameFrom, to } from '../store/address.ts'
import { now } from '../store/clock.ts'
import { publishedName, publishedOf } from '../store/models.ts'
import { familyTitle } from '../store/operations.ts'
import { refusedCreates } from '../store/requests.ts'
import { areTasksRead, stateAt, tasks } from '../store/tasks.ts'
import { Axis, TimeGrid, tickPx } from './axis.tsx'
import { Bar } from './bar.tsx'
import { Choose, ChosenActions, chosen } from './chosen.tsx'
import { counts, families, filters, isNarrowed, narrow, owners, refused, showAll, shown } from './filters.ts'
import { turnWheel, useWheel } from './ghost.ts'
import { followFocus, followPointer, HoverCard, hideCard } from './hover-card.tsx'
import { Poster } from './poster.tsx'
import { fitTo, pan, setZoom, timeWindow, zoom, zoomSteps } from './time-window.ts'

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
      class={`page-full tasks${chosen.value.length > 0 ? ' choosing' : ''}`}
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
              row={task => (
                <>
                  <Choose task={task} />
                  <TaskRow task={task} />
                </>
              )}
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

/** One task: its prompt and id, its bar, and its state. */
function TaskRow({ task }: { task: TaskLine }) {
  const at = now.value
  const current = stateAt(task, at)
  const isRemoved = task.deleted_at_ms !== null && task.deleted_at_ms <= at
  return (
    <a class={`task-row${isRemoved ? ' removed' : ''}`} href={to('tasks', task.id)} data-task={task.id}>
      <span class="task-name">
        <Poster key={current?.state} task={task} state={current?.state} />
        <span class="task-words">
          <span class="tag">{task.kind}</span>
          <span class="cut" dir="auto">
            {task.prompt === '' ? <span class="quiet">no prompt</span> : task.prompt}
          </span>
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
function remark({ states, rule, links_end_ms: linksEnd, media_fault }: TaskLine, at: number): string {
  const next = states.find(({ at_ms }) => at_ms > at)
  if (next) return `→ ${next.word} in ${span(next.at_ms - at)}`
  const [first, last] = [states[0], states.at(-1)]
  if (!first || !last) return ''
  if (linksEnd !== undefined && linksEnd <= at) return 'links expired'
  if (media_fault && last.state === 'succeeded') return 'broken file'
  if (states.length < 3 && rule !== undefined && last.state !== 'succeeded' && last === first)
    return 'does not change'
  return last.at_ms === first.at_ms ? 'at once' : `after ${span(last.at_ms - first.at_ms)}`
}

/** The search, the filters or what can be done with the chosen tasks, and how much time is shown. */
function Toolbar() {
  return (
    <div class="page-head toolbar">
      <SearchField
        label="Search tasks"
        placeholder="Prompt, id or model"
        value={filters.value.search}
        search={words => narrow({ search: words })}
      />
      {chosen.value.length > 0 ? <ChosenActions /> : <Filters />}
      <Zoom />
    </div>
  )
}

function Filters() {
  const { family, account, state } = filters.value
  return (
    <>
      <div class="row" role="group" aria-label="State">
        {states.filter(isOffered).map(name => (
          <button
            key={name}
            type="button"
            class={`pill chip tone-${name}`}
            aria-pressed={state === name}
            onClick={() => narrow({ state: state === name ? '' : name })}
          >
            <Icon name={stateIcons[name]} />
            {name} {(counts.value[name] ?? 0).toLocaleString('en')}
          </button>
        ))}
        <RefusedChip />
      </div>
      <Select
        label="Family"
        look="choice"
        value={family}
        options={[['', 'All families'], ...families.value.map(id => [id, familyText(id)] as const)]}
        choose={value => narrow({ family: value })}
      />
      {owners.value.length > 1 && (
        <Select
          label="Account"
          look="choice"
          value={account}
          options={[['', 'All accounts'], ...owners.value]}
          choose={value => narrow({ account: value })}
        />
      )}
    </>
  )
}

/** Creates that were refused made no task, so only this chip tells of them here. */
function RefusedChip() {
  const [newest] = refused.value
  if (!newest) return null
  const { search: q } = filters.value
  return (
    <a
      class="pill chip tone-failed"
      href={to('requests', undefined, { kind: 'refused', ...(q !== '' && { q }) })}
      title={`${counted(refused.value.length, 'create')} refused, the newest: ${refusalText(newest)}`}
    >
      <Icon name="cross" />
      refused {refused.value.length.toLocaleString('en')}
    </a>
  )
}

/** `Family A: … (doubao-seedance-2-5)`: the published names are better known than the letters. */
function familyText(id: string): string {
  const names = publishedOf(id).join(', ')
  const title = familyTitle(id)
  return names === '' ? title : `${title} (${names})`
}

/** A state without tasks is not offered, unless it is chosen. */
function isOffered(name: Status): boolean {
  return (counts.value[name] ?? 0) > 0 || filters.value.state === name
}

function Zoom() {
  if (tasks.value.length === 0) return null
  const known = zoom.value === 'fit' || zoomSteps.some(({ ms }) => ms === zoom.value)
  return (
    <div class="row zoom" role="group" aria-label="Time shown">
      <Button look="plain" icon="back" label="Earlier" act={() => pan(-0.5)} />
      <Select
        label="Time shown"
        look="choice"
        value={String(known ? zoom.value : 'other')}
        options={[
          ['fit', 'Fit'],
          ...zoomSteps.map(({ ms, label }) => [String(ms), label] as const),
          ...(known ? [] : [['other', 'Moved'] as const]),
        ]}
        choose={value => setZoom(value === 'fit' ? 'fit' : Number(value))}
      />
      <Button look="plain" icon="forward" label="Later" act={() => pan(0.5)} />
    </div>
  )
}
