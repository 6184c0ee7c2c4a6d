import type { TraceEvent } from '../../../kits/views.ts'
import { familyOf } from '../../families/index.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { entriesAt } from '../../tasks/ledger.ts'
import { type Change, changesOf } from '../../tasks/lifecycle.ts'
import { byHandIn, isMove } from '../../worlds/by-hand.ts'
import { iso } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { byHandText } from './by-hand.ts'
import { rounded } from './calls.ts'
import { linksOf, wordOf } from './tasks.ts'

/** What happened to these tasks and through the control API up to now, in order. */
export function eventsOf(
  world: World,
  tasks: readonly Task[],
  { options }: Pick<Services, 'options'>,
): TraceEvent[] {
  const now = nowIn(world)
  const acting = world.journal.entries().filter(({ method, status }) => method !== 'GET' && status < 400)
  const order = (event: Placed) => Date.parse(event.at)
  const events: Placed[] = [
    ...tasks.flatMap(task => [
      ...stateEvents(acting, task, now),
      ...moneyEvents(acting, task, now),
      ...linkEvents(world, task, { options, now }),
    ]),
    ...handEvents(world, tasks),
  ]
  return events
    .filter(event => order(event) <= now)
    .sort((a, b) => order(a) - order(b) || (a.place ?? -1) - (b.place ?? -1))
    .map(({ place: _, ...event }) => event)
}

/**
 * An event and its place among the requests of the same moment: the number of the journal entry before it. Without a place, it came
 * before all of them.
 */
type Placed = TraceEvent & { place?: number | undefined }

function stateEvents(acting: readonly Entry[], task: Task, now: number): TraceEvent[] {
  const made: TraceEvent = {
    at: iso(task.createdAt),
    kind: 'state',
    text: `${familyOf(task.family).words(task).queued ?? 'made'}`,
    task_id: task.id,
    request_id: task.requestId,
  }
  const changes = changesOf(task)
    .filter(({ at }) => at <= now)
    .map(change => {
      const word = wordOf(task, change)
      const text = { gone: 'its record is gone: polls no longer find it', deleted: 'its record was removed' }
      return {
        at: iso(change.at),
        kind: 'state' as const,
        text: Object.hasOwn(text, word) ? text[word as keyof typeof text] : word,
        task_id: task.id,
        ...causedBy(callOf(acting, task, change)),
      }
    })
  return [made, ...changes]
}

function moneyEvents(acting: readonly Entry[], task: Task, now: number): TraceEvent[] {
  return entriesAt(task, now).map(({ at, kind, amount, released }) => ({
    at: iso(at),
    kind: 'money',
    text: `${kind} ${amount} credits${released ? `, ${released} released` : ''}`,
    task_id: task.id,
    ...causedBy(kind === 'reserved' ? task.requestId : callOf(acting, task, { at, to: 'cancelled' })),
  }))
}

/** The call that cancelled a task or removed its record; undefined for a change that no call made. Several of one moment are in order. */
function callOf(
  acting: readonly Entry[],
  { id, facts }: Task,
  { at, to }: Pick<Change, 'at' | 'to'>,
): string | undefined {
  const made = facts.filter(fact => fact.at === at && (fact.kind === 'cancelled' || fact.kind === 'deleted'))
  const place = made.findIndex(({ kind }) => kind === to)
  if (place < 0) return undefined
  const calls = acting.filter(entry => entry.at === at && entry.taskIds?.includes(id))
  return calls.at(place - made.length)?.requestId
}

function causedBy(requestId: string | undefined): Pick<TraceEvent, 'request_id'> {
  return requestId === undefined ? {} : { request_id: requestId }
}

/** The opening and the end of the links of a task. They all have one life. */
function linkEvents(
  world: World,
  task: Task,
  { options, now }: Pick<Services, 'options'> & { now: number },
): TraceEvent[] {
  const links = linksOf(world, task, options)
  const [link] = links
  if (!link || Date.parse(link.opens_at) > now) return []
  const names = links.map(({ output }) => output).join(', ')
  const opened = links.reduce((sum, { downloads }) => sum + downloads, 0)
  const use = opened === 0 ? 'never opened' : `opened ${opened} ${opened === 1 ? 'time' : 'times'}`
  return [
    { at: link.opens_at, kind: 'links_open', text: `links open: ${names}`, task_id: task.id },
    {
      at: link.expires_at,
      kind: 'links_end',
      text: `links end${link.ended_by_hand ? ', by hand' : ''}: ${names}, ${use}`,
      task_id: task.id,
    },
  ]
}

/** What was done through the control API. What was done to a task is left out unless it is one of these tasks. */
function handEvents(world: World, tasks: readonly Task[]): Placed[] {
  const shown = new Set(tasks.map(({ id }) => id))
  return byHandIn(world)
    .map(call => ({ call, task: call.call.startsWith('POST /tasks/') ? call.params.id : undefined }))
    .filter(({ task }) => task === undefined || shown.has(task))
    .map(({ call, task }) => ({
      at: iso(call.at),
      wall_ms: rounded(call.ms),
      place: call.after,
      kind: `by_${call.by}` as const,
      text: byHandText(call),
      ...(task !== undefined && { task_id: task }),
      action: {
        call: call.call,
        body: call.body ?? null,
        ...(Object.keys(call.params).length > 0 && { params: call.params }),
        after: call.after,
        moved_ms: call.at - call.from,
        ...(call.by === 'program' && isMove(call) && { slept: true as const }),
      },
    }))
}
