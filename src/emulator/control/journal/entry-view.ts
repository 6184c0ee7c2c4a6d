import type { RequestLine, RequestView } from '../../../kits/views.ts'
import { type Headers, traceIdOf } from '../../http/headers.ts'
import { type Masks, masksFor } from '../../http/secrets.ts'
import { connectionText } from '../../scenarios/effects/connection.ts'
import { mediaText } from '../../scenarios/effects/media.ts'
import { entryBefore } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { iso } from '../../worlds/clock.ts'
import { digested } from '../../worlds/digest.ts'
import type { Entry } from '../../worlds/journal.ts'
import { deepestJson, isNestedDeeper, jsonIn } from '../../worlds/json-depth.ts'
import type { Task, View } from '../../worlds/task.ts'
import type { World } from '../../worlds/world.ts'

/** The request headers of a journal entry by lower-case name; values of a repeated header are joined by commas (RFC 9110, 5.3). */
export function headersOf({ requestHeaders }: Entry): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let i = 0; i + 1 < requestHeaders.length; i += 2) {
    const name = (requestHeaders[i] ?? '').toLowerCase()
    const value = requestHeaders[i + 1] ?? ''
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}

/** The trace id of a journal entry's `traceparent`; undefined without one. */
export function traceOf(entry: Entry): string | undefined {
  return traceIdOf(headersOf(entry).traceparent)
}

/** What was done to the reply, in words that follow "the reply was", and to its file, in words that follow "the file came". */
export function effectTexts({
  effects = [],
}: Pick<Entry, 'effects'>): Pick<RequestView, 'connection' | 'media'> {
  const [connection, media] = [connectionText(effects), mediaText(effects)]
  return { ...(connection && { connection }), ...(media && { media }) }
}

/** A task as a request saw it: facts that came later in the same moment are left out. */
export function seenBy(task: Task, entry: Pick<Entry, 'id' | 'at'>): View {
  const facts = task.facts.filter(fact => (entryBefore(fact) ?? -1) < entry.id)
  return viewAt({ ...task, facts }, entry.at)
}

/** The state that a reply showed of its task; undefined for a refusal, and when the record was gone. */
function stateShown(world: World, entry: Entry): Pick<RequestView, 'state'> {
  const [id, ...others] = entry.taskIds ?? []
  if (id === undefined || others.length > 0 || entry.status >= 400) return {}
  const task = world.state.tasks.get(id)
  const seen = task && seenBy(task, entry)
  return seen && seen.deletedAt === undefined ? { state: seen.status } : {}
}

/** A journal entry in a reply of the control API: keys, link signatures and identifiers of assets are masked. */
export function entryView(world: World, entry: Entry): RequestView {
  const masks = masksOf(entry)
  return {
    ...entryFactsView(world, entry),
    request: {
      headers: maskedHeaders(headersOf(entry), masks),
      body: bodyView(entry.requestBody, masks.text),
    },
    response: {
      headers: maskedHeaders(entry.responseHeaders, masks),
      body: bodyView(entry.responseBody, masks.text),
    },
  }
}

/** The same without headers and bodies. */
function entryFactsView(world: World, entry: Entry): Omit<RequestView, 'request' | 'response'> {
  const traceId = traceOf(entry)
  const masks = masksOf(entry)
  return {
    id: entry.id,
    at: iso(entry.at),
    at_ms: entry.at,
    world: world.id,
    account: entry.account ?? null,
    ...(entry.keyLabel !== undefined && { key_label: entry.keyLabel }),
    ...(entry.service !== undefined && { service: entry.service }),
    operation: entry.operation,
    method: entry.method,
    path: masks.path(entry.url),
    status: entry.status,
    request_id: entry.requestId,
    duration_ms: Math.round(entry.durationMs * 1000) / 1000,
    ...(entry.taskIds?.length === 1 && { task_id: entry.taskIds[0] }),
    ...(entry.taskIds && entry.taskIds.length > 1 && { task_ids: entry.taskIds }),
    ...stateShown(world, entry),
    ...(traceId && { trace_id: traceId }),
    ...(entry.rule && { rule: entry.rule }),
    ...(entry.fault && { fault: entry.fault }),
    ...(entry.param && { param: entry.param }),
    ...effectTexts(entry),
    ...(entry.effects && { effects: entry.effects }),
    ...(entry.lost && { reply_lost: true }),
    started_ms: Math.round(entry.startedMs),
    ...(entry.scripted && { scripted: true }),
    ...(entry.broken && { broken: entry.broken }),
    ...(entry.unread && { unread: entry.unread }),
  }
}

