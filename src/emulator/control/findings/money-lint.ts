import { familyOf } from '../../families/index.ts'
import { linkExpiry } from '../../families/result-link.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { downloadOperation, makesTask } from '../../scenarios/operations.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { formatDuration, iso } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { headersOf, seenBy } from '../journal/entry-view.ts'
import { byTask, type Found, found, groupedBy, senderOf } from './found.ts'

/** A task with all its requests in the journal, oldest first. */
interface Followed {
  task: Task
  create: Entry
  entries: readonly Entry[]
}

/** A task without a request for this long after its end counts as abandoned. */
const patienceMs = 10 * 60_000
/** Fewer polls of an ended task are normal: a client may check once more. */
const manyPolls = 5

/** Work that clients pay for without using it. A client that creates, polls to the end and fetches once has no such finding. */
export function moneyFindings(world: World, { options }: Pick<Services, 'options'>): Found[] {
  const followed = followedTasks(world)
  const again = nextAlike(followed)
  const now = nowIn(world)
  const byKey = idempotencyIgnored(followed)
  const twice = world.services ? madeTwice(followed) : undefined
  return followed.flatMap(one => {
    const death = linkDeath(one, { now, options })
    return [
      ...createdAgain(one, again.get(one)),
      ...abandoned(one, { now, death }),
      ...notFetched(one, death),
      ...polledOn(one),
      ...(byKey.get(one) ?? []),
      ...(twice?.get(one) ?? []),
    ]
  })
}

function followedTasks(world: World): Followed[] {
  return [...byTask(world.journal.entries())].flatMap(([id, entries]) => {
    const task = world.state.tasks.get(id)
    const create = entries.find(
      ({ requestId, operation }) => makesTask(operation) && requestId === task?.requestId,
    )
    return task && create ? [{ task, create, entries }] : []
  })
}

/** For each task, the first of those that the same call made after it. Each body is looked up once: a journal has thousands. */
function nextAlike(followed: readonly Followed[]): ReadonlyMap<Followed, Followed> {
  const newest = new Map<string | undefined, Map<string, Followed[]>>()
  const next = new Map<Followed, Followed>()
  for (const one of [...followed].sort((a, b) => a.create.id - b.create.id)) {
    const { requestBody, operation, account, id } = one.create
    const calls = newest.get(requestBody) ?? new Map<string, Followed[]>()
    newest.set(requestBody, calls)
    const call = `${operation} ${account} ${senderOf(one.create)}`
    const before = calls.get(call) ?? []
    if (before[0]?.create.id === id) before.push(one)
    else {
      for (const earlier of before) next.set(earlier, one)
      calls.set(call, [one])
    }
  }
  return next
}

/** The same body was sent again while the first task was neither ended nor cancelled. A task that has ended at the next repetition has also ended at every later one. */
function createdAgain({ task, create }: Followed, next: Followed | undefined): Found[] {
  const again = next && isUnderWay(task, next.create) ? next : undefined
  // After a lost reply the finding is `create_repeated`.
  if (!again || create.requestBody === undefined || create.lost) return []
  const text = `the same create came again as ${again.task.id} while ${task.id} was neither ended nor cancelled: each of them is charged when it succeeds`
  return [
    found('created_again_while_running', text, {
      task: task.id,
      requests: [create, again.create],
      since: again.create,
    }),
  ]
}

/** Headers by which clients ask that a request is carried out once; the gateway reads none of them. */
const keyHeaders = /^(?:x-)?idempotency-?key$/

/**
 * The same create came again with the same idempotency key, and both made a task that is charged, unless the first one had ended without
 * a charge by then. A client that sends keys and creates each task once has no such finding.
 */
function idempotencyIgnored(followed: readonly Followed[]): ReadonlyMap<Followed, Found[]> {
  const sorted = followed.toSorted((one, other) => one.create.id - other.create.id)
  const groups = groupedBy(
    sorted.flatMap(one => {
      const [header, key] =
        Object.entries(headersOf(one.create)).find(([name]) => keyHeaders.test(name)) ?? []
      return header === undefined ? [] : [{ one, header, key }]
    }),
    ({ one: { create }, key }) => [
      JSON.stringify([create.operation, create.account, create.requestBody, key]),
    ],
  )
  return new Map(
    [...groups.values()].flatMap(group =>
      group.flatMap(({ one, header }, index) => {
        const again = group[index + 1]?.one
        if (!again || again.create === one.create || !mayBeCharged(one.task, again.create)) return []
        const text = `the same create came again with the same ${header} and made ${again.task.id}: the gateway reads no such header, so ${one.task.id} and ${again.task.id} are each charged when they succeed`
        const about = { task: one.task.id, requests: [one.create, again.create], since: again.create }
        return [[one, [found('idempotency_ignored', text, about)]] as const]
      }),
    ),
  )
}

/**
 * Two services created the same job, as two workers do that take one entry of a queue. A job that had ended without a charge by then was
 * rightly made again.
 */
