import type { TraceCall, TraceOpen } from '../../../kits/views.ts'
import { headerOf } from '../../http/headers.ts'
import { masksFor } from '../../http/secrets.ts'
import { actionsOf, type ConnectionFault } from '../../scenarios/effects/connection.ts'
import { spellEffects } from '../../scenarios/effects/index.ts'
import { downloadOperation } from '../../scenarios/operations.ts'
import type { Effects } from '../../scenarios/scenario.ts'
import { formatDuration, iso } from '../../worlds/clock.ts'
import type { Broken, Entry, Moment } from '../../worlds/journal.ts'
import { jsonIn } from '../../worlds/json-depth.ts'
import { fileBytesSent, type OpenRequest, underWayIn } from '../../worlds/under-way.ts'
import type { World } from '../../worlds/world.ts'
import { effectTexts, entryView } from '../journal/entry-view.ts'

/** A journal entry as a call of a trace. */
export function callOf(world: World, entry: Entry): TraceCall {
  const { id, cameAt = entry.at, end, status } = entry
  const view = entryView(world, entry)
  const effects: Effects = entry.drawn ?? {}
  const broken = brokenIn(entry, effects)
  const acted = actedOn(entry, effects)
  const effect = spellEffects(effects)
  const first = firstByte(entry, effects.connection)
  return {
    id,
    request_id: view.request_id,
    at: iso(cameAt),
    wall_ms: rounded(entry.startedMs),
    ...(first && { first_byte_at: iso(first.at), first_byte_wall_ms: rounded(first.ms) }),
    ended_at: end ? iso(Math.max(end.at, cameAt)) : null,
    ended_wall_ms: end ? rounded(end.ms) : null,
    method: view.method,
    path: view.path,
    account: view.account,
    ...(view.key_label !== undefined && { key_label: view.key_label }),
    ...(view.service !== undefined && { service: view.service }),
    status,
    ...(broken && { broken }),
    ...(end && !end.isWhole && !broken && { client_left: true as const }),
    ...(acted && { acted }),
    ...(entry.rule && { rule: entry.rule }),
    ...(effect && { effect }),
    ...(entry.nth === undefined ? { counted: false as const } : { nth: entry.nth }),
    ...(entry.fault && { fault: entry.fault }),
    ...(entry.param && { param: entry.param }),
    ...(entry.taskIds && entry.taskIds.length > 0 && { task_ids: entry.taskIds }),
    ...(view.trace_id && { trace_id: view.trace_id }),
    ...(end?.fileBytes !== undefined && { bytes: end.fileBytes }),
    request: view.request,
    response: view.response,
  }
}

/** Why a client could not use a reply, whatever its status says; undefined when it could, or was refused in words. */
function brokenIn(entry: Entry, { connection }: Effects): Broken | undefined {
  const { broken, operation, method, status, rule } = entry
  if (operation === downloadOperation && !connection)
    return method === 'GET' && status < 300 && !isSentWhole(entry) ? broken : undefined
  return (
    broken ??
    (rule !== undefined && status < 300 && operation !== downloadOperation ? brokenText(entry) : undefined)
  )
}

/** A range before the place where a file breaks off is whole. */
function isSentWhole({ broken, end, responseHeaders }: Entry): boolean {
  if (broken !== 'cut' && broken !== 'stalled') return false
  const promised = Number(headerOf(responseHeaders, 'content-length') ?? Number.NaN)
  return end?.fileBytes !== undefined && end.fileBytes >= promised
}

/** A reply that a rule gave in place of the gateway's, which always speaks JSON. */
function brokenText({ responseBody = '', method }: Entry): Broken | undefined {
  if (method === 'HEAD') return undefined
  if (responseBody === '') return 'empty'
  if (jsonIn(responseBody) !== undefined) return undefined
  return responseBody.trimStart().startsWith('<') ? 'wrong_type' : 'garbled'
}

/** When the reply began, virtual and wall; undefined when no byte was sent. */
function firstByte(
  { at, startedMs, durationMs, end, status, released }: Entry,
  fault: ConnectionFault = {},
): Moment | undefined {
  const { after, latencyMs = 0 } = fault
  if (status === 0 || actionsOf(fault).instead) return undefined
  const from = released ?? (after ? undefined : { at, ms: startedMs + durationMs })
  if (!from) return undefined
  const planned = from.ms + latencyMs
  return { at: from.at, ms: end ? Math.min(planned, end.ms) : planned }
}

/** What scenarios did to a call, in words. */
function actedOn(entry: Entry, { refuse, clock, task }: Effects): string | undefined {
  const wait = headerOf(entry.responseHeaders, 'retry-after')
  const { connection, media } = effectTexts(entry)
  const parts = [
    clock && `the clock was moved on by ${formatDuration(clock.advanceMs)}`,
    refuse &&
      `refused: ${refuse.fault ?? (refuse.proxyPage ? `proxy page ${refuse.proxyPage}` : `status ${refuse.status}`)}${wait ? `, try again after ${wait} s` : ''}`,
    connection && `the reply was ${connection}`,
    media && `the file came ${media}`,
    task && 'the plan of its task was set',
  ].filter(Boolean)
  if (parts.length === 0) return undefined
  return `${parts.join('; ')}${entry.rule ? ` (${entry.rule})` : ''}`
}

/** Wall ms to the thousandth. */
export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** The requests of a world that have no complete reply, oldest first. `wallMs`: this process's monotonic clock. */
export function openIn(world: World, wallMs: number): TraceOpen[] {
  const open = underWayIn(world).requests.toSorted((one, other) => one.startedMs - other.startedMs)
  return open.map(one => openView(one, wallMs))
}

function openView(open: OpenRequest, wallMs: number): TraceOpen {
  const { request, requestId, operation, cameAt, startedMs, trace } = open
  const [task, ...more] = trace.taskIds ?? []
  const bytes = fileBytesSent(open)
  const state = open.response.headersSent ? 'sent' : open.entry ? 'held_back' : 'handled'
  return {
    request_id: requestId,
    operation,
    method: request.method ?? '',
    path: masksFor(request.headers.authorization).path(request.url ?? ''),
    ...(task !== undefined && more.length === 0 && { task_id: task }),
    at: iso(cameAt),
    wall_ms: rounded(startedMs),
    for_ms: rounded(wallMs - startedMs),
    state,
    text: textOf(state, operation, bytes),
    ...(bytes !== undefined && { bytes_sent: bytes }),
  }
}

function textOf(state: TraceOpen['state'], operation: string, bytes: number | undefined): string {
  switch (state) {
    case 'sent':
      return bytes === undefined ? 'its reply is sent' : `its file is sent: ${bytes} bytes so far`
    case 'held_back':
      return 'a scenario holds its reply back'
    case 'handled':
      return operation === downloadOperation ? 'its file renders, or is opened' : 'it is handled'
  }
}
