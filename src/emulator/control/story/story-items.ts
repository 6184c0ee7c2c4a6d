import type { StoryItem as StoryItemView } from '../../../kits/views.ts'
import { familyOf } from '../../families/index.ts'
import { headerOf } from '../../http/headers.ts'
import { mediaEffect, mediaText } from '../../scenarios/effects/media.ts'
import { downloadOperation } from '../../scenarios/operations.ts'
import { entryBefore } from '../../tasks/commands.ts'
import { entriesAt } from '../../tasks/ledger.ts'
import { type Change, changesOf, goneAt, transitions, viewAt } from '../../tasks/lifecycle.ts'
import { formatDuration } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { Fact, Plan, Status, Task } from '../../worlds/task.ts'
import { effectTexts, seenBy, traceOf } from '../journal/entry-view.ts'

/** One event in the life of a task. */
export interface StoryItem extends Omit<StoryItemView, 'at' | 'at_ms'> {
  /** Virtual time, epoch ms. */
  at: number
  /** The order of items of one moment: after the journal entry with this number, or before all entries. */
  place: number
}

/** Before all requests of the moment, since a request sees changes that came with time. */
export const beforeAll = -1
const atBirth = -3

/** How the task was made, which rule shaped it, and which credits it reserves. */
export function creationItems(task: Task, create: Entry | undefined): StoryItem[] {
  const base = { at: task.createdAt, place: atBirth }
  const { connection } = create ? effectTexts(create) : {}
  const made = create
    ? `${create.method} ${create.operation} -> ${create.status}: the task was made${senderText(create)}${connection ? `, the reply was ${connection}` : ''}`
    : task.rule === 'POST /__emulator/tasks'
      ? 'the task was made through the control API'
      : 'the task was made; the request is no longer in the journal'
  const first: StoryItem = {
    ...base,
    kind: 'request',
    text: made,
    request_ids: [task.requestId],
    ...(create && { status: create.status, ...traceOfEntry(create) }),
  }
  const notes = [
    ...(task.unread ? [`these fields of the request are ignored: ${task.unread.join(', ')}`] : []),
    ...(task.notes ?? []),
  ]
  return [
    first,
    ...notes.map((text): StoryItem => ({ ...base, kind: 'note', text })),
    ...(task.rule ? [{ ...base, kind: 'rule' as const, text: ruleText(task, task.rule) }] : []),
  ]
}

