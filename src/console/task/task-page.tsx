import './task.css'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import {
  type List,
  nextText,
  type RequestView,
  type TaskLine,
  type Story as TaskStory,
  type TaskView,
} from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { alignedCredits, day, fromNow, preciseTime, span } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { type Fetched, useFetched } from '../parts/use-fetched.ts'
import { Ignored, StatusPill } from '../requests/status-pill.tsx'
import { keyOf } from '../store/accounts.ts'
import { to } from '../store/address.ts'
import { callPublic, control, written } from '../store/api.ts'
import { now } from '../store/clock.ts'
import { changes } from '../store/live.ts'
import { report } from '../store/notices.ts'
import { operationNamed } from '../store/operations.ts'
import { entries as journal } from '../store/requests.ts'
import { activeScenarios, injections } from '../store/status.ts'
import { byId, stateAt } from '../store/tasks.ts'
import { useTitle } from '../store/title.ts'
import { OwnLine } from '../tasks/bar.tsx'
import { toTasks } from '../tasks/filters.ts'
import { Actions } from './actions.tsx'
import { Coming, Media } from './media.tsx'

/** All facts about one task. */
export function TaskPage({ id }: { id: string }) {
  const line = byId.value.get(id)
  const current = line && stateAt(line, now.value)
  useTitle(line && current && `${current.word}: ${line.prompt === '' ? id : line.prompt}`)
  // Rules that wait say what the next download gets.
  const rules = JSON.stringify([injections.value, activeScenarios.value])
  const causes = [id, changes.value, current?.at_ms, line, written.value, rules]
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
          <h1 class="task-title" dir="auto">
            {line.prompt === '' ? 'A task without a prompt' : line.prompt}
          </h1>
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
          <Coming task={task} />
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

function Charges({ task: { charges } }: { task: TaskView }) {
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
function Life({ line }: { line: TaskLine }) {
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
            <time class="mono">
              {day(linksEnd) !== day(now.value) && `${day(linksEnd)} `}
              {preciseTime(linksEnd)}
            </time>{' '}
            <span class="small quiet">{fromNow(linksEnd, now.value)}</span>
          </li>
        )}
      </ol>
    </div>
  )
}

type StoryItem = TaskStory['items'][number]

const tones: Readonly<Record<string, string>> = {
  transition: 'tone-running',
  charge: 'tone-queued',
  rule: 'tone-expired',
  links: 'tone-expired',
  finding: 'tone-failed',
  removed: 'tone-cancelled',
  download: 'tone-succeeded',
}

/** What happened, in order. What comes next stands above. */
function Story({ items, entries }: { items: readonly StoryItem[]; entries: readonly RequestView[] }) {
  return (
    <ol class="story">
      {items
        .filter(({ kind }) => kind !== 'next')
        .map(({ at, kind, text, request_ids = [] }, i) => {
          // The journal does not know the task of a refused poll.
          const isOf = ({ request_id }: RequestView) => request_ids.includes(request_id)
          const request = entries.findLast(isOf) ?? journal.value.find(isOf)
          const isBad = request !== undefined && (request.broken !== undefined || request.status >= 400)
          return (
            <li key={i} class={isBad ? 'tone-failed' : (tones[kind] ?? '')}>
              <time class="mono quiet" dateTime={at}>
                {preciseTime(Date.parse(at))}
              </time>
              <span class="story-kind">{kind}</span>
              <span class="story-text">
                {withArrows(text)}{' '}
                {request && (
                  <a
                    class="small"
                    href={to('requests', String(request.id))}
                    aria-label={`Open request ${request.id}`}
                  >
                    #{request.id}
                  </a>
                )}
              </span>
            </li>
          )
        })}
    </ol>
  )
}

/** The text with its arrows drawn, since some fonts have none; what is copied or read aloud has the character. */
function withArrows(text: string) {
  return text.split('->').map((part, i) => (
    <Fragment key={i}>
      {i > 0 && (
        <>
          <span class="unseen">→</span>
          <Icon name="arrow" />
        </>
      )}
      {part}
    </Fragment>
  ))
}

/** The replies about the task that clients got: the first and the latest. */
function Replies({ task, entries }: { task: TaskView; entries: readonly RequestView[] }) {
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
