import './task.css'
import { type List, nextText, type RequestView, type TaskLine, type TaskView } from '../../kits/views.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { alignedCredits, fromNow, preciseTime, span } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { type Fetched, useFetched } from '../parts/use-fetched.ts'
import { Ignored } from '../requests/status-pill.tsx'
import { control } from '../store/api.ts'
import { now } from '../store/clock.ts'
import { changes } from '../store/live.ts'
import { byId, stateAt } from '../store/tasks.ts'
import { useTitle } from '../store/title.ts'
import { OwnLine } from '../tasks/bar.tsx'
import { toTasks } from '../tasks/filters.ts'
import { Actions } from './actions.tsx'
import { Media } from './media.tsx'
import { Replies } from './replies.tsx'
import { Story, type StoryItem } from './story.tsx'

/** All facts about one task. */
export function TaskPage({ id }: { id: string }) {
  const line = byId.value.get(id)
  const current = line && stateAt(line, now.value)
  useTitle(line && current && `${current.word}: ${line.prompt === '' ? id : line.prompt}`)
  const causes = [id, changes.value, current?.at_ms, line]
  const path = `/tasks/${encodeURIComponent(id)}`
  const { value: task, fault, isMissing } = useFetched(() => control<TaskView>('GET', path), causes)
  const story = useFetched(() => control<List<StoryItem>>('GET', `${path}/story`), causes)
  const asked = useFetched(
    () => control<List<RequestView>>('GET', `/requests?task=${encodeURIComponent(id)}&limit=200`),
    causes,
  )
  if (!task || !line || !current)
    return (
      <>
        <h1 class="unseen">Task</h1>
        <Empty title={titleWithout({ fault, isMissing })}>
          {isMissing && <p>It may belong to another world, or the world was reset.</p>}
          {fault !== undefined && !isMissing && <p>{fault}</p>}
          <a class="button" href={toTasks()}>
            All tasks
          </a>
        </Empty>
      </>
    )
  return (
    <div class="page task">
      <header class="task-head">
        <a class="button plain icon" href={toTasks()} aria-label="All tasks" title="All tasks">
          <Icon name="back" />
        </a>
        <div class="grow">
          <h1 class="task-title">{line.prompt === '' ? 'A task without a prompt' : line.prompt}</h1>
          <div class="row small quiet">
            <span class="tag">{task.kind}</span>
            <span class="mono">{task.id}</span>
            <CopyButton text={task.id} label="Copy the id" />
            <span>{task.model}</span>
            <span>account {task.account}</span>
            {task.deleted_at && <span class="pill tone-cancelled">record gone</span>}
          </div>
        </div>
        <StatePill state={current.state} word={current.word} isGone={task.deleted_at !== undefined} />
      </header>
      <Actions task={task} line={line} state={current.state} />
      <Life line={line} />
      <Next story={story} />
      <div class="columns task-columns">
        <section class="panel" aria-label="Result">
          <Media task={task} line={line} />
        </section>
        <section class="panel" aria-label="What is known">
          <Tabs
            label="What is known"
            tabs={[
              {
                name: 'Story',
                content: () => <Story items={story.value?.items ?? []} entries={asked.value?.items ?? []} />,
              },
              {
                name: 'Request',
                content: () => (
                  <>
                    <Ignored fields={task.unread} />
                    <Json value={task.request} label="The request" />
                  </>
                ),
              },
              { name: 'Replies', content: () => <Replies task={task} entries={asked.value?.items ?? []} /> },
              { name: 'Charges', content: () => <Charges task={task} /> },
              { name: 'All', content: () => <Json value={task} label="Everything about the task" /> },
            ]}
          />
        </section>
      </div>
    </div>
  )
}

function titleWithout({ fault, isMissing }: Pick<Fetched<unknown>, 'fault' | 'isMissing'>): string {
  if (isMissing) return 'This task is not in this world'
  return fault === undefined ? 'Reading the task …' : 'The task cannot be read now'
}

function Next({ story }: { story: Fetched<List<StoryItem>> }) {
  const item = story.value?.items.findLast(({ kind }) => kind === 'next')
  if (!item?.next) return null
  // After a change, until the story is read again, its own text stands.
  const isPast = item.next.changes.length > 0 && item.next.changes.every(({ at_ms }) => at_ms <= now.value)
  return (
    <p class="task-next">
      <strong>What comes next</strong> {isPast ? item.text : nextText(item.next, now.value, span)}
    </p>
  )
}

export function Charges({ task: { charges } }: { task: TaskView }) {
  if (charges.length === 0) return <p class="quiet json">This task costs nothing.</p>
  const amounts = charges.flatMap(({ amount, released = 0 }) => [amount, released])
  const credits = (amount: number | undefined) =>
    amount === undefined ? '–' : alignedCredits(amount, amounts)
  return (
    <Table
      label="Charges"
      rows={charges}
      keyOf={({ at, kind }) => `${at}${kind}`}
      columns={[
        { name: 'Time', cell: ({ at }) => <span class="mono">{preciseTime(Date.parse(at))}</span> },
        { name: 'What', cell: ({ kind }) => kind },
        { name: 'Credits', isNumber: true, cell: ({ amount }) => credits(amount) },
        { name: 'Given back', isNumber: true, cell: ({ released }) => credits(released) },
      ]}
    />
  )
}

/** The task's own time line, with the moment of each change. */
export function Life({ line }: { line: TaskLine }) {
  // A synchronous call makes a task that is finished at once: it was never queued.
  const states = line.states.filter(({ at_ms }, i) => line.states[i + 1]?.at_ms !== at_ms)
  const { links_end_ms: linksEnd } = line
  return (
    <div class="life panel">
      <OwnLine line={line} now={now.value} />
      <ol class="life-steps">
        {states.map(({ at_ms, word, state }, i) => {
          const before = states[i - 1]
          return (
            <li key={at_ms} class={`tone-${state}${at_ms > now.value ? ' quiet' : ''}`}>
              <span class="dot" />
              <strong>{word}</strong> <time class="mono">{preciseTime(at_ms)}</time>
              {before && <span class="small quiet"> +{span(at_ms - before.at_ms)}</span>}
            </li>
          )
        })}
        {linksEnd !== undefined && (
          <li class={`tone-expired${linksEnd > now.value ? ' quiet' : ''}`}>
            <span class="dot" />
            <strong>{linksEnd > now.value ? 'links end' : 'links ended'}</strong>{' '}
            <time class="mono">{preciseTime(linksEnd)}</time>{' '}
            <span class="small quiet">{fromNow(linksEnd, now.value)}</span>
          </li>
        )}
      </ol>
    </div>
  )
}
