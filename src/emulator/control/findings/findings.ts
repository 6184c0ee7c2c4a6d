import { familyOf } from '../../families/index.ts'
import { headerOf } from '../../http/headers.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { downloadOperation, makesTask } from '../../scenarios/operations.ts'
import { formatDuration } from '../../worlds/clock.ts'
import { longestKept } from '../../worlds/excerpt.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { Task } from '../../worlds/task.ts'
import type { World } from '../../worlds/world.ts'
import { effectTexts, headersOf, promptsOf, seenBy } from '../journal/entry-view.ts'
import { skippedMs } from '../journal/skipped-time.ts'
import { type Found, found, groupedBy, senderOf } from './found.ts'
import { moneyFindings } from './money-lint.ts'

/** Everything that is found about the clients of a world. */
export function findingsIn(world: World, services: Pick<Services, 'options'>): Found[] {
  return [...lintClients(world), ...moneyFindings(world, services)]
}

/** All findings about the clients of a world, from its journal. */
function lintClients(world: World): Found[] {
  const entries = world.journal.entries()
  return [
    ...pollFindings(world, entries),
    ...linkFindings(entries),
    ...retryFindings(world, entries),
    ...unreadFindings(entries),
    ...repeatFindings(entries),
    ...guessFindings(world, entries),
    ...flagFindings(world, entries),
  ]
}

const slowestPollMs = 1000

function pollFindings(world: World, entries: readonly Entry[]): Found[] {
  const polls = entries.filter(({ operation, status }) => operation.endsWith('.get') && status === 200)
  const callers = [...groupedBy(polls, ({ taskIds = [] }) => taskIds)].flatMap(([id, asked]) =>
    [...groupedBy(asked, poll => [senderOf(poll)]).values()].map(own => [id, own] as const),
  )
  const isRealtime = world.state.head.clock.mode === 'realtime'
  return callers.flatMap(([id, asked]) => {
    const task = world.state.tasks.get(id)
    const fast = isRealtime ? hasty(id, asked) : task ? hammering(task, asked) : []
    return [...fast, ...(task ? late(task, asked) : [])]
  })
}

/** Only in realtime mode: under a manual clock all polls between two moves of the clock have the same moment. */
function hasty(id: string, polls: readonly Entry[]): Found[] {
  const gaps = polls.slice(1).map((poll, index) => poll.at - (polls[index]?.at ?? 0))
  const short = gaps.filter(gap => gap < slowestPollMs)
  const second = polls[gaps.findIndex(gap => gap < slowestPollMs) + 1]
  if (short.length === 0 || !second) return []
  const shortest = formatDuration(Math.min(...short))
  const text = `polled ${short.length + 1} times with less than a second between, at shortest ${shortest}; once in a few seconds is enough`
  return [found('polls_too_fast', text, { task: id, requests: polls, since: second })]
}

/** Fewer polls of one moment may be intended. With less wall time than this between two polls, the client does not wait. */
const manyPolls = 10
const noWaitMs = 100

/**
 * Under a manual or auto clock, virtual time does not show how long a client waits. Here the finding is a loop without a wait:
 * many polls in a row, each right after the previous one in wall time, in one virtual moment and with the same answer.
 */
function hammering(task: Task, polls: readonly Entry[]): Found[] {
  const isAgain = (poll: Entry, before: Entry | undefined) =>
    before !== undefined &&
    poll.at === before.at &&
    poll.startedMs - before.startedMs < noWaitMs &&
    seenBy(task, poll).status === seenBy(task, before).status
  let [start, first, end] = [0, 0, 0]
  for (const [index, poll] of polls.entries()) {
    if (!isAgain(poll, polls[index - 1])) start = index
    if (index + 1 - start > end - first) [first, end] = [start, index + 1]
  }
  const longest = polls.slice(first, end)
  const nth = longest[manyPolls - 1]
  if (!nth) return []
  const text = `polled ${longest.length} times in one moment of virtual time, with less than ${noWaitMs} ms of wall time between; wait a few seconds between two polls`
  return [found('polls_too_fast', text, { task: task.id, requests: longest, since: nth })]
}

function late(task: Task, polls: readonly Entry[]): Found[] {
  const isOver = (entry: Entry) => !['queued', 'running'].includes(seenBy(task, entry).status)
  // The client has not read a lost reply.
  const firstShown = polls.findIndex(entry => isOver(entry) && !entry.lost)
  const first = polls[firstShown]
  const more = polls.slice(firstShown + 1)
  const [next] = more
  if (!first || !next) return []
  const times = more.length === 1 ? 'once more' : `${more.length} times more`
  const text = `polled ${times} after a poll had shown that it is ${seenBy(task, first).status}; it will not change any more`
  const manner = seenBy(task, first).status
  return [found('polls_after_end', text, { task: task.id, requests: more, since: next, manner })]
}

const keyOnLink =
  'sent an Authorization header to a result link; the link is already signed, and the object store refuses a request with both'

function linkFindings(entries: readonly Entry[]): Found[] {
  const wrong = entries.filter(
    entry => entry.operation === downloadOperation && headersOf(entry).authorization !== undefined,
  )
  return wrong.map(entry =>
    found('authorization_on_link', keyOnLink, { task: entry.taskIds?.[0], requests: [entry], since: entry }),
  )
}

