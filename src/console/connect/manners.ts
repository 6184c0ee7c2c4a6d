import type { Finding, RequestView } from '../../kits/views.ts'
import { groupsOf } from '../parts/lists.ts'
import { isOver } from '../parts/states.ts'

/** A rule that a well-behaved client keeps, and whether this client kept it. */
export interface Manner {
  title: string
  /** `unseen`: nothing could have gone wrong yet. */
  state: 'kept' | 'broken' | 'unseen'
  /** The findings that show that it was broken. */
  texts: readonly string[]
}

interface Rule {
  title: string
  kinds: readonly Finding['kind'][]
  /** Whether the requests, newest first, could have broken the rule. */
  hadChance: (entries: readonly RequestView[]) => boolean
}

const isPoll = ({ operation, status }: RequestView) => operation.endsWith('.get') && status === 200
const isCreate = ({ operation, method }: RequestView) => method === 'POST' && operation !== 'unknown'
const isDownload = ({ operation }: RequestView) => operation === 'media.download'

const rules: readonly Rule[] = [
  {
    title: 'Waits between two polls',
    kinds: ['polls_too_fast'],
    // Under a clock that stands, two polls may have one moment: then nobody knows how long the client would wait.
    hadChance: entries => isPolledLater(entries.filter(isPoll)),
  },
  {
    title: 'Waits as long as Retry-After asks',
    kinds: ['retry_after_ignored'],
    hadChance: entries =>
      entries.some((entry, i) => asksToWait(entry) && cameAgain(entry, entries.slice(0, i))),
  },
  {
    title: 'Stops polling when a task is over',
    kinds: ['polls_after_end', 'polled_after_end'],
    hadChance: entries => entries.some(entry => isPoll(entry) && isOver(entry.state ?? 'queued')),
  },
  {
    title: 'Creates each task once',
    kinds: ['create_repeated', 'created_again_while_running', 'idempotency_ignored', 'made_twice'],
    hadChance: entries => entries.filter(isCreate).length > 1,
  },
  {
    title: 'Sends only fields that are read',
    kinds: ['unread_fields'],
    hadChance: entries => entries.some(isCreate),
  },
  {
    title: 'Fetches what it paid for',
    kinds: ['abandoned_task', 'result_not_fetched'],
    hadChance: entries => entries.some(entry => isDownload(entry) && entry.status < 400),
  },
  {
    title: 'Fetches results without its key',
    kinds: ['authorization_on_link'],
    hadChance: entries => entries.some(isDownload),
  },
]

function isPolledLater(polls: readonly RequestView[]): boolean {
  return [...groupsOf(polls, ({ task_id }) => task_id).values()].some(
    ([newest, ...rest]) => newest?.task_id !== undefined && rest.some(({ at_ms }) => at_ms < newest.at_ms),
  )
}

function asksToWait({ response }: RequestView): boolean {
  return Object.keys(response.headers).some(name => name.toLowerCase() === 'retry-after')
}

function cameAgain(
  { operation, path, account, request }: RequestView,
  later: readonly RequestView[],
): boolean {
  const body = JSON.stringify(request.body)
  return later.some(
    next =>
      next.operation === operation &&
      next.path === path &&
      next.account === account &&
      JSON.stringify(next.request.body) === body,
  )
}

/** How the clients of a world behaved, from its findings and its requests, newest first. */
export function mannersOf(findings: readonly Finding[], entries: readonly RequestView[]): Manner[] {
  return rules.map(({ title, kinds, hadChance }) => {
    const texts = findings.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
    const state = texts.length > 0 ? 'broken' : hadChance(entries) ? 'kept' : 'unseen'
    return { title, state, texts }
  })
}

/** How many of the rules that could be broken were kept: `5 of 6`. */
export function scoreOf(manners: readonly Manner[]): { kept: number; seen: number } {
  const seen = manners.filter(({ state }) => state !== 'unseen')
  return { kept: seen.filter(({ state }) => state === 'kept').length, seen: seen.length }
}