/** Which key and which service sent a request, in brackets; empty when neither is known. */
function senderText({ keyLabel, service }: Entry): string {
  const parts = [keyLabel && `key ${keyLabel}`, service && `service ${service}`].filter(Boolean)
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

function ruleText(task: Task, rule: string): string {
  const media = task.media ? `; its files come ${mediaText([mediaEffect(task.media)])}` : ''
  return `${rule} decided: ${planText(task, task.plan)}${media}`
}

function planText(task: Task, { startsAt, endsAt, expiresAt, outcome }: Plan): string {
  const waits = `waits ${formatDuration(startsAt - task.createdAt)}`
  if (outcome.kind === 'never')
    return `${waits}, then runs ${expiresAt === undefined ? 'for ever' : 'until it expires'}`
  const end = outcome.kind === 'failed' ? `failed (${outcome.code})` : outcome.kind
  return `${waits}, runs ${formatDuration(endsAt - startsAt)}, then ${end}`
}

/** Changes of state up to now, in the family's words, and removals. */
export function changeItems(task: Task, now: number): StoryItem[] {
  const words = familyOf(task.family).words(task)
  const word = (status: Status) => words[status] ?? status
  const changes = changesOf(task).filter(({ at }) => at <= now)
  const error = viewAt(task, now).error
  return [
    ...changes.map((change): StoryItem => {
      const { at, from, to } = change
      const place = placeOfChange(task, change)
      if (to === 'deleted') return { at, place, kind: 'removed', text: removalText(task) }
      const why = to === 'failed' && error ? `: ${error.code}, ${error.message}` : ''
      const text = `${word(from)} -> ${word(to)}${causeOf(task, change)}${why}`
      return { at, place, kind: 'transition', text }
    }),
    ...task.facts.flatMap((fact): StoryItem[] => {
      if (fact.kind !== 'link_expired') return []
      const text = 'its links were ended through the control API'
      return [{ at: fact.at, place: placeAfter(fact, 0.5), kind: 'rule', text }]
    }),
  ]
}

/** How the record was lost: a caller removed it, or the plan loses it. In the second case work and charge continue (A-gone). */
function removalText(task: Task): string {
  return goneAt(task) === undefined
    ? 'its record was removed'
    : 'its record is gone, as planned: polls no longer find it, and lists leave it out'
}

function factBehind(task: Task, { at, to }: Change): Fact | undefined {
  return task.facts.find(
    fact => fact.at === at && (fact.kind === 'forced' ? fact.status === to : fact.kind === to),
  )
}

function causeOf(task: Task, change: Change): string {
  const fact = factBehind(task, change)
  if (fact?.kind === 'forced') return ', forced through the control API'
  return fact ? ', on request' : ''
}

/** A change by a request comes after that request; a change by the control API comes before the next request. */
function placeOfChange(task: Task, change: Change): number {
  const fact = factBehind(task, change)
  return fact ? placeAfter(fact, fact.kind === 'forced' ? 0.5 : 1.5) : beforeAll
}

function placeAfter(fact: Fact, by: number): number {
  return (entryBefore(fact) ?? beforeAll) + by
}

/** The end of the task's links, once it has come by itself. An end through the control API is a change of its own. */
export function linkItems(task: Task, { now, end }: { now: number; end: number | undefined }): StoryItem[] {
  const isByHand = task.facts.some(({ kind, at }) => kind === 'link_expired' && at === end)
  if (end === undefined || end > now || isByHand) return []
  return [{ at: end, place: beforeAll, kind: 'links', text: 'its links ended: they answer 403 from now on' }]
}

/** The ledger entries of the task, each next to the change that caused it. */
export function chargeItems(task: Task, now: number): StoryItem[] {
  const changes = transitions(task)
  return entriesAt(task, now).map(({ at, kind, amount, released }, index) => {
    const change = changes.findLast(candidate => candidate.at === at)
    const place = index === 0 ? atBirth : (change ? placeOfChange(task, change) : beforeAll) + 0.1
    const rest = released ? `, ${released} released` : ''
    return { at, place, kind: 'charge', text: `${kind} ${amount} credits${rest}` }
  })
}

/** The requests about the task, each with a short form of its reply. */
export function requestItems(task: Task, entries: readonly Entry[]): StoryItem[] {
  return entries.map(entry => ({
    at: entry.at,
    place: entry.id,
    kind: entry.operation === downloadOperation ? 'download' : 'request',
    text: `${entry.method} ${entry.operation} -> ${entry.status}${answerOf(task, entry)}${causesOf(task, entry)}`,
    status: entry.status,
    request_ids: [entry.requestId],
    ...traceOfEntry(entry),
  }))
}

/** The trace id, which leads from a client's trace to the task. */
function traceOfEntry(entry: Entry): Pick<StoryItem, 'trace_ids'> {
  const id = traceOf(entry)
  return id === undefined ? {} : { trace_ids: [id] }
}

function answerOf(task: Task, entry: Entry): string {
  if (entry.status >= 400) {
    const message = messageIn(entry)
    return message ? `: ${message}` : ''
  }
  if (entry.operation === downloadOperation) {
    const file = entry.url.split('?', 1)[0]?.split('/').at(-1)
    const bytes = entry.responseHeaders['Content-Length']
    return `: ${file}${bytes === undefined ? '' : `, ${bytes} bytes`}`
  }
  if (entry.method !== 'GET') return ''
  const { status, deletedAt } = seenBy(task, entry)
  if (deletedAt !== undefined) return ': no record of it'
  return `: ${familyOf(task.family).words(task)[status] ?? status}`
}

function causesOf(task: Task, entry: Entry): string {
  const retryAfter = headerOf(entry.responseHeaders, 'retry-after')
  const { connection, media } = effectTexts(entry)
  return [
    entry.account !== undefined && entry.account !== task.account && ` (account ${entry.account})`,
    senderText(entry),
    entry.rule && `, by rule ${entry.rule}`,
    retryAfter && `, try again after ${retryAfter} s`,
    connection && `; the reply was ${connection}`,
    media && `; the file came ${media}`,
  ]
    .filter(Boolean)
    .join('')
}

/** The message in an error body of any family, without its full stop: more words follow. */
function messageIn({ responseBody: body, requestId }: Entry): string | undefined {
  const json = /"(?:message|status_msg)":"((?:[^"\\]|\\.)*)"/.exec(body ?? '')?.[1]
  const found = json ?? /<Message>([^<]*)<\/Message>/.exec(body ?? '')?.[1]
  // The item already shows the id.
  const text = found?.replace(new RegExp(`[,.]? ?\\(?request id: ?${requestId}\\)?`, 'i'), '')
  return text && text.length > 200 ? `${text.slice(0, 200)}…` : text?.replace(/\.$/, '')
}