/**
 * A client has waited when virtual or wall time has passed: under a manual clock its sleep moves only wall time. Only the same
 * request counts: a client with several workers sends other requests at the same time.
 */
function retryFindings(world: World, entries: readonly Entry[]): Found[] {
  return withNext(entries, requestOf).flatMap(([entry, next]): Found[] => {
    const seconds = Number(headerOf(entry.responseHeaders, 'retry-after') ?? Number.NaN)
    if (!(seconds > 0)) return []
    const skipped = skippedMs(world, entries, { after: entry.id, to: next.id })
    const waitedMs = Math.max(next.at - entry.at - skipped, next.startedMs - entry.startedMs)
    if (waitedMs >= seconds * 1000) return []
    const text = `${entry.operation} came again after ${formatDuration(Math.round(waitedMs))}, although the ${entry.status} reply asked the client to wait ${seconds} s`
    const [task, manner] = [entry.taskIds?.[0], String(entry.status)]
    return [found('retry_after_ignored', text, { task, requests: [entry, next], since: next, manner })]
  })
}

/** Pairs of entries with the same key: each entry with the next one. */
function withNext(entries: readonly Entry[], keyOf: (entry: Entry) => string): [Entry, Entry][] {
  const following = new Map<string, Entry>()
  const pairs: [Entry, Entry][] = []
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i]
    if (!entry) continue
    const key = keyOf(entry)
    const next = following.get(key)
    if (next) pairs.push([entry, next])
    following.set(key, entry)
  }
  return pairs.reverse()
}

function unreadFindings(entries: readonly Entry[]): Found[] {
  return entries.flatMap((entry): Found[] => {
    const manner = entry.unread?.join(', ')
    if (!manner) return []
    const text = `${entry.operation} sent fields that are ignored: ${manner}`
    return [
      found('unread_fields', text, { task: entry.taskIds?.[0], requests: [entry], since: entry, manner }),
    ]
  })
}

/** The same call with the same body. A link may be signed anew; every other query, such as the `task_ids` of family K, is a part of the call. */
function requestOf(entry: Entry): string {
  const { operation, account, url, requestBody } = entry
  const address = operation === downloadOperation ? url.split('?', 1)[0] : url
  return [operation, account, senderOf(entry), address, requestBody].join('\n')
}

/** The task that a request made; undefined for other requests, and when it is gone. */
function madeBy(world: World, { operation, taskIds }: Entry): Task | undefined {
  return makesTask(operation) ? world.state.tasks.get(taskIds?.[0] ?? '') : undefined
}

function guessFindings(world: World, entries: readonly Entry[]): Found[] {
  return entries.flatMap((entry): Found[] => {
    const task = madeBy(world, entry)
    const guess = task && familyOf(task.family).guess?.(task)
    if (!task || !guess) return []
    const about = { task: task.id, requests: [entry], since: entry, manner: guess.reading }
    return [found('task_type_guessed', guess.text, about)]
  })
}

const flagName =
  '(?:rs|resolution|rt|ratio|ar|aspect|dur|duration|seed|cf|camera_?fixed|wm|watermark|fps|frames|framepersecond)'
/** Flags with their values at the end of a text. A value is no flag, so that no text takes long. */
const trailingFlags = new RegExp(`(?:^|\\s)((?:--${flagName}(?:[=\\s]\\s*(?!--)\\S+)?(?:\\s+|$))+)$`, 'i')

/** Flags at the end of a prompt, an old form, set nothing (A-prompt-flags). */
function flagFindings(world: World, entries: readonly Entry[]): Found[] {
  return entries.flatMap((entry): Found[] => {
    const task = madeBy(world, entry)
    if (!task?.request.includes('--')) return []
    const [flags] = promptsOf(JSON.parse(task.request)).flatMap(flagsAtEnd)
    if (flags === undefined) return []
    const manner = flags.match(/--\w+/g)?.join(' ')
    const text = `the prompt ends in ${flags}: flags in prompts are words like any others and set nothing, the fields of the body count`
    return [found('prompt_flags', text, { task: task.id, requests: [entry], since: entry, manner })]
  })
}

/** The flags at the end of a prompt as they were written; tags of the emulator may follow them. */
function flagsAtEnd(prompt: string): string[] {
  // A longer prompt is kept without its end (A-long-texts).
  if (prompt.length >= longestKept - 1) return []
  const end = prompt.slice(-400).replace(/\[\[[^[\]]*\]\]/g, ' ')
  const [, flags] = trailingFlags.exec(end) ?? []
  return flags === undefined ? [] : [flags.trim()]
}

function repeatFindings(entries: readonly Entry[]): Found[] {
  const creates = entries.filter(({ operation, taskIds }) => makesTask(operation) && taskIds?.[0])
  return withNext(creates, requestOf).flatMap(([entry, again]): Found[] => {
    const [id = ''] = entry.taskIds ?? []
    if (!entry.lost) return []
    const text = `the reply to the create was ${effectTexts(entry).connection}, and the same create came again: there are two tasks now, ${id} and ${again.taskIds?.[0]}, and each is charged when it succeeds`
    return [found('create_repeated', text, { task: id, requests: [entry, again], since: again })]
  })
}