function madeTwice(followed: readonly Followed[]): ReadonlyMap<Followed, Found[]> {
  const sorted = followed
    .filter(({ create }) => create.service !== undefined && create.requestBody !== undefined)
    .toSorted((one, other) => one.create.id - other.create.id)
  const jobs = groupedBy(sorted, ({ create }) => [
    JSON.stringify([create.operation, create.account, jobIn(create.requestBody ?? '')]),
  ])
  const founds = new Map<Followed, Found[]>()
  for (const job of jobs.values())
    for (const [index, again] of job.entries()) {
      const one = job.slice(0, index).findLast(before => isMadeByAnother(before, again))
      if (one) founds.set(one, [...(founds.get(one) ?? []), madeByBoth(one, again)])
    }
  return founds
}

function isMadeByAnother({ task, create }: Followed, again: Followed): boolean {
  return create.service !== again.create.service && mayBeCharged(task, again.create)
}

function madeByBoth(one: Followed, again: Followed): Found {
  const [first, second] = [one.create.service, again.create.service]
  const text = `${first} and ${second} created the same job: ${first} made ${one.task.id}, and ${second} made ${again.task.id} with the same body; each of them is charged when it succeeds`
  const requests = [one.create, again.create]
  const manner = [first, second].toSorted().join(' ')
  return found('made_twice', text, { task: one.task.id, requests, since: again.create, manner })
}

/** A body without what JSON leaves to its writer: spaces and the order of keys. */
function jobIn(body: string): unknown {
  try {
    return inOrder(JSON.parse(body))
  } catch {
    // A long one is cut, and one that is nested too deeply cannot be walked through.
    return body
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]))
}

/** Whether a task had not ended without a charge when a request came. */
function mayBeCharged(task: Task, entry: Entry): boolean {
  return ['queued', 'running', 'succeeded'].includes(seenBy(task, entry).status)
}

function isUnderWay(task: Task, entry: Entry): boolean {
  return ['queued', 'running'].includes(seenBy(task, entry).status)
}

/** When the links of a succeeded task expired, virtual ms; undefined while they work, and when no link was ever shown. */
function linkDeath(
  { task, entries }: Followed,
  { now, options }: { now: number } & Pick<Services, 'options'>,
): number | undefined {
  const view = viewAt(task, now)
  if (view.status !== 'succeeded' || !hasReadLink(task, entries)) return undefined
  const expiry = linkExpiry(familyOf(task.family), { task, view }, options)
  return expiry <= now && task.media?.kind !== 'link_expired' ? expiry : undefined
}

/** Whether a client has read a reply with a link to a file of the task. */
export function hasReadLink(task: Task, entries: readonly Entry[]): boolean {
  return entries.some(entry => isRead(entry) && showsLink(entry, task))
}

function showsLink({ operation, responseBody }: Entry, { id }: Task): boolean {
  return operation !== downloadOperation && (responseBody?.includes(`/${id}/`) ?? false)
}

function isRead({ status, lost }: Entry): boolean {
  return status === 200 && !lost
}

function isOpened({ entries }: Followed): boolean {
  return entries.some(({ operation, method }) => operation === downloadOperation && method === 'GET')
}

/** Charged but not used: the client stopped polling before the end, or did not fetch the result while its link worked. */
function abandoned(one: Followed, { now, death }: { now: number; death: number | undefined }): Found[] {
  const { task, create, entries } = one
  const view = viewAt(task, now)
  if (view.status !== 'succeeded' || task.charge.settled === 0) return []
  const isForgotten =
    now - view.since >= patienceMs && !entries.some(entry => isRead(entry) && entry.at >= view.since)
  const [at, why] =
    death !== undefined && !isOpened(one)
      ? [death, 'its result was not fetched before its link expired']
      : isForgotten
        ? [
            view.since + patienceMs,
            `no request has asked for it since it succeeded ${formatDuration(now - view.since)} ago`,
          ]
        : []
  if (at === undefined) return []
  const text = `${task.charge.settled} credits were charged for ${task.id}, and ${why}`
  return [
    found('abandoned_task', text, {
      task: task.id,
      requests: [create],
      since: at,
      manner: death === at ? 'not fetched' : 'forgotten',
    }),
  ]
}

function notFetched(one: Followed, death: number | undefined): Found[] {
  if (death === undefined || isOpened(one)) return []
  const text = `the link of ${one.task.id} was shown and never opened; it expired at ${iso(death)}`
  return [
    found('result_not_fetched', text, {
      task: one.task.id,
      requests: one.entries.filter(entry => showsLink(entry, one.task)),
      since: death,
    }),
  ]
}

function polledOn({ task, entries }: Followed): Found[] {
  // A client that fetches after each poll asks for the link again, for example after a broken file.
  const polls = entries.filter(
    (entry, index) =>
      entry.operation.endsWith('.get') &&
      isRead(entry) &&
      !isUnderWay(task, entry) &&
      entries[index + 1]?.operation !== downloadOperation,
  )
  return [...groupedBy(polls, poll => [senderOf(poll)]).values()].flatMap(requests => {
    const [first] = requests
    const since = requests[manyPolls - 1]
    if (!first || !since) return []
    const manner = seenBy(task, first).status
    const text = `polled ${requests.length} times after it was ${manner}; the first of these polls gave the final answer`
    return [found('polled_after_end', text, { task: task.id, requests, since, manner })]
  })
}
