import { nextText, type Story, type StoryNext } from '../../../kits/views.ts'
import { familyOf } from '../../families/index.ts'
import { linksEnd } from '../../families/result-link.ts'
import { maskedJson } from '../../http/secrets.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { downloadOperation } from '../../scenarios/operations.ts'
import { changesOf, viewAt } from '../../tasks/lifecycle.ts'
import { dayMarked, formatDuration, iso } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { listed } from '../control-endpoint.ts'
import { findingsIn } from '../findings/findings.ts'
import { countedFindings } from '../findings/found.ts'
import { hasReadLink } from '../findings/money-lint.ts'
import { droppedEntries } from '../journal/select-entries.ts'
import { taskHead } from '../tasks/task-view.ts'
import { openIn } from '../trace/calls.ts'
import { wordOf } from '../trace/tasks.ts'
import {
  beforeAll,
  changeItems,
  chargeItems,
  creationItems,
  linkItems,
  requestItems,
  type StoryItem,
} from './story-items.ts'

/** What a story depends on besides its world. `wallMs`: now, on this process's monotonic clock. */
type StoryNow = Pick<Services, 'options'> & { wallMs: number }

/** The story of a task as the control API gives it: its items, and the same as text, one line an item. */
export function storyReply(world: World, task: Task, now: StoryNow) {
  const items = maskedJson(storyOf(world, task, now))
  return listed(items.map(itemView), {
    task_id: task.id,
    text: dayMarked(items.map(item => ({ at: iso(item.at), text: lineOf(item) }))).join('\n'),
    incomplete: droppedEntries(world, task.createdAt),
  })
}

function itemView({ at, place: _, ...rest }: StoryItem): Story['items'][number] {
  return { at: iso(at), at_ms: at, ...rest }
}

/** One line of the story: kind, text, and the trace id that leads to the client's trace. */
function lineOf({ kind, text, trace_ids: traces = [] }: StoryItem): string {
  const trace = traces.length > 1 ? ` [${traces.length} traces]` : traces.map(id => ` [trace ${id}]`).join('')
  return `${kind.padEnd(10)}  ${text}${trace}`
}

/** At least this many equal polls in a row become one line. */
const manyAlike = 3

/** All events of a task, in order, and what comes next and why. It is written for a person after a failed test. */
function storyOf(world: World, task: Task, { options, wallMs }: StoryNow): StoryItem[] {
  const now = nowIn(world)
  const entries = world.journal.entries().filter(entry => isAbout(entry, task))
  const create = entries.find(({ requestId }) => requestId === task.requestId)
  const asked = entries.filter(entry => entry !== create)
  const items = [
    ...creationItems(task, create),
    ...chargeItems(task, now),
    ...changeItems(task, now),
    ...linkItems(task, { now, end: linksEnd(familyOf(task.family), task, options) }),
    ...requestItems(task, asked),
    ...findingItems(world, task, { entries, options }),
    ...gapItems(world, task),
  ]
  // A stable sort: items with the same moment and place keep their order.
  items.sort((a, b) => a.at - b.at || a.place - b.place)
  return [...collapsed(items), ...openItems(world, task, wallMs), nextItem(world, task, { entries, options })]
}

/** Includes requests that were refused before their handler found the task, such as requests of other accounts. */
function isAbout(entry: Entry, task: Task): boolean {
  if (entry.requestId === task.requestId || entry.taskIds?.includes(task.id)) return true
  return entry.url.includes(task.id) || entry.url.includes(encodeURIComponent(task.id))
}

/** Requests about the task that have no complete reply yet. */
function openItems(world: World, task: Task, wallMs: number): StoryItem[] {
  return openIn(world, wallMs)
    .filter(({ task_id }) => task_id === task.id)
    .map(({ request_id, method, operation, path, at, for_ms, text }) => {
      const file = /([^/?]+)(?:\?|$)/.exec(path)?.[1]
      const what = operation === downloadOperation ? `download of ${file}` : `${method} ${operation}`
      return {
        at: Date.parse(at),
        place: Number.POSITIVE_INFINITY,
        kind: 'open',
        text: `${what}, open for ${(for_ms / 1000).toFixed(1)} s: ${text}`,
        request_ids: [request_id],
      }
    })
}

