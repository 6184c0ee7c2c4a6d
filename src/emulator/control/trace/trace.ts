import type { Trace, TraceAttempt, TraceCall, TraceEvent, TraceFilter } from '../../../kits/views.ts'
import { familyOf, familyRoutes } from '../../families/index.ts'
import { headerOf } from '../../http/headers.ts'
import { maskSecrets } from '../../http/secrets.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { downloadOperation } from '../../scenarios/operations.ts'
import { entriesAt } from '../../tasks/ledger.ts'
import { type Change, changesOf } from '../../tasks/lifecycle.ts'
import { byHandIn, isMove } from '../../worlds/by-hand.ts'
import { iso } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { noSuchTask } from '../control-error.ts'
import { findingsIn } from '../findings/findings.ts'
import { findingViews } from '../findings/found.ts'
import { traceOf } from '../journal/entry-view.ts'
import { droppedEntries, startOf, traceIn } from '../journal/select-entries.ts'
import { skippedMs } from '../journal/skipped-time.ts'
import { byHandText } from './by-hand.ts'
import { callOf, openIn, rounded } from './calls.ts'
import { linksOf, traceTask, wordOf } from './tasks.ts'

/**
 * The run of a world's clients, whole or in part. It follows from the journal, the tasks, what was done by hand and the open
 * requests. `wallMs`: now, on this process's monotonic clock. Throws 400 for a filter that is not possible, and
 * 404 for a task of which neither the tasks nor the journal know.
 */
export function traceDocument(
  world: World,
  { since, task, trace_id }: TraceFilter,
  { services, wallMs }: { services: Pick<Services, 'options' | 'worlds'>; wallMs: number },
): Trace {
  const isLater = since === undefined ? undefined : startOf(String(since))
  const traceId = trace_id === undefined ? undefined : traceIn(trace_id, 'trace_id')
  const isMeant = (entry: Entry) =>
    (isLater?.(entry) ?? true) && (traceId === undefined || traceOf(entry) === traceId)
  const made = world.journal
    .entries()
    .filter(isMeant)
    .map(entry => ({ entry, call: callOf(world, entry) }))
  const attempts = attemptsOf(world, made).filter(
    ({ task_id, calls }) =>
      task === undefined || task_id === task || calls.some(({ task_ids }) => task_ids?.includes(task)),
  )
  const shown = new Set(attempts.flatMap(({ calls }) => calls.map(({ request_id }) => request_id)))
  const isWhole = since === undefined && task === undefined && traceId === undefined
  const about = new Set(made.flatMap(({ entry }) => [...(entry.taskIds ?? []), taskOf(entry) ?? '']))
  const from = since === undefined ? Number.POSITIVE_INFINITY : (made[0]?.entry.at ?? nowIn(world))
  const tasks = [...world.state.tasks.values()].filter(
    one =>
      isWhole ||
      (task === undefined
        ? about.has(one.id) || (traceId === undefined && changesSince(one, from, nowIn(world)))
        : one.id === task),
  )
  if (task !== undefined && tasks.length + attempts.length === 0) throw noSuchTask(task, services)
  const known = new Set(tasks.map(({ id }) => id))
  const incomplete = droppedEntries(world)
  return {
    version: 1,
    world: world.id,
    now: iso(nowIn(world)),
    wall_ms: rounded(wallMs),
    clock: world.state.head.clock.mode,
    attempts,
    tasks: tasks.map(one => traceTask(world, one, services)),
    events: eventsOf(world, tasks, services),
    findings: findingViews(
      findingsIn(world, services).filter(
        ({ task_id, request_ids }) =>
          isWhole || (task_id !== undefined ? known.has(task_id) : request_ids.some(id => shown.has(id))),
      ),
    ),
    open: openIn(world, wallMs).filter(({ task_id }) => task === undefined || task_id === task),
    ...(incomplete && { incomplete }),
  }
}

function changesSince(task: Task, from: number, now: number): boolean {
  return task.createdAt >= from || changesOf(task).some(({ at }) => at >= from && at <= now)
}

/** A journal entry with its call. */
interface Made {
  entry: Entry
  call: TraceCall
}

/** An attempt while it grows. */
interface Chain extends TraceAttempt {
  key: string
  last: Made
  account: string | undefined
}