/** Masks for the texts of an entry. */
export function masksOf(entry: Entry): Masks {
  return masksFor(headersOf(entry).authorization)
}

function maskedHeaders<H extends Headers>(headers: H, masks: Masks): H {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? masks.header(name, value) : value,
  ])
  return Object.fromEntries(shown)
}

/**
 * The parsed value when the text is JSON, so that readers need not parse it again; else the text. Bodies that were refused for their
 * depth are shown as text.
 */
function bodyView(text: string | undefined, masked: (text: string) => string): unknown {
  if (text === undefined || text === '') return null
  const shown = masked(text)
  if (isNestedDeeper(text, deepestJson)) return shown
  const value = jsonIn(shown)
  return value === undefined ? shown : digested(value)
}

/** The first text under a key that prompts use, at any depth: families put the prompt in different places. */
export function promptOf(value: unknown): string {
  return promptsOf(value)[0] ?? ''
}

/** All such texts. */
export function promptsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => {
    if (typeof entry !== 'string') return promptsOf(entry)
    return entry !== '' && (key === 'prompt' || key === 'text') ? [entry] : []
  })
}

/** Equal polls of one task, newest first; any other request alone. */
type Fold = [Entry, ...Entry[]]

/** At least this many equal polls in a row become one line, as in a story. */
const manyAlike = 3

/**
 * Polls of one task that follow each other with the same answer become one, at the place of the newest; polls of other tasks between
 * them make no difference. Newest first.
 */
export function folded(world: World, newestFirst: readonly Entry[]): Fold[] {
  const folds: Fold[] = []
  const open = new Map<string, { answer: string; fold: Fold }>()
  for (const entry of newestFirst) {
    // A poll that a rule refused names no task, but has the address of the others.
    const place = `${entry.account} ${entry.url}`
    const answer = answerOf(world, entry)
    const before = open.get(place)
    if (entry.method === 'GET' && entry.operation.endsWith('.get') && before?.answer === answer) {
      before.fold.push(entry)
      continue
    }
    const fold: Fold = [entry]
    open.set(place, { answer, fold })
    folds.push(fold)
  }
  return folds
    .flatMap(fold => (fold.length < manyAlike ? fold.map((one): Fold => [one]) : [fold]))
    .sort(([one], [other]) => other.id - one.id)
}

function answerOf(world: World, entry: Entry): string {
  const { operation, status, broken, fault, rule, taskIds = [] } = entry
  const task = world.state.tasks.get(taskIds[0] ?? '')
  return [operation, status, broken, fault, rule, task && seenBy(task, entry).status].join()
}

/** The line of a fold: the facts of its newest request, without headers and bodies. */
export function requestLine(world: World, fold: Fold): RequestLine {
  const [entry] = fold
  const task = world.state.tasks.get(entry.taskIds?.[0] ?? '')
  const sent = parsed(entry.requestBody)
  const [inPath] = /(?<=^\/image-to-video\/)[^/?]+/.exec(entry.url) ?? []
  const { model = inPath ?? task?.model } = sent as { model?: unknown }
  return {
    ...entryFactsView(world, entry),
    prompt: (promptOf(sent) || promptOf(parsed(task?.request))).slice(0, 160),
    model: typeof model === 'string' ? model : '',
    ids: fold.map(({ id }) => id),
    within_ms: entry.at - (fold.at(-1) ?? entry).at,
  }
}

function parsed(text = ''): object {
  return Object(jsonIn(text))
}