/** Adds a note where requests are missing, after the last missing one. */
function gapItems(world: World, task: Task): StoryItem[] {
  const incomplete = droppedEntries(world, task.createdAt)
  const { dropped } = world.journal
  if (!incomplete || !dropped) return []
  return [
    {
      at: dropped.at,
      place: dropped.lastId,
      kind: 'note',
      text: `requests before this may be missing: ${incomplete}`,
    },
  ]
}

function findingItems(
  world: World,
  task: Task,
  { entries, options }: { entries: readonly Entry[] } & Pick<Services, 'options'>,
): StoryItem[] {
  const own = new Map(entries.map(entry => [entry.requestId, entry]))
  // When one request made two tasks, each has its own story.
  const founds = findingsIn(world, { options })
    .filter(({ kind }) => kind !== 'created_again_while_running')
    .filter(({ task_id, request_ids }) =>
      task_id === undefined ? request_ids.some(id => own.has(id)) : task_id === task.id,
    )
  return countedFindings(founds).map(({ kind, text, request_ids, at, entryId }) => {
    const isBirth = entryId !== undefined && entryId === own.get(task.requestId)?.id
    const place = isBirth ? -2 : entryId === undefined ? beforeAll + 0.2 : entryId + 0.2
    return { at, place, kind: 'finding', text: `${kind}: ${text}`, request_ids }
  })
}

function collapsed(items: readonly StoryItem[]): StoryItem[] {
  const runs: StoryItem[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run?.[0] && item.kind === 'request' && run[0].kind === 'request' && run[0].text === item.text)
      run.push(item)
    else runs.push([item])
  }
  return runs.flatMap(run => (run.length < manyAlike ? run : asOne(run)))
}

function asOne(run: readonly StoryItem[]): StoryItem[] {
  const [first] = run
  const last = run.at(-1)
  if (!first || !last) return []
  const traces = new Set(run.flatMap(({ trace_ids }) => trace_ids ?? []))
  const until = last.at > first.at ? ` within ${formatDuration(last.at - first.at)}` : ''
  return [
    {
      ...first,
      text: `${first.text}, ${run.length} times${until}`,
      count: run.length,
      request_ids: run.flatMap(({ request_ids }) => request_ids ?? []),
      ...(traces.size > 0 && { trace_ids: [...traces] }),
    },
  ]
}

/** The next changes, and their reason. */
function nextItem(
  world: World,
  task: Task,
  { entries, options }: { entries: readonly Entry[] } & Pick<Services, 'options'>,
): StoryItem {
  const now = nowIn(world)
  const view = viewAt(task, now)
  const changes = changesOf(task).flatMap(change =>
    change.at > now ? { at_ms: change.at, status: wordOf(task, change) } : [],
  )
  const isExpired = task.media?.kind === 'link_expired'
  const end = isExpired ? view.since : linksEnd(familyOf(task.family), task, options)
  const next: StoryNext = {
    status: taskHead(task, view).status,
    state: view.deletedAt === undefined ? view.status : 'deleted',
    changes,
    reason: `${reason(task)}${changes.length > 0 ? clockHint(world) : ''}`,
    ...(view.status === 'succeeded' &&
      end !== undefined && { links: { end_ms: end, read: hasReadLink(task, entries) } }),
  }
  return {
    at: changes[0]?.at_ms ?? now,
    place: Number.POSITIVE_INFINITY,
    kind: 'next',
    text: nextText(next, now, formatDuration),
    next,
  }
}

function reason({ rule }: Task): string {
  return rule ? `as ${rule} decided when it was made` : "as drawn from the world's seed when it was made"
}

function clockHint(world: World): string {
  switch (world.state.head.clock.mode) {
    case 'manual':
      return '; the clock is manual and moves only when it is advanced'
    case 'auto':
      return '; the clock is auto and skips there when a poll sees nothing new'
    case 'realtime':
      return ''
  }
}