/** Groups calls that belong together, in the order of their first calls, and fills in the waits between them. */
function attemptsOf(world: World, made: readonly Made[]): TraceAttempt[] {
  const entries = made.map(({ entry }) => entry)
  const chains: Chain[] = []
  const newest = new Map<string, Chain[]>()
  for (const one of made) {
    const key = keyOf(one.entry)
    const known = newest.get(key) ?? []
    const chain = known.findLast(each => continues(each, one))
    const task = taskOf(one.entry)
    if (chain) {
      const wait = waitBetween(world, { entries, before: chain.last.entry, next: one.entry })
      chain.calls.push(wait ? { ...one.call, wait } : one.call)
      chain.last = one
      chain.account ??= one.entry.account
      if (task !== undefined) chain.task_id ??= maskSecrets(task)
    } else {
      const { operation, account } = one.entry
      const begun = {
        key,
        last: one,
        account,
        operation,
        ...(task && { task_id: maskSecrets(task) }),
        calls: [one.call],
      }
      chains.push(begun)
      newest.set(key, [...known.slice(-mostOpen), begun])
    }
  }
  return chains.map(({ operation, task_id, calls }) => ({
    operation,
    ...(task_id !== undefined && { task_id }),
    calls,
  }))
}

/** Chains of one key that may still go on, for example one an account. */
const mostOpen = 20

/** Polls of one address and reads of one file belong together; other calls when their bodies are the same, too. */
function keyOf({ operation, method, url, requestBody = '' }: Entry): string {
  if (operation === downloadOperation) return `${operation} ${url.split('?', 1)[0]}`
  return isRead(method) ? `${operation} ${url}` : `${operation} ${method} ${url}\n${requestBody}`
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A create goes on only after a refusal or a broken reply: the same body after a success is a new attempt. */
function continues({ last, account }: Chain, { entry }: Made): boolean {
  const isOfBoth = last.entry.account !== undefined && entry.account !== undefined
  if (account !== undefined && entry.account !== undefined && account !== entry.account) return false
  if (isOfBoth && last.entry.keyLabel !== entry.keyLabel) return false
  if (last.entry.service !== entry.service) return false
  if (isRead(entry.method)) return true
  return last.entry.status >= 400 || last.entry.status === 0 || last.call.broken !== undefined
}

/** The task that a request is about, also when it was refused before its handler. */
function taskOf(entry: Entry): string | undefined {
  const { taskIds = [], method, url } = entry
  if (taskIds.length > 0) return taskIds.length === 1 ? taskIds[0] : undefined
  return familyRoutes().find(method, url.split('?', 1)[0] ?? '')?.params.task_id
}

/** The wait that the reply before asked for, and what was kept of it. Under a manual clock a client's sleep moves only wall time. */
function waitBetween(
  world: World,
  { entries, before, next }: { entries: readonly Entry[]; before: Entry; next: Entry },
): TraceCall['wait'] | undefined {
  const asked_s = secondsAsked(before)
  if (asked_s === undefined) return undefined
  const end = before.end ?? { at: before.at, ms: before.startedMs + before.durationMs }
  const { cameAt = next.at } = next
  const virtualMs = cameAt - end.at - skippedMs(world, entries, { after: before.id, to: next.id - 1 })
  const wallMs = next.startedMs - end.ms
  return { asked_s, kept_s: Math.max(0, Math.round(Math.max(virtualMs, wallMs))) / 1000 }
}

/** The seconds of a Retry-After, which is a number or a date. */
function secondsAsked({ responseHeaders, at }: Entry): number | undefined {
  const text = headerOf(responseHeaders, 'retry-after')
  if (text === undefined) return undefined
  const seconds = Number(text)
  const until = Number.isFinite(seconds) ? seconds : (Date.parse(String(text)) - at) / 1000
  return until > 0 ? Math.round(until * 1000) / 1000 : undefined
}

/** What happened to these tasks and through the control API up to now, in order. */
function eventsOf(
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
        ...causedBy(requestBehind(acting, task, change)),
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
    ...causedBy(kind === 'reserved' ? task.requestId : requestBehind(acting, task, { at, to: 'cancelled' })),
  }))
}

/** The call that cancelled a task or removed its record; undefined for a change that no call made. Several of one moment are in order. */
function requestBehind(
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
